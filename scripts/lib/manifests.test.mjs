import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { composeProblems, kubernetesProblems, readCompose, readResources } from './manifests.mjs';

/** No cluster and no Docker runs here: what the files say is held against the schemas, and against each other. */
const root = resolve(import.meta.dirname, '../..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const settings = [...read('docs/configuration.md').matchAll(/^\| `(BROWSERD_\w+)`/gm)].map(
  ([, name]) => name,
);
const unknownSettings = (text) =>
  [...text.matchAll(/\bBROWSERD_[A-Z0-9_]+[A-Z0-9]\b/g)]
    .map(([name]) => name)
    .filter((name) => !settings.includes(name));

describe('Docker Compose', () => {
  test.each(['compose.yaml', 'compose.cluster.yaml'])('takes %s as it is', (path) => {
    expect(composeProblems(readCompose(read(path)))).toEqual([]);
    expect(unknownSettings(read(path))).toEqual([]);
  });

  test('would not take a word that is spelt otherwise, or a value of another kind', () => {
    const compose = readCompose(read('compose.cluster.yaml'));
    compose.services['node-1'].stop_grace_periode = '2m';
    compose.services.postgres.healthcheck.retries = ['twelve'];
    expect(composeProblems(compose)).toEqual([
      expect.stringContaining('stop_grace_periode'),
      expect.stringContaining('/services/postgres/healthcheck/retries'),
    ]);
  });

  test('the nodes of a cluster differ in their address and their volume alone', () => {
    const { services } = readCompose(read('compose.cluster.yaml'));
    const names = Object.keys(services).filter((name) => name.startsWith('node-'));
    expect(names).toEqual(['node-1', 'node-2', 'node-3']);
    const alike = names.map((name) => {
      const { environment, volumes, ...rest } = services[name];
      const { BROWSERD_CLUSTER_ADDRESS: address, ...others } = environment;
      expect(address).toBe(`${name}:8788`);
      expect(volumes).toEqual([`data-${name.at(-1)}:/data`]);
      return { ...rest, environment: others };
    });
    for (const node of alike) expect(node).toEqual(alike[0]);
    const { balancer } = readCompose(read('compose.cluster.yaml')).configs;
    for (const name of names) expect(balancer.content).toContain(`${name}:8787`);
  });

  test.each(['compose.yaml', 'compose.cluster.yaml'])('%s ships no password', (path) => {
    const { services } = readCompose(read(path));
    const given = Object.values(services)
      .flatMap(({ environment = {} }) => (Array.isArray(environment) ? [] : Object.entries(environment)))
      .filter(([name]) => /PASSWORD|SECRET|API_KEY/.test(name))
      .map(([, value]) => value);
    for (const value of given) expect(value ?? '${').toMatch(/^\$\{\w+:\?set \w+ in \.env\}$|^\$\{$/);
  });
});

const manifests = globSync('deploy/kubernetes/**/*.yaml', { cwd: root }).filter(
  (path) => !path.endsWith('kustomization.yaml'),
);
const resources = manifests.flatMap((path) => readResources(read(path)));
const ofKind = (kind) => resources.filter((resource) => resource.kind === kind);

describe('Kubernetes', () => {
  test.each(manifests)('knows every field of %s', async (path) => {
    const problems = await Promise.all(readResources(read(path)).map(kubernetesProblems));
    expect(problems.flat()).toEqual([]);
    expect(unknownSettings(read(path))).toEqual([]);
  });

  test('would refuse a field that is spelt otherwise, a value of another type, and a kind that it does not have', async () => {
    const [set] = ofKind('StatefulSet');
    const changed = (change) => {
      const copy = structuredClone(set);
      change(copy.spec, copy.spec.template.spec.containers[0]);
      return kubernetesProblems(copy);
    };
    expect(await changed(() => {})).toEqual([]);
    expect(
      await changed((_, container) => {
        container.readynessProbe = container.readinessProbe;
        container.securityContext.capabilities.drops = ['ALL'];
      }),
    ).toEqual([
      'StatefulSet browserd: Kubernetes knows no field /spec/template/spec/containers/0/readynessProbe',
      'StatefulSet browserd: Kubernetes knows no field /spec/template/spec/containers/0/securityContext/capabilities/drops',
    ]);
    expect(await changed((spec) => Object.assign(spec, { replicas: 'three' }))).toEqual([
      expect.stringContaining('replicas'),
    ]);
    expect(await kubernetesProblems({ ...set, apiVersion: 'apps/v2' })).toEqual([
      'StatefulSet browserd: there is no kind StatefulSet in apps/v2',
    ]);
  });

  test('what one resource names, another one has', () => {
    const [set] = ofKind('StatefulSet');
    const { labels } = set.spec.template.metadata;
    const [container] = set.spec.template.spec.containers;
    const ports = container.ports.map(({ name }) => name);
    expect(set.spec.selector.matchLabels).toEqual(labels);
    for (const { spec } of ofKind('Service')) {
      expect(spec.selector).toEqual(labels);
      for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort);
    }
    expect(ofKind('Service').map(({ metadata }) => metadata.name)).toContain(set.spec.serviceName);
    for (const { spec } of ofKind('PodDisruptionBudget')) expect(spec.selector.matchLabels).toEqual(labels);
    for (const { spec } of ofKind('NetworkPolicy')) expect(spec.podSelector.matchLabels).toEqual(labels);
    for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
      expect(spec.scaleTargetRef).toEqual({
        apiVersion: set.apiVersion,
        kind: set.kind,
        name: set.metadata.name,
      });
      for (const { pods } of spec.metrics)
        expect(read('docs/metrics.md')).toContain(`\`${pods.metric.name}\``);
      expect(spec.minReplicas).toBe(set.spec.replicas);
    }
    const volumes = [
      ...set.spec.template.spec.volumes,
      ...set.spec.volumeClaimTemplates.map((claim) => claim.metadata),
    ];
    for (const { name } of container.volumeMounts)
      expect(volumes.map((volume) => volume.name)).toContain(name);
  });

  test('no container that faces callers or pages runs unconfined, as root or with a capability', () => {
    for (const { spec } of ofKind('StatefulSet')) {
      const pod = spec.template.spec;
      expect(pod).toMatchObject({ hostUsers: false, automountServiceAccountToken: false });
      expect(pod.securityContext.runAsNonRoot).toBe(true);
      for (const { securityContext } of pod.containers)
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
          seccompProfile: { type: 'Localhost' },
          appArmorProfile: { type: 'Localhost' },
        });
    }
  });

  const customizations = globSync('deploy/kubernetes/**/kustomization.yaml', { cwd: root });

  test.each(customizations)('every file that %s names is there, and every manifest is named', (path) => {
    const folder = dirname(path);
    const { resources: named, configMapGenerator = [] } = parse(read(path));
    const files = configMapGenerator.flatMap(({ files: each = [] }) => each);
    for (const file of [...named, ...files]) expect(existsSync(join(root, folder, file)), file).toBe(true);
    expect(manifests.filter((each) => dirname(each) === folder).sort()).toEqual(
      named.map((file) => join(folder, file)).sort(),
    );
    expect(unknownSettings(read(path))).toEqual([]);
  });

  test.skipIf(spawnSync('kubectl', ['version', '--client']).status !== 0).each(customizations)(
    'kustomize builds %s, and every resource that comes out is whole',
    async (path) => {
      const { stdout, stderr } = spawnSync(
        'kubectl',
        ['kustomize', '--load-restrictor', 'LoadRestrictionsNone', join(root, dirname(path))],
        { encoding: 'utf8' },
      );
      expect(stderr).toBe('');
      const built = readResources(stdout);
      expect(built.length).toBeGreaterThan(1);
      expect((await Promise.all(built.map(kubernetesProblems))).flat()).toEqual([]);
    },
  );
});

/** The whole service on one page: every room is opened from bottom to top, and closed in reverse. */
import { join } from 'node:path';
import { type FirstKey, openAccess } from './access/access.ts';
import { openArtifacts } from './artifacts/artifacts.ts';
import { openBorders } from './borders.ts';
import { openBrowsers } from './browsers/browsers.ts';
import { findEngines } from './chromium/chromium.ts';
import { joinCluster } from './cluster/cluster.ts';
import type { Config } from './config.ts';
import { openEvents } from './events/events.ts';
import { Extensions } from './extensions/extensions.ts';
import { ProjectFiles } from './files/files.ts';
import { createHttp } from './http/http.ts';
import { Jobs, PastJobs } from './jobs/jobs.ts';
import type { Engine } from './kit/engine.ts';
import { type Log, maskLog } from './kit/log.ts';
import { metricsObservers, readAtScrape } from './measures.ts';
import { openMetrics, watchExits } from './metrics/metrics.ts';
import { openPages } from './page/page.ts';
import {
  emptyFolder,
  type Isolation,
  openPauses,
  probeIsolation,
  refuseOpenBind,
} from './process/process.ts';
import { Profiles } from './profiles/profiles.ts';
import { Quick } from './quick/quick.ts';
import { createReadiness } from './readiness.ts';
import { startResealing } from './resealing.ts';
import { openRunners, traceViewerFolder } from './runner/runner.ts';
import { openSealing } from './sealing/sealing.ts';
import { Masks, maskingEvents, Secrets } from './secrets/secrets.ts';
import { lockFolder, openStore } from './store/store.ts';
import { startSweeper } from './sweeper.ts';

export const version = '0.1.0';

export interface Service {
  url: string;
  port: number;
  isolation: Isolation;
  engine: Engine;
  firstKey: FirstKey;
  /** Drains, stops every browser with its state saved, and leaves no process, timer or scratch file. */
  close(): Promise<void>;
}

const webhookFlushMs = 5000;

/** Slots that pages of jobs leave free, where the operator has not said. */
const reserveOf = (maxBrowsers: number): number => Math.min(8, Math.ceil(maxBrowsers / 4));

export async function startService(
  config: Config,
  log: Log,
  env: { PATH?: string; HOME?: string; [name: string]: string | undefined },
): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  opened.use(lockFolder(config.dataDir));
  const isolation = await probeIsolation({
    wanted: config.isolation,
    path: env.PATH ?? '',
    runAs: config.runAs,
  });
  refuseOpenBind(config.host, isolation);
  const engines = await findEngines({ ...config, env, isolation });
  const { metrics } = opened.use(openMetrics());
  const observers = metricsObservers(metrics);

  const sealing = openSealing(config);
  const masks = new Masks();
  opened.defer(maskLog((text) => masks.everywhere(text)));
  const store = maskingEvents(await openStore({ ...config, ...observers.store, sealing }), masks);
  opened.defer(() => store.close());
  const node = opened.use(await joinCluster({ store, dataDir: config.dataDir, log }));
  await store.sealing.join(node.id);
  opened.use(startResealing({ store, log }));
  const secrets = new Secrets({ store, masks });
  await secrets.maskUsed();
  const access = await openAccess({ ...config, store, log, bootId: node.bootId });

  const borders = opened.use(
    await openBorders({ config, store, projectName: (id) => access.access.projectName(id) }),
  );
  const { ceiling, outgoing, ownListeners, countProjects } = borders;
  const {
    events,
    webhooks,
    store: ordered,
  } = opened.use(
    openEvents({
      ...outgoing,
      store,
      log,
      nodeId: node.id,
      bootId: node.bootId,
      retriesMs: config.webhookRetries,
      userAgent: `browserd/${version}`,
      flushMs: Math.min(webhookFlushMs, config.shutdownGrace),
    }),
  );
  const artifacts = opened.use(
    await openArtifacts({ config, store: ordered, log, node, ...observers.artifacts }),
  );
  const profiles = new Profiles({
    store: ordered,
    bytes: artifacts.bytes,
    bootId: node.bootId,
    keep: config.profileVersions,
    limitBytes: config.browserDisk,
    sealing,
  });
  const extensions = new Extensions({
    store: ordered,
    bytes: artifacts.bytes,
    mode: config.extensions,
  });
  const projectFiles = new ProjectFiles({
    store: ordered,
    bytes: artifacts.bytes,
    bootId: node.bootId,
    limitBytes: config.uploadLimit,
    ...observers.artifacts,
  });
  const past = new PastJobs({ store: ordered, bytes: artifacts.bytes, files: projectFiles });
  const swept = { store, artifacts, profiles, projectFiles, jobs: past };
  opened.use(startSweeper({ ...swept, config, log, ...observers.sweeper }));

  const pauses = opened.use(openPauses(isolation));
  const { browsers, downloads, recordings, cuts, guests, capacity, pool } = opened.use(
    await openBrowsers({
      config,
      store: ordered,
      events,
      artifacts,
      saved: profiles,
      extensions,
      log,
      node,
      isolation,
      pauses,
      engines,
      ownListeners,
      ceiling,
      masks,
      watchExit: watchExits(metrics),
      ...observers.browsers,
    }),
  );
  const runnersDir = opened.use(await emptyFolder(`${config.scratchDir}-runners`, 0o711));
  const runners = openRunners({
    isolation,
    folder: runnersDir.path,
    cache: config.cacheDir,
    pauses,
    size: config.runnerPoolSize,
    log,
  });
  opened.defer(() => runners.close());
  runners.start();
  const evidenceDir = opened.use(await emptyFolder(join(config.dataDir, 'evidence'), 0o700));
  const pages = opened.use(
    openPages({
      evidenceDir: evidenceDir.path,
      browsers,
      downloads,
      cuts,
      secrets,
      runners,
      artifacts,
      events,
      log,
      isolation,
      config,
      post: outgoing.post,
      countProjects,
      ...observers.scripts,
    }),
  );
  const quick = new Quick({ guests, captchas: pages.captchas, events, files: projectFiles });
  const jobs = new Jobs({
    store: ordered,
    bytes: artifacts.bytes,
    files: projectFiles,
    quick,
    capacity,
    webhooks,
    past,
    log,
    bootId: node.bootId,
    reserve: config.jobsReserve ?? reserveOf(config.maxBrowsers),
    retentionMs: config.retention,
    mask: (projectId, json) => masks.json(projectId, json),
    ...observers.jobs,
  });

  const chromium = `${engines.default}: ${engines.binaries[engines.default]}`;
  const http = await createHttp({
    ...access,
    ...pages,
    config,
    log,
    browsers,
    dialogs: browsers.dialogs,
    network: browsers.network,
    permissions: browsers.permissions,
    state: browsers.state,
    artifacts,
    projectFiles,
    events,
    webhooks,
    downloads,
    recordings,
    secrets,
    profiles,
    extensions,
    quick,
    jobs,
    readiness: createReadiness({ config, store, pool, capacity, isolation, chromium }),
    metrics,
    observer: observers.http,
    traceViewerDir: traceViewerFolder,
    whileAnswered: (projectId) => pauses.during(projectId),
    version,
  });
  const build = {
    version,
    node: process.version,
    engine: engines.default,
    isolation: isolation.mode,
    database: store.kind,
  };
  const { scripts } = pages;
  readAtScrape(metrics, {
    config,
    store,
    nodeId: node.id,
    capacity,
    pool,
    runners,
    scripts,
    jobs,
    http,
    build,
  });
  opened.defer(() => http.drain(config.shutdownGrace));
  const { host, port, url } = await http.listen();
  borders.listensAt({ host, port });
  // Not before it is known which addresses are the service's own.
  await webhooks.start();
  // Closed before anything else is drained: its pages go back in line while callers get their answers.
  opened.use(jobs.start());

  const closing = opened.move();
  let closed: Promise<void> | undefined;
  return {
    url,
    port,
    isolation,
    engine: engines.default,
    firstKey: access.firstKey,
    close: () => {
      closed ??= closing.disposeAsync();
      return closed;
    },
  };
}

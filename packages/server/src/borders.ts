/**
 * Where browsers and webhooks may go: as far as the operator allows, and never to the service's own addresses, which are
 * known when it listens, nor to its database, its bucket or the other nodes. In a cluster nothing goes anywhere while this node
 * may not act.
 */
import { blobsEndpoint } from './artifacts/artifacts.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { Config } from './config.ts';
import { Gate, openCeiling, openOutgoing, openOwnServices } from './egress/egress.ts';
import type { Store } from './store/records.ts';

interface BordersParts {
  config: Config;
  store: Store;
  node: Cluster;
  projectName(projectId: string): Promise<string>;
}

export async function openBorders({ config, store, node, projectName }: BordersParts) {
  using undo = new DisposableStack();
  const listeners: { host: string; port: number }[] = [];
  const services = [config.databaseUrl, blobsEndpoint(config)].filter((url) => typeof url === 'string');
  const ownServices = undo.use(
    await openOwnServices(() => [...services, ...membersAt(node, listeners.at(0)?.port)]),
  );
  const gate = node.alone ? undefined : undo.use(new Gate(node.lease));
  const ownListeners = () => [...listeners, ...ownServices.listeners()];
  const countProjects = () => store.projects.count();
  const ceiling = await openCeiling({
    allowed: config.privateAccess,
    host: config.host,
    countProjects,
    nameOf: projectName,
  });
  const outgoing = openOutgoing({
    allowed: config.webhookPrivateAccess,
    ownListeners,
    names: { servers: config.dnsServers },
    gate,
  });
  const closing = undo.move();
  return {
    ceiling,
    outgoing,
    gate,
    ownListeners,
    countProjects,
    /** The service listens there. */
    listensAt: (listener: { host: string; port: number }): void => void listeners.push(listener),
    [Symbol.dispose]: () => closing.dispose(),
  };
}

/** Where nodes reach each other, and the port at which they serve callers, which is the same on all of them. */
function membersAt(node: Cluster, publicPort: number | undefined): string[] {
  if (node.alone) return [];
  const addresses = node.members().flatMap(({ address }) => address ?? []);
  const hosts = addresses.map((address) => address.replace(/:\d+$/, ''));
  return [...addresses, ...(publicPort ? hosts.map((host) => `${host}:${publicPort}`) : [])].map(
    (place) => `cluster://${place}`,
  );
}

/** A service becomes a node, alone or one of several, and what the parts of the service need to know of that. */
import type { BrowsersOnNode, openBrowsers } from './browsers/browsers.ts';
import { type Cluster, joinCluster, turnsOf } from './cluster/cluster.ts';
import type { Config } from './config.ts';
import type { HttpParts } from './http/http.ts';
import type { Log } from './kit/log.ts';
import type { Turn } from './kit/turn.ts';
import type { Store } from './store/records.ts';

export interface JoiningParts {
  config: Config;
  store: Store;
  log: Log;
  version: string;
  /** It is one of several nodes from now on, as this boot. */
  onJoined?(bootId: string): void;
}

export async function joinNodes(
  parts: JoiningParts,
): Promise<{ node: Cluster; turn: Turn } & AsyncDisposable> {
  const { config, store, log, version, onJoined } = parts;
  await using opened = new AsyncDisposableStack();
  const node = opened.use(await joinCluster({ ...config, store, log, version }));
  if (!node.alone) onJoined?.(node.bootId);
  await store.sealing.join(node.id);
  const closing = opened.move();
  return { node, turn: turnsOf(node, store), [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** The other nodes see how much room there is here. */
export function reportLoad(
  node: Cluster,
  { capacity, pool }: Pick<Awaited<ReturnType<typeof openBrowsers>>, 'capacity' | 'pool'>,
): void {
  node.report(() => {
    const { used, max } = capacity.usage();
    return { used, capacity: max, warm: pool.size().warm };
  });
}

/** By which calls find their way to other nodes, where there are any. */
export function othersOf(
  node: Cluster,
  { clusterAddress: address }: Pick<Config, 'clusterAddress'>,
  browsers: Pick<BrowsersOnNode, 'runsHere' | 'room'>,
): HttpParts['others'] {
  if (node.alone || address === null) return undefined;
  return { cluster: node, address, runsHere: (id) => browsers.runsHere(id), room: () => browsers.room() };
}

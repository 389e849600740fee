/**
 * How a node of a cluster goes, before it is closed as one that is alone:
 *
 *   draining in the table, not ready for load balancers ──> browsers handed over, each between two calls
 *
 * Meanwhile it answers as before, and passes on what is not its own any more. What it cannot hand over, a stop stops.
 */
import type { BrowsersOnNode } from './browsers/browsers.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { HttpService } from './http/http.ts';
import type { Log } from './kit/log.ts';

export interface LeavingParts {
  node: Pick<Cluster, 'alone' | 'draining' | 'replaced'>;
  browsers: Pick<BrowsersOnNode, 'handOverAll' | 'endWaits'>;
  http: Pick<HttpService, 'announceDrain' | 'holdCalls'>;
  /** Time for calls under way, over all browsers. */
  graceMs: number;
  log: Log;
}

/** Goes when it is disposed. */
export function prepareLeaving({ node, browsers, http, graceMs, log }: LeavingParts): AsyncDisposable {
  if (node.alone) return { [Symbol.asyncDispose]: async () => undefined };
  let isGone = false;
  void node.replaced.then(() => {
    isGone = true;
  });

  return {
    async [Symbol.asyncDispose]() {
      http.announceDrain();
      // Declared gone, it has no browsers to hand over.
      if (!isGone) await handOver();
      browsers.endWaits();
    },
  };

  async function handOver(): Promise<void> {
    log.info('node.draining');
    await node.draining().catch((error: unknown) => log.warn({ err: error }, 'node.drain_unnoted'));
    const until = performance.now() + graceMs;
    await browsers.handOverAll({
      hold: (id) => http.holdCalls(id, Math.max(0, until - performance.now())),
      until,
    });
  }
}

/** Why its place is another's, once it is. */
export async function letGoWhenReplaced({
  node,
  browsers,
  http,
}: {
  node: Pick<Cluster, 'replaced'>;
  browsers: Pick<BrowsersOnNode, 'abandon'>;
  http: Pick<HttpService, 'letGo'>;
}): Promise<string> {
  const why = await node.replaced;
  // First the sockets: their clients are told to connect again, not that Chromium has crashed.
  void Promise.allSettled([http.letGo(), browsers.abandon()]);
  return why;
}

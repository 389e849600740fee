/**
 * How a node of a cluster goes, when it is stopped or an operator drains it from elsewhere:
 *
 *   draining in the table, not ready for load balancers ──> browsers handed over between two calls ──> (at a stop) as alone
 *
 * Meanwhile it answers as before, and passes on what is not its own any more. What it cannot hand over, a stop stops.
 */
import type { BrowsersOnNode } from './browsers/browsers.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { HttpService } from './http/http.ts';
import type { Log } from './kit/log.ts';

export interface LeavingParts {
  node: Pick<Cluster, 'alone' | 'bootId' | 'members' | 'draining' | 'replaced'>;
  browsers: Pick<BrowsersOnNode, 'handOverAll' | 'endWaits'>;
  http: Pick<HttpService, 'announceDrain' | 'holdCalls'>;
  /** Time for calls under way, over all browsers. */
  graceMs: number;
  log: Log;
}

/** The members are looked at with each sign of life; this only reads what was seen. */
const lookEveryMs = 500;

/** Goes when it is disposed, or when the table says that it should. */
export function prepareLeaving({ node, browsers, http, graceMs, log }: LeavingParts): AsyncDisposable {
  if (node.alone) return { [Symbol.asyncDispose]: async () => undefined };
  let begun: Promise<void> | undefined;
  let isGone = false;
  void node.replaced.then(() => {
    isGone = true;
  });

  const go = async (): Promise<void> => {
    http.announceDrain();
    log.info('node.draining');
    await node.draining().catch((error: unknown) => log.warn({ err: error }, 'node.drain_unnoted'));
    const until = performance.now() + graceMs;
    await browsers.handOverAll((id) => http.holdCalls(id, Math.max(0, until - performance.now())));
  };
  const look = setInterval(() => {
    const own = node.members().find(({ bootId }) => bootId === node.bootId);
    if (own?.state === 'draining') begun ??= go();
  }, lookEveryMs).unref();

  return {
    async [Symbol.asyncDispose]() {
      clearInterval(look);
      // Declared gone, it has no browsers to hand over.
      if (!isGone) await (begun ??= go());
      browsers.endWaits();
    },
  };
}

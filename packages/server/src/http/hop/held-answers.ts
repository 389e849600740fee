/**
 * What a node answers for a browser leaves it only while its lease is held. One that stood still may have lost the browser to
 * another node: what comes out of its Chromium and its runner is then of a life that is over, and its caller must not take it
 * for what happened.
 *
 *   answer ──lease held──> caller
 *      └── not held: it waits ──renewed──> caller
 *                       └── declared gone, or too late ──> NODE_LOST
 *
 * An error goes out as it is: it claims no effect.
 */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Cluster } from '../../cluster/cluster.ts';

export interface HeldAnswerParts {
  cluster: Pick<Cluster, 'lease' | 'replaced'>;
  patienceMs: number;
}

/** A renewal is not told where the lease was renewed before its end was noticed. */
const lookEveryMs = 50;

/** Resolves once the answer may go out; fails with `lost` when it may not. */
export async function whileHeld(
  { cluster, patienceMs }: HeldAnswerParts,
  { reply, payload }: { reply: FastifyReply; payload: unknown },
  lost: () => Error,
): Promise<void> {
  const { lease } = cluster;
  if (lease.held()) return;
  let isGone = false;
  const gone = cluster.replaced.then(() => {
    isGone = true;
  });
  const until = performance.now() + patienceMs;
  while (!lease.held()) {
    if (isGone || performance.now() > until || reply.raw.destroyed) {
      if (payload instanceof Readable) payload.destroy();
      throw lost();
    }
    await Promise.race([gone, sleep(lookEveryMs)]);
  }
}

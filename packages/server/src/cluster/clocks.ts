/**
 * Leases and turns go by the clock of the database, but the times that browsers have, such as when they expire, by those of the
 * nodes: these must be about the same.
 */
import type { Log } from '../kit/log.ts';
import { SetupError } from '../kit/setup-error.ts';
import type { Store } from '../store/records.ts';

const warnMs = 2000;
const refuseMs = 10_000;

/** How far this clock is ahead of the database's, at least: what the question took to travel may be any part of it. */
async function clockAhead(store: Store, wall: () => number = Date.now): Promise<number> {
  const asked = performance.now();
  const theirs = await store.nodes.clock();
  const travel = performance.now() - asked;
  const ahead = wall() - travel / 2 - theirs;
  return Math.sign(ahead) * Math.max(0, Math.abs(ahead) - travel / 2);
}

export async function compareClocks(
  { store, log }: { store: Store; log: Log },
  wall?: () => number,
): Promise<void> {
  const ahead = await clockAhead(store, wall);
  const seconds = (Math.abs(ahead) / 1000).toFixed(1);
  const way = ahead > 0 ? 'ahead of' : 'behind';
  if (Math.abs(ahead) > refuseMs)
    throw new SetupError(
      `The clock of this machine is ${seconds} s ${way} that of the database. Nodes of a cluster must agree on the time: set the clock right (NTP, chrony), on this machine or on the database's, and start again.`,
    );
  if (Math.abs(ahead) > warnMs) log.warn({ aheadMs: Math.round(ahead) }, 'clock.differs');
}

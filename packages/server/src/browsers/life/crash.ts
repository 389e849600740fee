/** A Chromium that ended although it was not meant to: its browser gets another, unless what it has on the disk is why. */
import type { Running } from '../running/running.ts';
import type { TransitionParts } from './transition-parts.ts';
import { giveUp, recover } from './transitions.ts';

export interface CrashParts {
  parts: TransitionParts;
  /** The service stops: its browsers come back with the next start. */
  isStopping(): boolean;
  /** A start that closing the browser, or the shutdown, cuts short. */
  cancellable(browserId: string, work: (signal: AbortSignal) => Promise<unknown>): Promise<unknown>;
}

/** The caller holds the browser's turn. */
export async function afterCrash(
  { parts, isStopping, cancellable }: CrashParts,
  crashed: Running,
): Promise<void> {
  const { id, epoch, live } = crashed;
  if (parts.running.get(id) !== crashed) return;
  parts.running.delete(id);
  using slot = crashed.slot.move();
  await crashed[Symbol.asyncDispose]();
  await parts.hars.keepWhole(crashed);
  const { code, signal: killedBy } = await live.exited;
  const { fault } = live.chromium;
  const why = fault
    ? `Chromium was ended, because ${fault}`
    : `Chromium ended unexpectedly (${killedBy ?? `exit code ${code}`})`;
  const record = await parts.store.browsers.get(id);
  // In another epoch it is another node's, which has begun it anew.
  if (record?.epoch !== epoch || isStopping()) return;
  parts.log.warn({ browserId: id, why }, 'browser.crashed');
  if (live.givenUp) await giveUp(parts, record, why);
  else await cancellable(id, (signal) => recover(parts, record, slot.move(), why, signal));
}

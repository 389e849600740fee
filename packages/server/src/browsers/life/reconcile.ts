/**
 * Brings the records that this boot holds and the Chromiums that run here to one. They differ after a crash at the wrong
 * moment, while the database was away, and when a database that failed over has forgotten the last change.
 */
import type { KeyedMutex } from '../../kit/mutex.ts';
import type { BrowserRecord } from '../../store/records.ts';
import type { Running } from '../running/running.ts';
import type { Expiries } from './timers.ts';
import type { TransitionParts } from './transition-parts.ts';

export interface ReconcileParts {
  parts: TransitionParts;
  /** Held while a browser is changed. */
  turn: KeyedMutex;
  expiries: Expiries;
  /** Whether its start is on its way. */
  isUnderWay(browserId: string): boolean;
  /** Finishes what their records say. */
  settleAll(records: readonly Pick<BrowserRecord, 'id'>[], why: string): Promise<void>;
}

export async function reconcile(reconciling: ReconcileParts): Promise<void> {
  const { parts, isUnderWay, settleAll } = reconciling;
  const runningBefore = [...parts.running.values()];
  const held = await parts.store.placement.ofHolder(parts.bootId);
  const epochs = new Map(held.map(({ id, epoch }) => [id, epoch]));
  const unknown = runningBefore.filter(({ id, epoch }) => epochs.get(id) !== epoch);
  await Promise.all(unknown.map((running) => forsake(reconciling, running)));
  const lost = held.filter(({ id }) => !parts.running.has(id) && !isUnderWay(id));
  await settleAll(lost, 'its Chromium was gone');
}

/** The database knows nothing of this Chromium, or knows a later one: it must not go on. */
function forsake({ parts, turn, expiries }: ReconcileParts, running: Running): Promise<void> {
  const { id, epoch } = running;
  return turn.run(id, async () => {
    const record = await parts.store.browsers.get(id);
    const isOurs = record?.holder === parts.bootId && record.epoch === epoch;
    if (isOurs || parts.running.get(id) !== running) return;
    parts.log.warn({ browserId: id, epoch, now: record?.epoch }, 'browser.not_ours');
    parts.running.delete(id);
    expiries.clear(id);
    await using ending = running;
    ending.leave();
    ending.checkpoints.stop();
    await ending.live.discard();
  });
}

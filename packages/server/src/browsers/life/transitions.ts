/**
 * The moves of a browser's life. Each runs alone for its browser (the caller holds the browser's turn), and
 * each leaves a record that is right whatever fails on the way: `settle` finishes what was cut short.
 *
 * A slot that is passed in belongs to the callee from the call on.
 */
import { ApiError } from '../../errors.ts';
import { Mutex } from '../../kit/mutex.ts';
import type { BrowserRecord } from '../../store/records.ts';
import { leaveProfile, saveAlways, saveProfile } from '../profile/profile.ts';
import { changeStatus, insist, isOccupying, type Slot, take } from '../record/record.ts';
import { run } from '../running/running.ts';
import { ProfileAwayError } from '../vault/vault.ts';
import { end, finishStop } from './endings.ts';
import { type Started, startAgain, startNew } from './start.ts';
import { notReady, type TransitionParts } from './transition-parts.ts';

const mostRecoveries = 5;
const mostDeaths = 2;

/** A Chromium that has come up becomes the running browser of its record, which owns the slot from here on. */
const enter = async (
  parts: TransitionParts,
  { record, live, saved }: Started,
  slot: Slot,
  { how, began }: { how: 'create' | 'resume' | 'recovery'; began: number },
): Promise<BrowserRecord> => {
  const running = run({ ...parts, onCheckpoint: () => checkpointed() }, record, live, slot, saved);
  const checkpointed = saveAlways(parts, record, running.left);
  parts.running.set(record.id, running);
  parts.vault?.follow(running, record);
  parts.onStarted?.({ how, warm: live.upSince <= began, ms: performance.now() - began });
  void running.checkpoints.save().catch(() => undefined);
  await parts.recordings.entered(running, record);
  return record;
};

const fail = async (parts: TransitionParts, record: BrowserRecord, error: unknown): Promise<void> => {
  const reason = error instanceof ApiError ? error.message : 'an internal fault; the log has it';
  if (error instanceof ApiError)
    parts.log.warn({ browserId: record.id, code: error.code, reason }, 'browser.failed');
  else parts.log.error({ browserId: record.id, err: error }, 'browser.failed');
  // Its folder may be why it failed: what was saved of it goes over the files of the version before.
  await saveProfile(parts, record, {});
  await leaveProfile(parts, record);
  await insist(() =>
    changeStatus(parts.store, record, 'failed', { statusReason: reason }, { data: { reason } }),
  );
};

/** creating → ready, or failed; closed when there was no room for it in time: nothing of it has failed. */
export async function bringUp(
  parts: TransitionParts,
  record: BrowserRecord,
  waitForSlot: Promise<Slot>,
  signal: AbortSignal,
): Promise<BrowserRecord> {
  try {
    using slot = await waitForSlot;
    const began = performance.now();
    return await enter(parts, await startNew(parts, record, signal), slot.move(), { how: 'create', began });
  } catch (error) {
    if (signal.aborted) throw error;
    const noRoom = error instanceof ApiError && error.code === 'CAPACITY_EXHAUSTED';
    if (noRoom) await leaveQueue(parts, record, error);
    else await fail(parts, record, error);
    throw error;
  } finally {
    parts.starting.delete(record.id);
  }
}

/** The caller has its answer whatever comes of this; a database that is away leaves the rest to `settle`. */
const leaveQueue = async (parts: TransitionParts, record: BrowserRecord, why: ApiError): Promise<void> => {
  await end(parts, record, `no room in time: ${why.message}`).catch((error: unknown) =>
    parts.log.warn({ err: error, browserId: record.id }, 'browser.queue_not_left'),
  );
};

/** resuming or recovering → ready, or failed. */
export async function bringBack(
  parts: TransitionParts,
  record: BrowserRecord,
  given: Slot,
  signal: AbortSignal,
): Promise<BrowserRecord> {
  const how = record.status === 'resuming' ? 'resume' : 'recovery';
  const began = performance.now();
  try {
    using slot = given;
    refuseWithoutProgress(record);
    await parts.beforeReturn?.();
    return await enter(parts, await startAgain(parts, record, how, signal), slot.move(), { how, began });
  } catch (error) {
    if (error instanceof ProfileAwayError) await stayStopped(parts, record, error);
    else if (!signal.aborted) await fail(parts, record, error);
    throw error;
  } finally {
    parts.starting.delete(record.id);
  }
}

/** resuming → stopped: it is as it was before it was asked to come back. */
const stayStopped = async (parts: TransitionParts, record: BrowserRecord, error: ApiError): Promise<void> => {
  const { stoppedAt } = record;
  const reason = error.message;
  parts.log.warn({ err: error, browserId: record.id }, 'browser.stays_stopped');
  await insist(() =>
    changeStatus(parts.store, record, 'stopped', { stoppedAt, statusReason: reason }, { data: { reason } }),
  );
};

function refuseWithoutProgress({ recoveries, serviceDeaths, statusReason }: BrowserRecord): void {
  if (serviceDeaths > mostDeaths)
    throw new ApiError(
      'BROWSER_CRASHED',
      `The service died ${serviceDeaths} times while this browser was up, so it may be why. Create a new one.`,
    );
  if (recoveries <= mostRecoveries) return;
  const reason = `Chromium ended ${recoveries} times in a row without progress (last: ${statusReason})`;
  throw new ApiError('BROWSER_CRASHED', reason);
}

/** ready → recovering → ready, or failed when it crashes again and again. */
export async function recover(
  parts: TransitionParts,
  record: BrowserRecord,
  given: Slot,
  why: string,
  signal: AbortSignal,
): Promise<BrowserRecord> {
  using slot = given;
  const again = { epoch: record.epoch + 1, recoveries: record.recoveries + 1, statusReason: why };
  // A service that was killed while it recovered finds the browser recovering already.
  const recovering =
    record.status === 'recovering'
      ? await parts.store.browsers.change(record.id, { status: 'recovering', epoch: record.epoch }, again)
      : await changeStatus(parts.store, record, 'recovering', again, { data: { reason: why } });
  if (!recovering) throw notReady((await parts.store.browsers.get(record.id)) ?? record);
  return await bringBack(parts, recovering, slot.move(), signal);
}

/** ready → recovering → failed. What it has on the disk is why, so that is removed at once. */
export async function giveUp(parts: TransitionParts, record: BrowserRecord, why: string): Promise<void> {
  const recovering = await changeStatus(
    parts.store,
    record,
    'recovering',
    { epoch: record.epoch + 1, statusReason: why },
    { data: { reason: why } },
  );
  await parts.profiles.forget(record.id);
  if (recovering) await fail(parts, recovering, new ApiError('QUOTA_EXCEEDED', why));
}

/**
 * A record whose status says that something is under way, while nothing is: the service was killed, or the
 * database was away at the wrong moment. Finishes it.
 */
export async function settle(
  parts: TransitionParts,
  found: BrowserRecord,
  why: string,
  signal: AbortSignal,
): Promise<void> {
  if (parts.running.has(found.id) || !isOccupying(found.status)) return;
  // Another node finishes it, or will claim it.
  if (!parts.alone && found.holder !== parts.bootId) return;
  const record = await take(parts.store, found, parts);
  if (!record) return;
  const slot = () => parts.capacity.takeBack(record.projectId);
  if (record.status === 'creating') await bringUp(parts, record, Promise.resolve(slot()), signal);
  else if (record.status === 'resuming') await bringBack(parts, record, slot(), signal);
  else if (record.status === 'ready' || record.status === 'recovering')
    await recover(parts, record, slot(), why, signal);
  else if (record.status === 'stopping') await finishStop(parts, record);
  else if (record.status === 'closing') await end(parts, record, record.statusReason);
}

/** At most so many at once, in order. */
export async function eachOf<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const lanes = Array.from({ length: atOnce }, () => new Mutex());
  await Promise.all(items.map((item, index) => lanes[index % atOnce]?.run(() => work(item))));
}

/**
 * The moves of a browser's life. Each runs alone for its browser (the caller holds the browser's turn), and
 * each leaves a record that is right whatever fails on the way: `settle` finishes what was cut short.
 *
 * A slot that is passed in belongs to the callee from the call on.
 */
import { ApiError } from '../../errors.ts';
import { Mutex } from '../../kit/mutex.ts';
import type { BrowserRecord } from '../../store/records.ts';
import {
  type BrowserStatus,
  type Capacity,
  changeStatus,
  insist,
  nextStepOf,
  type Slot,
} from '../record/record.ts';
import type { ClosedBrowser } from '../record/schema.ts';
import type { Recordings } from '../recordings/recordings.ts';
import { type Running, type RunningParts, run } from '../running/running.ts';
import { type Started, type StartParts, startAgain, startNew } from './start.ts';

export interface TransitionParts extends StartParts, Omit<RunningParts, 'onCrash' | 'onIdle'> {
  capacity: Capacity;
  recordings: Recordings;
  running: Map<string, Running>;
  onCrash(running: Running): void;
  onIdle(running: Running): void;
  /** A browser is ready: how it came to be, on a Chromium that was up before it was asked for or not, and after how long. */
  onStarted?(start: { how: 'create' | 'resume' | 'recovery'; warm: boolean; ms: number }): void;
}

const quitMs = 5000;
const mostRecoveries = 5;
const mostDeaths = 2;

/** Nothing can be asked of it any more. */
export const isOver = ({ status }: BrowserRecord): boolean => over.includes(status);
export const over: readonly string[] = ['closing', 'closed', 'failed'];

export function notReady(record: BrowserRecord): ApiError {
  const status = record.status as BrowserStatus;
  const nextStep = nextStepOf(status);
  const remedy = {
    wait: 'Wait until it is ready.',
    resume_browser: `Resume it first: POST /v1/browsers/${record.id}/resume.`,
    create_browser: 'Create a new one.',
  }[nextStep];
  return new ApiError('BROWSER_NOT_READY', `Browser ${record.id} is ${status}. ${remedy}`, {
    nextStep,
    details: { status, statusReason: record.statusReason ?? undefined },
  });
}

/** A Chromium that has come up becomes the running browser of its record, which owns the slot from here on. */
const enter = async (
  parts: TransitionParts,
  { record, live, saved }: Started,
  slot: Slot,
  { how, began }: { how: 'create' | 'resume' | 'recovery'; began: number },
): Promise<BrowserRecord> => {
  const running = run(parts, record, live, slot, saved);
  parts.running.set(record.id, running);
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
    return await enter(parts, await startAgain(parts, record, how, signal), slot.move(), { how, began });
  } catch (error) {
    if (!signal.aborted) await fail(parts, record, error);
    throw error;
  } finally {
    parts.starting.delete(record.id);
  }
}

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

/** ready → stopping → stopped. No process is left; the state is saved. */
export async function halt(
  parts: TransitionParts,
  record: BrowserRecord,
  running: Running,
  reason: string | null,
): Promise<BrowserRecord> {
  const stopping = await changeStatus(parts.store, record, 'stopping', { statusReason: reason });
  if (!stopping) throw notReady((await parts.store.browsers.get(record.id)) ?? record);
  parts.running.delete(record.id);
  await quit(parts, running);
  const tabs = running.checkpoints.last?.tabs.length ?? record.tabs;
  return finishStop(parts, stopping, { tabs, lastActionAt: running.lastActionAt });
}

/** Its state is saved and its slot is free when it returns. */
async function quit(parts: TransitionParts, running: Running): Promise<void> {
  await using leaving = running;
  leaving.leave();
  await parts.recordings.finish(running.id);
  await running.checkpoints
    .save()
    .catch((error) => parts.log.warn({ err: error, browserId: running.id }, 'stop.save_failed'));
  await running.live.quit(quitMs);
}

/** The folder is kept in the data folder; where that fails (a full disk), it is kept where it is. */
async function finishStop(
  parts: TransitionParts,
  record: BrowserRecord,
  patch: { tabs?: number; lastActionAt?: number } = {},
): Promise<BrowserRecord> {
  const folder = await parts.profiles.reclaim(record.id);
  if (folder)
    await parts.profiles
      .keep(folder, record.id)
      .catch((error) => parts.log.error({ err: error, browserId: record.id }, 'stop.keep_failed'));
  const stopped = await insist(() =>
    changeStatus(parts.store, record, 'stopped', {
      ...patch,
      stoppedAt: Date.now(),
      statusReason: record.statusReason,
    }),
  );
  return stopped ?? record;
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

/** Any status but closed → closing → closed. When it returns, no process and no file of the browser is left. */
export async function end(
  parts: TransitionParts,
  record: BrowserRecord,
  reason: string | null,
): Promise<ClosedBrowser> {
  const began = performance.now();
  const running = parts.running.get(record.id);
  const closing =
    record.status === 'closing'
      ? record
      : await changeStatus(parts.store, record, 'closing', { statusReason: reason });
  if (!closing) throw notReady((await parts.store.browsers.get(record.id)) ?? record);
  parts.running.delete(record.id);
  const ended = await discard(parts, record.id, running);
  const leftBytes = await parts.profiles.forget(record.id);
  await parts.store.checkpoints.remove(record.id);
  const receipt = {
    processesEnded: ended?.processesEnded ?? 0,
    bytesFreed: (ended?.bytesFreed ?? 0) + leftBytes,
    recordings: await parts.recordings.count({ projectId: record.projectId, browserId: record.id }),
    durationMs: Math.round(performance.now() - began),
  };
  const closed = await insist(() =>
    changeStatus(
      parts.store,
      closing,
      'closed',
      { closedAt: Date.now(), tabs: 0, receipt, statusReason: closing.statusReason },
      { data: { receipt } },
    ),
  );
  return closedView(closed ?? { ...closing, closedAt: Date.now(), receipt });
}

/** Its slot is free when it returns. */
async function discard(parts: TransitionParts, id: string, running: Running | undefined) {
  await using leaving = running;
  leaving?.leave();
  await parts.recordings.finish(id);
  return await leaving?.live.discard();
}

export const closedView = (record: BrowserRecord): ClosedBrowser => ({
  id: record.id,
  status: 'closed',
  closedAt: new Date(record.closedAt ?? 0).toISOString(),
  receipt: record.receipt as ClosedBrowser['receipt'],
});

/**
 * A record whose status says that something is under way, while nothing is: the service was killed, or the
 * database was away at the wrong moment. Finishes it.
 */
export async function settle(
  parts: TransitionParts,
  record: BrowserRecord,
  why: string,
  signal: AbortSignal,
): Promise<void> {
  if (parts.running.has(record.id)) return;
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

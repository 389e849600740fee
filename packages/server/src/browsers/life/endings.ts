/**
 * The moves by which a browser's Chromium ends as it was meant to: stopped with its state kept, or closed with nothing left.
 * Before either, its state goes into the profile that it writes.
 */
import type { BrowserRecord } from '../../store/records.ts';
import { type Ended, leaveProfile, saveProfile, writes } from '../profile/profile.ts';
import { changeStatus, insist, isElsewhere, take } from '../record/record.ts';
import type { ClosedBrowser } from '../record/schema.ts';
import type { Running } from '../running/running.ts';
import type { Kept } from '../vault/vault.ts';
import { ElsewhereError, movedOn, notReady, type TransitionParts } from './transition-parts.ts';

const quitMs = 5000;

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
  const endedWell = await quit(parts, running);
  const tabs = running.checkpoints.last?.tabs.length ?? record.tabs;
  return finishStop(parts, stopping, { tabs, lastActionAt: running.lastActionAt }, endedWell);
}

/** Its state is saved and its slot is free when it returns: whether Chromium ended by itself, with everything written. */
export async function quit(parts: TransitionParts, running: Running, why?: 'moved'): Promise<boolean> {
  await using leaving = running;
  leaving.leave(why);
  await parts.recordings.finish(running.id);
  await parts.hars.keepWhole(running);
  await running.checkpoints
    .save()
    .catch((error) => parts.log.warn({ err: error, browserId: running.id }, 'stop.save_failed'));
  await running.live.quit(quitMs);
  const { code } = await running.live.exited;
  return code === 0;
}

/** The folder is kept in the data folder; where that fails (a full disk), it is kept where it is. */
export async function keepFolder({ profiles, log }: TransitionParts, { id }: BrowserRecord): Promise<void> {
  const folder = await profiles.reclaim(id);
  if (!folder) return;
  await profiles
    .keep(folder, id)
    .catch((error) => log.error({ err: error, browserId: id }, 'stop.keep_failed'));
}

/** stopping → stopped, once its Chromium has ended. */
export async function finishStop(
  parts: TransitionParts,
  record: BrowserRecord,
  patch: { tabs?: number; lastActionAt?: number } = {},
  endedWell = false,
): Promise<BrowserRecord> {
  await keepFolder(parts, record);
  await saveFrom(parts, record, { endedWell });
  const stoppedAt = Date.now();
  const kept = await parts.vault?.keepEnded(record, stoppedAt);
  return noteStopped(parts, record, { ...patch, stoppedAt }, kept);
}

/** The last step to `stopped`: its folder is where it stays, and `kept` says what other nodes have of it. */
export async function noteStopped(
  parts: TransitionParts,
  record: BrowserRecord,
  patch: { stoppedAt: number; tabs?: number; lastActionAt?: number },
  kept: Kept | undefined,
): Promise<BrowserRecord> {
  const told = kept === 'follows' ? { data: { reason: onItsMachineAlone(parts.nodeId) } } : {};
  const { statusReason } = record;
  const stopped = await insist(() =>
    changeStatus(parts.store, record, 'stopped', { ...patch, statusReason }, told),
  );
  return stopped ?? record;
}

const onItsMachineAlone = (nodeId: string): string =>
  `its profile is on node ${nodeId} alone until the shared storage can be written: resumed elsewhere while that node is away, it begins with an older one`;

/** Into the profile that it writes, from its folder, wherever that is. */
export async function saveFrom(parts: TransitionParts, record: BrowserRecord, { endedWell }: Ended) {
  const folder = writes(record) && (await parts.profiles.find(record.id));
  return saveProfile(parts, record, folder ? { folder, endedWell } : {});
}

/** Any status but closed → closing → closed. When it returns, no process and no file of the browser is left. */
export async function end(
  parts: TransitionParts,
  record: BrowserRecord,
  reason: string | null,
): Promise<ClosedBrowser> {
  const began = performance.now();
  if (isElsewhere(record, parts)) throw new ElsewhereError(record);
  const running = parts.running.get(record.id);
  const closing =
    record.status === 'closing'
      ? await take(parts.store, record, parts)
      : await changeStatus(parts.store, record, 'closing', { statusReason: reason }, {}, parts);
  if (!closing) {
    const now = (await parts.store.browsers.get(record.id)) ?? record;
    if (now.status !== 'closed') throw movedOn(now, parts);
    return closedView(now);
  }
  parts.running.delete(record.id);
  const profile = await saveAtEnd(parts, record, running);
  const ended = await discard(parts, record.id, running);
  const leftBytes = await parts.profiles.forget(record.id);
  await parts.store.checkpoints.remove(record.id);
  await parts.vault?.forget(closing);
  await leaveProfile(parts, record);
  const receipt = {
    processesEnded: ended?.processesEnded ?? 0,
    bytesFreed: (ended?.bytesFreed ?? 0) + leftBytes,
    recordings: await parts.recordings.count({ projectId: record.projectId, browserId: record.id }),
    durationMs: Math.round(performance.now() - began),
    ...(profile && { profile }),
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

/** One that failed has left its profile already. */
async function saveAtEnd(parts: TransitionParts, record: BrowserRecord, running: Running | undefined) {
  if (!writes(record) || record.status === 'failed') return undefined;
  const endedWell = running ? await quit(parts, running) : record.status === 'stopped';
  return saveFrom(parts, record, { endedWell });
}

/** Its slot is free when it returns. */
async function discard(parts: TransitionParts, id: string, running: Running | undefined) {
  await using leaving = running;
  leaving?.leave();
  // Nothing of it is kept, so one that is being written may fail.
  leaving?.checkpoints.stop();
  await parts.recordings.finish(id);
  if (leaving) await parts.hars.keepWhole(leaving);
  return await leaving?.live.discard();
}

export const closedView = (record: BrowserRecord): ClosedBrowser => ({
  id: record.id,
  status: 'closed',
  closedAt: new Date(record.closedAt ?? 0).toISOString(),
  receipt: record.receipt as ClosedBrowser['receipt'],
});

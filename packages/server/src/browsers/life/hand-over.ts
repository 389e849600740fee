/**
 * A browser goes to another node, because this one is being replaced: its state is saved as at a stop, and its record waits
 * for a holder, as after a crash. To its owner it is `recovering` for the time that another node takes to bring it up; it is
 * not counted among its recoveries.
 *
 *   ready ──> recovering, held here ──> Chromium ended, profile in the vault ──> held by none ──claimed──> ready elsewhere
 *
 * A storage that went away meanwhile leaves its newest profile on this disk alone. Another node would go on with an older one,
 * so the browser is stopped instead: nothing of it is lost, and its owner decides when it goes on.
 *
 * Cut short anywhere, what is left is a browser that this boot holds, and that is taken from it when it is gone.
 */
import type { BrowserRecord } from '../../store/records.ts';
import { changeStatus, insist } from '../record/record.ts';
import type { Running } from '../running/running.ts';
import { keepFolder, noteStopped, quit, saveFrom } from './endings.ts';
import { notReady, type TransitionParts } from './transition-parts.ts';

const reason = 'its machine is being replaced';
/** This machine does not come back for it: any node may claim it at once, unless its Chromium is too old for the profile. */
const noHeadStartMs = 2000;

/** Nothing of it runs here when it returns. Its profile has until that moment of `performance.now()` to be put. */
export async function handOver(
  parts: TransitionParts,
  record: BrowserRecord,
  running: Running,
  until: number,
): Promise<void> {
  const { store, bootId: holder } = parts;
  const told = { data: { reason } };
  const leaving = await changeStatus(store, record, 'recovering', { statusReason: reason }, told);
  if (!leaving) throw notReady((await store.browsers.get(record.id)) ?? record);
  parts.running.delete(record.id);
  const endedWell = await quit(parts, running, 'moved');
  const tabs = running.checkpoints.last?.tabs.length ?? record.tabs;
  const { lastActionAt } = running;
  const at = Date.now();
  await keepFolder(parts, leaving);
  const kept = await parts.vault?.keepEnded(leaving, at, until);
  if (kept === 'follows') {
    await saveFrom(parts, leaving, { endedWell });
    await noteStopped(parts, leaving, { stoppedAt: at, tabs, lastActionAt }, kept);
    return;
  }
  const { id, epoch } = leaving;
  await insist(async () => {
    const queuedAt = (await store.nodes.clock()) - noHeadStartMs;
    const free = { holder: null, epoch: epoch + 1, queuedAt, stoppedAt: at, tabs, lastActionAt };
    return store.browsers.change(id, { status: 'recovering', epoch, holder }, free);
  });
}

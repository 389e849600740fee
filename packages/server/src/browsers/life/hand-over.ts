/**
 * A browser goes to another node, because this one is being replaced: its state is saved as at a stop, and its record waits
 * for a holder, as after a crash. To its owner it is `recovering` for the time that another node takes to bring it up; it is
 * not counted among its recoveries.
 *
 *   ready ──> recovering, held here ──> Chromium ended, profile in the vault ──> held by none ──claimed──> ready elsewhere
 *
 * Cut short anywhere, what is left is a browser that this boot holds, and that is taken from it when it is gone.
 */
import type { BrowserRecord } from '../../store/records.ts';
import { changeStatus, insist } from '../record/record.ts';
import type { Running } from '../running/running.ts';
import { keepFolder, quit } from './endings.ts';
import { notReady, type TransitionParts } from './transition-parts.ts';

const reason = 'its machine is being replaced';
/** This machine does not come back for it: any node may claim it at once. */
const noHeadStartMs = 60_000;

/** Nothing of it runs here when it returns. */
export async function handOver(
  parts: TransitionParts,
  record: BrowserRecord,
  running: Running,
): Promise<void> {
  const { store, bootId: holder } = parts;
  const told = { data: { reason } };
  const leaving = await changeStatus(store, record, 'recovering', { statusReason: reason }, told);
  if (!leaving) throw notReady((await store.browsers.get(record.id)) ?? record);
  parts.running.delete(record.id);
  await quit(parts, running, 'moved');
  const tabs = running.checkpoints.last?.tabs.length ?? record.tabs;
  const { lastActionAt } = running;
  const at = Date.now();
  await keepFolder(parts, leaving);
  await parts.vault?.keepEnded(leaving, at);
  const { id, epoch } = leaving;
  await insist(async () => {
    const queuedAt = (await store.nodes.clock()) - noHeadStartMs;
    const free = { holder: null, epoch: epoch + 1, queuedAt, stoppedAt: at, tabs, lastActionAt };
    return store.browsers.change(id, { status: 'recovering', epoch, holder }, free);
  });
}

/**
 * Browsers that the last run of the service left ready have no Chromium: no caller may see them as ready until they have one.
 * That run died, and any of them may be why: it is counted, so that one bad page cannot bring the service down for ever.
 */
import type { BrowserRecord } from '../../store/records.ts';
import { changeStatus } from '../record/record.ts';
import type { TransitionParts } from './transition-parts.ts';
import { eachOf } from './transitions.ts';

const marksAtOnce = 8;

export async function markSuspect(
  parts: TransitionParts,
  held: readonly BrowserRecord[],
  reason: string,
): Promise<void> {
  const { store } = parts;
  const up = held.filter(({ status }) => status === 'ready' || status === 'recovering');
  await eachOf(up, marksAtOnce, async (record) => {
    const { id, status, epoch } = record;
    const serviceDeaths = record.serviceDeaths + 1;
    if (status === 'recovering') {
      await store.browsers.change(id, { status, epoch }, { serviceDeaths });
      return;
    }
    const change = { statusReason: reason, serviceDeaths };
    await changeStatus(store, record, 'recovering', change, { data: { reason } }, parts);
  });
}

/** The one way in which a record's status changes: a compare-and-set with its event in the same transaction. */
import type { EventType } from '../../events/events.ts';
import type { BrowserRecord, NewEvent, Store } from '../../store/records.ts';
import { type BrowserStatus, waysInto } from './lifecycle.ts';

export type Patch = Partial<Omit<BrowserRecord, 'id' | 'projectId' | 'createdAt' | 'status'>>;

export const eventOf = (
  record: Pick<BrowserRecord, 'id' | 'projectId'>,
  type: EventType,
  data: Record<string, unknown> = {},
): NewEvent & { type: EventType } => ({
  projectId: record.projectId,
  browserId: record.id,
  type,
  at: Date.now(),
  data,
});

/** A browser in one of these needs no boot: any node may take it up from there. */
const givesUpHolder = (status: BrowserStatus): boolean =>
  status === 'stopped' || status === 'failed' || status === 'closed';

/**
 * The only way a status changes: from a status that may become it, in the epoch the caller saw, with its
 * event in the same transaction. Undefined means that the browser has moved on meanwhile.
 */
export function changeStatus(
  store: Store,
  record: BrowserRecord,
  to: Exclude<BrowserStatus, 'creating'>,
  patch: Patch = {},
  event: { type?: EventType; data?: Record<string, unknown> } = {},
): Promise<BrowserRecord | undefined> {
  return store.browsers.change(
    record.id,
    { status: waysInto(to), epoch: record.epoch },
    { statusReason: null, ...patch, ...(givesUpHolder(to) && { holder: null }), status: to },
    [eventOf(record, event.type ?? `browser.${to}`, { ...event.data, epoch: patch.epoch ?? record.epoch })],
  );
}

/**
 * The one way in which a record's status changes: a compare-and-set with its event in the same transaction.
 *
 * With the status goes the holder, the boot that may run the browser: whatever has no Chromium any more has none, and what has
 * none is taken by the boot that begins something with it. The epoch of such a browser stays: the boot that gave it up has
 * nothing of it left. Where a boot is declared gone, the store raises the epoch, and nothing late of that boot counts.
 */
import type { EventType } from '../../events/events.ts';
import type { BrowserRecord, Expected, NewEvent, Store } from '../../store/records.ts';
import { type BrowserStatus, waysInto } from './lifecycle.ts';

/** This boot, as one that holds browsers. */
export interface Here {
  nodeId: string;
  bootId: string;
  /** No other node could hold a browser, or declare this one gone. */
  alone: boolean;
}

const withoutHolder: readonly BrowserStatus[] = ['stopped', 'failed', 'closed'];

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

/**
 * The only way a status changes: from a status that may become it, in the epoch the caller saw, with its
 * event in the same transaction. Undefined means that the browser has moved on meanwhile. `takenBy` makes that boot its
 * holder; `expected` is what else must hold.
 */
export function changeStatus(
  store: Store,
  record: BrowserRecord,
  to: Exclude<BrowserStatus, 'creating'>,
  patch: Patch = {},
  event: { type?: EventType; data?: Record<string, unknown> } = {},
  takenBy?: Here,
  expected: Expected = {},
): Promise<BrowserRecord | undefined> {
  return store.browsers.change(
    record.id,
    { ...expected, status: waysInto(to), epoch: record.epoch, ...(takenBy && takes(record, takenBy)) },
    { statusReason: null, ...holderOf(record, to, takenBy), ...patch, status: to },
    [eventOf(record, event.type ?? `browser.${to}`, { ...event.data, epoch: patch.epoch ?? record.epoch })],
  );
}

function holderOf({ holder }: BrowserRecord, to: BrowserStatus, takenBy: Here | undefined): Patch {
  if (withoutHolder.includes(to)) return { holder: null };
  return takenBy && takenBy.bootId !== holder ? { holder: takenBy.bootId, queuedAt: null } : {};
}

/** That no other boot has taken it meanwhile. */
const takes = ({ holder }: BrowserRecord, { alone }: Here): Expected => (alone ? {} : { holder });

/** Another node runs it, or is about to; it alone may change it. */
export const isElsewhere = ({ holder }: BrowserRecord, { bootId, alone }: Here): boolean =>
  !alone && holder !== null && holder !== bootId;

/** This boot is its holder from now on. Undefined: another was first. */
export function take(store: Store, record: BrowserRecord, here: Here): Promise<BrowserRecord | undefined> {
  if (record.holder === here.bootId) return Promise.resolve(record);
  const { status, epoch } = record;
  const expected = { status, epoch, ...takes(record, here) };
  return store.browsers.change(record.id, expected, { holder: here.bootId, queuedAt: null });
}

/** Pages of what has happened. A place is the number of an event, which never changes. */
import { ApiError } from '../errors.ts';
import { invalidCursor } from '../kit/cursor.ts';
import { isId } from '../kit/id.ts';
import { firstPage, type ListPage, type PageQuery } from '../kit/page-of-list.ts';
import type { Store } from '../store/records.ts';
import { typesOf } from './event-types.ts';
import { eventView } from './event-view.ts';
import type { BrowserEvent } from './schema.ts';

export interface EventListQuery extends PageQuery {
  browserId?: string;
  type?: readonly string[];
  order: 'asc' | 'desc';
  lastEventId?: string;
}

export type EventPage = ListPage<BrowserEvent>;

const encode = (order: string, seq: number): string => Buffer.from(`${order} ${seq}`).toString('base64url');

function decode(cursor: string, order: string): number {
  const [, forOrder, seq] = /^(asc|desc) (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (forOrder !== order) throw invalidCursor();
  return Number(seq);
}

export async function listEvents(store: Store, projectId: string, query: EventListQuery): Promise<EventPage> {
  const { browserId, order, limit } = query;
  const newestFirst = order === 'desc';
  const seq = query.cursor === undefined ? undefined : decode(query.cursor, order);
  const since = await placeOf(store, projectId, query.lastEventId);
  const found = await store.events.list({
    projectId,
    browserId,
    types: typesOf(query.type),
    afterSeq: newestFirst ? since : (seq ?? since),
    beforeSeq: newestFirst ? seq : undefined,
    newestFirst,
    limit: limit + 1,
  });
  return firstPage(found, limit, (last) => encode(order, last.seq), eventView);
}

/** The number behind what a client remembers as the last event it saw; it may be the number itself. */
export async function placeOf(
  store: Store,
  projectId: string,
  lastEventId: string | undefined,
): Promise<number | undefined> {
  if (!lastEventId) return undefined;
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
  const seq = isId('event', lastEventId) ? await store.events.seqOf(projectId, lastEventId) : undefined;
  if (seq !== undefined) return seq;
  throw new ApiError(
    'INVALID_CURSOR',
    'The last event id is not the `seq` or `id` of an event that is still kept. Send a `seq`, `0` for everything that is kept, or nothing.',
  );
}

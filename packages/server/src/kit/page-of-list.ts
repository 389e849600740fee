/**
 * A page of a list. Each list is asked for one record more than the page holds, which says whether others follow; the
 * cursor names the last record of the page. A list whose records may be large gives fewer where they are.
 */
import { decodeCursor, encodeCursor, type Place } from './cursor.ts';

export interface PageQuery {
  cursor?: string;
  limit: number;
}

export interface ListPage<T> {
  items: T[];
  limit: number;
  hasMore: boolean;
  nextCursor?: string;
}

/** What a list has of what it was asked for: all of it, or the first of it (`cut`), because all would be too large. */
export interface Part<R> {
  records: readonly R[];
  cut: boolean;
}

/** Of records in the order of `createdAt` and `id`, each as `show` makes it. */
export async function pageOfList<R extends Place, T>(
  { cursor, limit }: PageQuery,
  list: (page: { after?: Place; limit: number }) => Promise<readonly R[] | Part<R>>,
  show: (record: R) => T,
): Promise<ListPage<T>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  return firstPage(await list({ after, limit: limit + 1 }), limit, encodeCursor, show);
}

/** Of records in an order of their own, which `cursorOf` knows. */
export function firstPage<R, T>(
  found: readonly R[] | Part<R>,
  limit: number,
  cursorOf: (last: R) => string,
  show: (record: R) => T,
): ListPage<T> {
  const { records, cut } = isPart(found) ? found : { records: found, cut: false };
  const kept = records.slice(0, limit);
  const last = kept.at(-1);
  const hasMore = cut || records.length > limit;
  return {
    items: kept.map(show),
    limit,
    hasMore,
    ...(hasMore && last !== undefined && { nextCursor: cursorOf(last) }),
  };
}

const isPart = <R>(found: readonly R[] | Part<R>): found is Part<R> => !Array.isArray(found);

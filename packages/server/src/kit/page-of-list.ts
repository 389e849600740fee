/**
 * A page of a list. Each list is asked for one record more than the page holds, which says whether others follow; the
 * cursor names the last record of the page.
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

/** Of records in the order of `createdAt` and `id`, each as `show` makes it. */
export async function pageOfList<R extends Place, T>(
  { cursor, limit }: PageQuery,
  list: (page: { after?: Place; limit: number }) => Promise<readonly R[]>,
  show: (record: R) => T,
): Promise<ListPage<T>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  return firstPage(await list({ after, limit: limit + 1 }), limit, encodeCursor, show);
}

/** Of records in an order of their own, which `cursorOf` knows. */
export function firstPage<R, T>(
  found: readonly R[],
  limit: number,
  cursorOf: (last: R) => string,
  show: (record: R) => T,
): ListPage<T> {
  const kept = found.slice(0, limit);
  const last = kept.at(-1);
  const hasMore = found.length > limit;
  return {
    items: kept.map(show),
    limit,
    hasMore,
    ...(hasMore && last !== undefined && { nextCursor: cursorOf(last) }),
  };
}

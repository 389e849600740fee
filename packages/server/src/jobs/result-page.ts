/** A page of results: as many as were asked for, or fewer where they are large. */
import { invalidCursor } from '../kit/cursor.ts';
import type { FollowParts } from './follow.ts';
import type { JobResult, ResultStatus } from './schema.ts';

export interface ResultPageQuery {
  cursor?: string;
  limit: number;
  status?: ResultStatus;
}

export interface ResultPage {
  items: JobResult[];
  limit: number;
  hasMore: boolean;
  nextCursor?: string;
}

/** The cursor of a list is the place of its last result, which never changes. */
export function placeOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,9}$/.test(cursor)) throw invalidCursor();
  return Number(cursor);
}

/** What one answer holds of results that are kept outside of their rows. */
const mostBytes = 16 * 1024 ** 2;

export async function resultPage(
  { store, results }: Pick<FollowParts, 'store' | 'results'>,
  jobId: string,
  { cursor, limit, status }: ResultPageQuery,
): Promise<ResultPage> {
  const afterSeq = placeOf(cursor);
  const found = await store.jobs.results({ jobId, afterSeq, status, limit: limit + 1 });
  const items: JobResult[] = [];
  let bytes = 0;
  for (const page of found.slice(0, limit)) {
    if (items.length > 0 && bytes + page.size > mostBytes) break;
    bytes += page.size;
    items.push(await results.show(page));
  }
  const last = items.at(-1);
  const hasMore = found.length > items.length;
  return { items, limit, hasMore, ...(hasMore && last && { nextCursor: String(last.seq) }) };
}

/** A page of results: as many as were asked for, or fewer where they are large. */
import { invalidCursor } from '../kit/cursor.ts';
import type { Share } from '../kit/loop-share.ts';
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

/** What one answer holds of results, wherever they are kept. */
const mostBytes = 4 * 1024 ** 2;
/** About as much of one is parsed in this time. */
const bytesPerMs = 200_000;

export async function resultPage(
  { store, results, share }: Pick<FollowParts, 'store' | 'results'> & { share: Share },
  jobId: string,
  { cursor, limit, status }: ResultPageQuery,
): Promise<ResultPage> {
  const afterSeq = placeOf(cursor);
  const found = await store.jobs.results({ jobId, afterSeq, status, limit: limit + 1 });
  const items: JobResult[] = [];
  let bytes = 0;
  for (const page of found.records.slice(0, limit)) {
    if (items.length > 0 && bytes + page.size > mostBytes) break;
    bytes += page.size;
    await share.turn(page.size / bytesPerMs);
    items.push(await results.show(page));
  }
  const last = items.at(-1);
  const hasMore = found.cut || found.records.length > items.length;
  return { items, limit, hasMore, ...(hasMore && last && { nextCursor: String(last.seq) }) };
}

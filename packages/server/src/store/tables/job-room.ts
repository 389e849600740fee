/**
 * What jobs hold beside results: what their callers sent, and a row for each page, of which a crawl of one address finds thousands.
 * It counts for the quota of their project until they are removed.
 */
import type { Kysely } from 'kysely';
import type { Database } from '../databases/databases.ts';
import { occupy } from './artifacts.ts';
import { NoRoom } from './project-room.ts';

/** Of a row beside its texts: its other columns, and its places in indexes. */
const rowBytes = 256;

export const bytesOf = (...texts: (string | null | undefined)[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), rowBytes);

/** A page with its key, which is in a table of its own and in the index of that. */
export const bytesOfPage = (
  { url, found_on, item }: Pick<Database['job_pages'], 'url' | 'found_on' | 'item'>,
  key: string | null,
): number => bytesOf(url, found_on, item, key, key);

/** Part of the caller's transaction, in which so much was added to a job; throws when its project has no room for it. */
export async function chargeJob(
  trx: Kysely<Database>,
  { id, projectId }: { id: string; projectId: string },
  { rows, result = 0 }: { rows: number; result?: number },
  quotaBytes: number | null,
): Promise<void> {
  if (rows + result > 0 && !(await occupy(trx, projectId, rows + result, quotaBytes))) throw new NoRoom();
  if (rows === 0) return;
  await trx
    .updateTable('jobs')
    .set((eb) => ({ bytes: eb('bytes', '+', rows) }))
    .where('id', '=', id)
    .execute();
}

/** Jobs of a project that are not over, with those that are still being written. */
export async function countOpen(trx: Kysely<Database>, projectId: string): Promise<number> {
  const { open } = await trx
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('project_id', '=', projectId)
    // word for word the condition of the index
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('maker', 'is not', null)]))
    .executeTakeFirstOrThrow();
  return Number(open);
}

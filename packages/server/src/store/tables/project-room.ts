/**
 * How many browsers a project may have at a time, over all nodes, and how many of its creates may wait. Counted with the
 * project locked, behind the change itself and right before its events, which need that lock anyway: of two nodes that give
 * the last place away, the second sees the first, and takes its change back.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Connection, type Database, inTransaction, type Kind } from '../databases/databases.ts';
import type { LineLimits } from '../records.ts';
import { lockProjects } from './events.ts';

/** With a Chromium, or on the way to or from one; a create that waits in line has no holder. */
const occupying = ['creating', 'ready', 'stopping', 'resuming', 'recovering', 'closing'];

/** Takes a transaction back: what it did was one too many. */
export class NoRoom extends Error {}

/** Runs a transaction in which room may be missing; then nothing of it was done. */
export async function orNoRoom<T, N>(
  answer: N,
  connection: Connection,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T | N> {
  try {
    return await inTransaction(connection, work);
  } catch (error) {
    if (error instanceof NoRoom) return answer;
    throw error;
  }
}

/** Once a browser of the project has its holder (a number), or its place in line (the limits of that). */
export async function refuseWithoutRoom(
  trx: Kysely<Database>,
  kind: Kind,
  projectId: string,
  most: number | LineLimits,
): Promise<void> {
  await lockProjects(trx, kind, [projectId]);
  const isTooMany =
    typeof most === 'number'
      ? ((await heldOf(trx, [projectId])).get(projectId) ?? 0) > most
      : await isTooLong(trx, projectId, most);
  if (isTooMany) throw new NoRoom();
}

/** How many browsers of these projects have a holder. */
export async function heldOf(
  trx: Kysely<Database>,
  projectIds: readonly string[],
): Promise<Map<string, number>> {
  if (projectIds.length === 0) return new Map();
  const rows = await trx
    .selectFrom('browsers')
    .select((eb) => ['project_id', eb.fn.countAll<number>().as('count')])
    .where('project_id', 'in', projectIds)
    .where('status', 'in', occupying)
    .where('holder', 'is not', null)
    .groupBy('project_id')
    .execute();
  return new Map(rows.map(({ project_id, count }) => [project_id, count]));
}

/** The same as part of a statement that has a row of `browsers`. */
export const heldBeside = sql<number>`
  select count(*) from browsers beside
  where beside.project_id = browsers.project_id and beside.holder is not null
    and beside.status in (${sql.join(occupying.map((status) => sql.lit(status)))})`;

/** Other projects are not locked, so the whole line may be a few longer. */
async function isTooLong(
  trx: Kysely<Database>,
  projectId: string,
  { most, mostOfProject }: LineLimits,
): Promise<boolean> {
  const { rows } = await sql<{ all: number; own: number }>`
    select count(*) as "all", count(case when project_id = ${projectId} then 1 end) as own
    from browsers where holder is null and status = 'creating'`.execute(trx);
  const { all = 0, own = 0 } = rows[0] ?? {};
  return all > most || own > mostOfProject;
}

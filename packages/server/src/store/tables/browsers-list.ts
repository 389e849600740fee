/**
 * A page of browsers, newest first, at the same cost among 100 records and 100,000:
 *
 *   no filter            browsers          (project, created, id)
 *   status a, b          browsers          (project, status, created, id)              one branch a status
 *   metadata             browser_metadata  (project, key, value, created, id)
 *   metadata, status     browser_metadata  (project, key, value, status, created, id)  one branch a status
 *
 *   ids                  browsers          (id)                                        sorted: they are few
 *
 * Each branch walks its index from the cursor on and reads nothing else; the database merges the branches,
 * stops at the limit and only then fetches the records (light-page.ts).
 */
import { type AliasedExpression, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../databases/databases.ts';
import type { BrowserQuery } from '../records.ts';

export type Pair = readonly [key: string, value: string];

export type Places = AliasedExpression<{ created_at: number; id: string }, 'page'>;

/** Where the records of a page are, in its order. */
export function places(db: Kysely<Database>, query: BrowserQuery, lead: Pair | undefined) {
  const statuses = query.status?.length ? [...new Set(query.status)] : [undefined];
  return lead === undefined
    ? merged(
        statuses.map((status) => ofBrowsers(db, query, status)),
        query.limit,
      )
    : merged(
        statuses.map((status) => ofMetadata(db, query, status, lead)),
        query.limit,
      );
}

const merged = <DB, Table extends keyof DB>(
  branches: SelectQueryBuilder<DB, Table, { created_at: number; id: string }>[],
  limit: number,
) =>
  branches
    .reduce((all, branch) => all.unionAll(branch))
    .orderBy(sql.ref('created_at'), 'desc')
    .orderBy(sql.ref('id'), 'desc')
    .limit(limit)
    .as('page');

function ofBrowsers(db: Kysely<Database>, query: BrowserQuery, status: string | undefined) {
  const { after, before, since } = bounds(query);
  let branch = db
    .selectFrom('browsers')
    .select(['created_at', 'id'])
    .where('project_id', '=', query.projectId);
  if (status !== undefined) branch = branch.where('status', '=', status);
  if (query.ids !== undefined) branch = branch.where('id', 'in', query.ids);
  if (before !== undefined) branch = branch.where('created_at', '<', before);
  if (since !== undefined) branch = branch.where('created_at', '>', since);
  if (after === undefined) return branch;
  return branch.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)));
}

function ofMetadata(db: Kysely<Database>, query: BrowserQuery, status: string | undefined, lead: Pair) {
  const { after, before, since } = bounds(query);
  let branch = db
    .selectFrom('browser_metadata as lead')
    .select(['lead.created_at', 'lead.browser_id as id'])
    .where('lead.project_id', '=', query.projectId)
    .where('lead.key', '=', lead[0])
    .where('lead.value', '=', lead[1]);
  if (status !== undefined) branch = branch.where('lead.status', '=', status);
  if (query.ids !== undefined) branch = branch.where('lead.browser_id', 'in', query.ids);
  if (before !== undefined) branch = branch.where('lead.created_at', '<', before);
  if (since !== undefined) branch = branch.where('lead.created_at', '>', since);
  for (const [key, value] of pairsOf(query))
    if (key !== lead[0])
      branch = branch.where((eb) =>
        eb.exists(
          eb
            .selectFrom('browser_metadata as other')
            .select('other.key')
            .whereRef('other.browser_id', '=', 'lead.browser_id')
            .where('other.key', '=', key)
            .where('other.value', '=', value),
        ),
      );
  if (after === undefined) return branch;
  return branch.where((eb) =>
    eb(eb.refTuple('lead.created_at', 'lead.browser_id'), '<', eb.tuple(after.createdAt, after.id)),
  );
}

/** Where the walk begins and ends. Of the two possible beginnings only the later one in the list is given. */
function bounds({ after, createdBefore, createdAfter: since }: BrowserQuery) {
  if (after === undefined || createdBefore === undefined) return { after, before: createdBefore, since };
  return after.createdAt < createdBefore ? { after, since } : { before: createdBefore, since };
}

const pairsOf = (query: BrowserQuery): Pair[] => Object.entries(query.metadata ?? {});

const countUpTo = 500;

/** The pair that fewest browsers have, so that `team=red` does not make `job=42` search all of the team. */
export async function chooseLead(db: Kysely<Database>, query: BrowserQuery): Promise<Pair | undefined> {
  const pairs = pairsOf(query);
  if (pairs.length < 2) return pairs[0];
  let rarest: { pair: Pair; count: number } | undefined;
  for (const pair of pairs) {
    const some = db
      .selectFrom('browser_metadata')
      .select('browser_id')
      .where('project_id', '=', query.projectId)
      .where('key', '=', pair[0])
      .where('value', '=', pair[1])
      .limit(countUpTo);
    const { count } = await db
      .selectFrom(some.as('some'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (rarest === undefined || count < rarest.count) rarest = { pair, count };
  }
  return rarest?.pair;
}

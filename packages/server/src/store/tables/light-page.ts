/**
 * A page of rows of which each may be large, because callers decide what is in them: a hundred policies of a megabyte would be
 * read and parsed in one piece, and lie in memory until their caller has read the answer. So a page ends before it is too heavy,
 * but not before its first row:
 *
 *   places of the page ──> weighed in their order ──> rows as long as they are light ──> records, within the project's share
 *
 * The database knows how long a text is without reading it, where the length is asked for beside the text: SQLite would carry the
 * texts themselves to a window function. It is one statement, so that a row that changes meanwhile is on the page once or not
 * at all.
 */
import { type AliasedExpression, type Kysely, type RawBuilder, sql } from 'kysely';
import { inSteps, shareOf } from '../../kit/loop-share.ts';
import type { Part } from '../../kit/page-of-list.ts';
import type { Database } from '../databases/databases.ts';

/** Of the columns that are weighed, on one page. */
export const mostBytes = 4 * 1024 ** 2;

interface Wanted<Name extends keyof Database> {
  table: Name;
  /** Those of a table that lists read; all of them unless given. */
  columns?: readonly (keyof Database[Name] & string)[];
  /** Where the rows are, at most as many as were asked for, with what they are in the order of. */
  places: AliasedExpression<object, 'page'>;
  /** What names a row, here and there. */
  key?: readonly (keyof Database[Name] & string)[];
  order?: RawBuilder<unknown>;
  /** Columns whose length their writers decide. */
  weighed: readonly (keyof Database[Name] & string)[];
}

const newestFirst = sql`page.created_at desc, page.id desc`;

export function lightQuery<Name extends keyof Database>(wanted: Wanted<Name>) {
  const { table, columns, places, key = ['id'], order = newestFirst, weighed } = wanted;
  const ofTable = (column: string) => sql.ref(`${table}.${column}`);
  const onKey = (other: string) =>
    sql.join(
      key.map((column) => sql`${ofTable(column)} = ${sql.ref(`${other}.${column}`)}`),
      sql` and `,
    );
  const weight = sql.join(
    weighed.map((column) => sql`coalesce(octet_length(${ofTable(column)}), 0)`),
    sql` + `,
  );
  const all = columns ? sql.join(columns.map(ofTable)) : sql`${sql.table(table)}.*`;
  return sql<Database[Name] & { found: number; place: number }>`
    select ${all}, light.found, light.place
    from (
      select ${sql.join(key.map((column) => sql.ref(`page.${column}`)))},
        row_number() over (order by ${order}) as place,
        sum(page.weight) over (order by ${order} rows unbounded preceding) as bytes,
        count(*) over () as found
      from (
        select page.*, ${weight} as weight from ${places} inner join ${sql.table(table)} on ${onKey('page')}
      ) as page
    ) as light
    inner join ${sql.table(table)} on ${onKey('light')}
    where light.bytes <= ${mostBytes} or light.place = 1`;
}

/** `cut`: there are more in these places. */
export async function lightRows<Name extends keyof Database>(
  db: Kysely<Database>,
  wanted: Wanted<Name>,
): Promise<{ rows: Database[Name][]; cut: boolean }> {
  const { rows } = await lightQuery(wanted).execute(db);
  // Here, because SQLite would write megabytes to a file to sort them.
  rows.sort((a, b) => a.place - b.place);
  const cut = (rows[0]?.found ?? 0) > rows.length;
  return { rows: rows.map(({ found: _, place: __, ...row }) => row as unknown as Database[Name]), cut };
}

/** Parsing takes the loop's time: one row after the other, within the share of the project whose they are. */
export async function lightPage<Name extends keyof Database, R>(
  db: Kysely<Database>,
  projectId: string,
  { toRecord, ...wanted }: Wanted<Name> & { toRecord(row: Database[Name]): R },
): Promise<Part<R>> {
  const { rows, cut } = await lightRows(db, wanted);
  return { records: await inSteps(shareOf(projectId), oneByOne(rows, toRecord)), cut };
}

function* oneByOne<T, R>(rows: readonly T[], toRecord: (row: T) => R): Generator<undefined, R[]> {
  const records: R[] = [];
  for (const row of rows) {
    if (records.length > 0) yield;
    records.push(toRecord(row));
  }
  return records;
}

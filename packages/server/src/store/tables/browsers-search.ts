/**
 * A page of the browsers in whose name, metadata or id every word occurs. No index knows parts of words, so the search
 * walks the list (browsers-list.ts) and compares; a walk ends after a number of records, so that a search among very
 * many does not hold up the service. It says how far it looked, and the next page goes on from there.
 */
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { type Database, searchWords } from '../databases/databases.ts';
import type { BrowserQuery } from '../records.ts';
import { chooseLead, type Places, places } from './browsers-list.ts';

export const mostLookedAt = 5000;

/** Shorter words are found in ids by chance: for half a minute, every id that was made had `red` in it. */
const leastOfId = 6;

type Walked = Database & { page: { id: string; created_at: number } };

/** Where those on a page are, and how far the walk got: asked for when the page is not full. */
export async function searchBrowsers(
  db: Kysely<Database>,
  query: BrowserQuery,
  text: string,
): Promise<{ found: Places; lookedTo(): Promise<{ createdAt: number; id: string } | undefined> }> {
  const walk = places(db, { ...query, limit: mostLookedAt }, await chooseLead(db, query));
  const words = searchWords(text);
  const found = db
    .selectFrom(walk)
    .select(['page.created_at', 'page.id'])
    .where((eb) => eb.and(words.map((word) => contains(eb as ExpressionBuilder<Walked, 'page'>, word))))
    .orderBy('page.created_at', 'desc')
    .orderBy('page.id', 'desc')
    .limit(query.limit)
    .as('page');
  const lookedTo = () =>
    db
      .selectFrom(walk)
      .select(['page.created_at as createdAt', 'page.id'])
      .orderBy('page.created_at', 'desc')
      .orderBy('page.id', 'desc')
      .limit(1)
      .offset(mostLookedAt - 1)
      .executeTakeFirst();
  return { found, lookedTo };
}

function contains(eb: ExpressionBuilder<Walked, 'page'>, word: string) {
  const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
  const inText = eb.exists(
    eb
      .selectFrom('browser_search')
      .select('browser_search.browser_id')
      .whereRef('browser_search.browser_id', '=', 'page.id')
      .where(sql<boolean>`${eb.ref('browser_search.text' as never)} like ${pattern} escape '\\'`),
  );
  if (word.length < leastOfId) return inText;
  return eb.or([sql<boolean>`${eb.ref('page.id')} like ${pattern} escape '\\'`, inText]);
}

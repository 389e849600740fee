/** The words of a browser that a list is searched for: its name and metadata, in one text in lower case. */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Kind, searchText } from '../databases/databases.ts';

interface Before {
  browsers: { id: string; name: string | null; metadata: string };
  browser_search: { browser_id: string; text: string };
}

const batch = 500;

export const browserSearch = (kind: Kind): Migration => ({
  async up(db: Kysely<Before>) {
    const exact = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
    await db.schema
      .createTable('browser_search')
      .addColumn('browser_id', exact, (c) => c.primaryKey().references('browsers.id').onDelete('cascade'))
      .addColumn('text', exact, (c) => c.notNull())
      .execute();
    for (let after = ''; ; ) {
      const some = await db
        .selectFrom('browsers')
        .select(['id', 'name', 'metadata'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute();
      const rows = some
        .map(({ id, name, metadata }) => ({ browser_id: id, text: searchText(name, JSON.parse(metadata)) }))
        .filter(({ text }) => text !== '');
      if (rows.length > 0) await db.insertInto('browser_search').values(rows).execute();
      if (some.length < batch) return;
      after = some.at(-1)?.id ?? '';
    }
  },
});

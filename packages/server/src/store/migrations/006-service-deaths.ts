/** How often the service died while a browser was up. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const serviceDeaths = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('browsers')
      .addColumn('service_deaths', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  },
});

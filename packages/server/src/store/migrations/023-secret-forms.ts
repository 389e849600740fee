/** How much room the forms of a secret take where they are looked for: the sum of a project is limited. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const secretForms = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('project_secrets')
      .addColumn('form_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  },
});

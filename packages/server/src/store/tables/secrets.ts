/** Secrets of the service itself, made once and shared by all nodes of the database. */
import type { Connection } from '../databases/databases.ts';
import type { Store } from '../records.ts';

export function secrets({ db }: Connection): Store['secrets'] {
  return {
    async ensure(name, value) {
      await db
        .insertInto('secrets')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      const kept = await db
        .selectFrom('secrets')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      return kept.value;
    },
  };
}

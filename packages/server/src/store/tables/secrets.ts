/** Secrets of the service itself, made once and shared by all nodes of the database. */
import { aboutOf, openText, type SealedConnection, sealText } from '../databases/databases.ts';
import type { Store } from '../records.ts';

export function secrets({ db, sealing }: SealedConnection): Store['secrets'] {
  return {
    async ensure(name, value) {
      const about = aboutOf.serviceSecret(name);
      await db
        .insertInto('secrets')
        .values({ name, value: sealText(sealing, value, about) })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      const kept = await db
        .selectFrom('secrets')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      return openText(sealing, kept.value, about);
    },
  };
}

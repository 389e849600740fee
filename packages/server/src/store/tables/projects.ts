/** Projects, to which browsers, keys and events belong. */
import { newId } from '../../kit/id.ts';
import { type Connection, rowShape } from '../databases/databases.ts';
import type { ProjectRecord, Store } from '../records.ts';

const shape = rowShape<ProjectRecord>();
const columns = ['id', 'name', 'created_at'] as const;

export function projects({ db }: Connection): Store['projects'] {
  return {
    async ensure(name) {
      const known = await db
        .selectFrom('projects')
        .select(columns)
        .where('name', '=', name)
        .executeTakeFirst();
      if (known !== undefined) return shape.toRecord(known);
      await db
        .insertInto('projects')
        .values({ ...shape.toRow({ id: newId('project'), name, createdAt: Date.now() }), served_at: null })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      return shape.toRecord(
        await db.selectFrom('projects').select(columns).where('name', '=', name).executeTakeFirstOrThrow(),
      );
    },

    async get(id) {
      const row = await db.selectFrom('projects').select(columns).where('id', '=', id).executeTakeFirst();
      return row && shape.toRecord(row);
    },

    async count() {
      const { count } = await db
        .selectFrom('projects')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

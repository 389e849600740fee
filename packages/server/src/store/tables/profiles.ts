/**
 * Saved profiles. Of all browsers that would write one, the store lets one in; and a version comes only after the one that
 * its maker saw. Versions have bytes elsewhere, which are noted as those of artifacts are (artifacts.ts).
 */
import type { Kysely } from 'kysely';
import {
  type Connection,
  type Database,
  inTransaction,
  type Kind,
  rowShape,
} from '../databases/databases.ts';
import type { ProfileRecord, ProfileRef, ProfileVersionRecord, Store } from '../records.ts';
import { loosen, occupy } from './artifacts.ts';
import { appendEvents } from './events.ts';
import { noteResource } from './idempotency.ts';
import { lightPage } from './light-page.ts';
import { bindBytes } from './loose-bytes.ts';

type Json = 'metadata' | 'cookieDomains' | 'signInCheck' | 'health';
const shape = rowShape<ProfileRecord, Json>('metadata', 'cookieDomains', 'signInCheck', 'health');
const versionShape = rowShape<ProfileVersionRecord, 'cookieDomains'>('cookieDomains');

type ProfileRow = Database['profiles'];

/** A browser in one of these never writes again. */
const over = ['closed', 'failed'];
const uniqueViolations = ['23505', 'ERR_SQLITE_ERROR'];

/** Held until the end of the transaction, so that what is read of its writer stays true. */
function locked(
  trx: Kysely<Database>,
  kind: Kind,
  id: string,
  projectId?: string,
): Promise<ProfileRow | undefined> {
  let query = trx.selectFrom('profiles').selectAll().where('id', '=', id);
  if (projectId !== undefined) query = query.where('project_id', '=', projectId);
  return query.$if(kind === 'postgres', (locking) => locking.forUpdate()).executeTakeFirst();
}

/** Read after the profile was locked: a browser that was let in before is there by now. */
async function livingWriter(trx: Kysely<Database>, { writer }: ProfileRow): Promise<string | null> {
  if (writer === null) return null;
  const browser = await trx
    .selectFrom('browsers')
    .select('id')
    .where('id', '=', writer)
    .where('status', 'not in', over)
    .executeTakeFirst();
  return browser?.id ?? null;
}

/** Part of the transaction in which the browser is made. Undefined: it writes the profile from now on. */
export async function claimProfile(
  trx: Kysely<Database>,
  kind: Kind,
  profileId: string,
  browser: { id: string; projectId: string },
): Promise<'profileGone' | { heldBy: string } | undefined> {
  const profile = await locked(trx, kind, profileId, browser.projectId);
  if (!profile) return 'profileGone';
  const heldBy = await livingWriter(trx, profile);
  if (heldBy !== null) return { heldBy };
  await trx.updateTable('profiles').set({ writer: browser.id }).where('id', '=', profileId).execute();
  return undefined;
}

async function insertMetadata(
  trx: Kysely<Database>,
  { id, project_id, metadata, created_at }: ProfileRow,
): Promise<void> {
  const pairs = Object.entries<string>(JSON.parse(metadata));
  if (pairs.length === 0) return;
  await trx
    .insertInto('profile_metadata')
    .values(pairs.map(([key, value]) => ({ profile_id: id, project_id, key, value, created_at })))
    .execute();
}

async function insertVersion(trx: Kysely<Database>, version: ProfileVersionRecord): Promise<void> {
  await trx.insertInto('profile_versions').values(versionShape.toRow(version)).execute();
  await bindBytes(trx, [version.id]);
}

/** Their rows go, their bytes become loose. Returns the ids of these. */
async function dropVersions(trx: Kysely<Database>, profileId: string, upTo: number): Promise<string[]> {
  const dropped = await trx
    .deleteFrom('profile_versions')
    .where('profile_id', '=', profileId)
    .where('version', '<=', upTo)
    .returning(['id', 'node_id', 'project_id', 'size'])
    .execute();
  await loosen(trx, dropped);
  return dropped.map(({ id }) => id);
}

/** Two that take the same name at the same time: the index lets one have it. */
async function orNameTaken<T>(work: Promise<T>): Promise<T | 'nameTaken'> {
  try {
    return await work;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (uniqueViolations.includes(code ?? '') && /profiles_name|profiles\.name/.test(message))
      return 'nameTaken';
    throw error;
  }
}

const wanted = (ref: ProfileRef): ['id' | 'name', string] =>
  'id' in ref ? ['id', ref.id] : ['name', ref.name];

export function profiles(connection: Connection): Store['profiles'] {
  const { kind, db } = connection;
  return {
    insert: (record, { first, quotaBytes, events, idempotency }) =>
      orNameTaken(
        inTransaction(connection, async (trx) => {
          if (first && !(await occupy(trx, record.projectId, first.size, quotaBytes))) return 'overQuota';
          const row = shape.toRow(record);
          await trx.insertInto('profiles').values(row).execute();
          await insertMetadata(trx, row);
          if (first) await insertVersion(trx, first);
          if (idempotency !== undefined)
            await noteResource(trx, { projectId: record.projectId, ...idempotency }, record.id);
          await appendEvents(trx, kind, events);
          return 'inserted';
        }),
      ),

    async get(ref, projectId) {
      const [column, value] = wanted(ref);
      const row = await db
        .selectFrom('profiles')
        .selectAll()
        .where(column, '=', value)
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return row && shape.toRecord(row);
    },

    async list({ projectId, metadata = {}, after, limit }) {
      let query = db
        .selectFrom('profiles')
        .select(['profiles.id', 'profiles.created_at'])
        .where('profiles.project_id', '=', projectId);
      for (const [key, value] of Object.entries(metadata))
        query = query.where('profiles.id', 'in', (eb) =>
          eb
            .selectFrom('profile_metadata')
            .select('profile_id')
            .where('profile_metadata.project_id', '=', projectId)
            .where('key', '=', key)
            .where('value', '=', value),
        );
      if (after !== undefined)
        query = query.where((eb) =>
          eb(eb.refTuple('profiles.created_at', 'profiles.id'), '<', eb.tuple(after.createdAt, after.id)),
        );
      return lightPage(db, projectId, {
        table: 'profiles',
        places: query
          .orderBy('profiles.created_at', 'desc')
          .orderBy('profiles.id', 'desc')
          .limit(limit)
          .as('page'),
        weighed: ['metadata', 'cookie_domains', 'sign_in_check'],
        toRecord: shape.toRecord,
      });
    },

    change: (id, projectId, changes, events = []) =>
      orNameTaken(
        inTransaction(connection, async (trx) => {
          const row = await trx
            .updateTable('profiles')
            .set((eb) => ({ id: eb.ref('id'), ...shape.toPatch(changes) }))
            .where('id', '=', id)
            .where('project_id', '=', projectId)
            .returningAll()
            .executeTakeFirst();
          if (row === undefined) return 'gone';
          if (changes.metadata !== undefined) {
            await trx.deleteFrom('profile_metadata').where('profile_id', '=', id).execute();
            await insertMetadata(trx, row);
          }
          await appendEvents(trx, kind, events);
          return shape.toRecord(row);
        }),
      ),

    addVersion: (version, expected, { keep, quotaBytes, events }) =>
      inTransaction(connection, async (trx) => {
        const profile = await locked(trx, kind, version.profileId, version.projectId);
        if (profile?.version !== expected.version) return 'moved';
        if ((await livingWriter(trx, profile)) !== expected.writer) return 'moved';
        if (!(await occupy(trx, version.projectId, version.size, quotaBytes))) return 'overQuota';
        await insertVersion(trx, version);
        const { size, cookieCount, cookieDomains, origins, createdAt: updatedAt } = version;
        const contents = { version: version.version, size, cookieCount, cookieDomains, origins, updatedAt };
        const row = await trx
          .updateTable('profiles')
          .set(shape.toPatch(contents))
          .where('id', '=', version.profileId)
          .returningAll()
          .executeTakeFirstOrThrow();
        const dropped = await dropVersions(trx, version.profileId, version.version - keep);
        await appendEvents(trx, kind, events);
        return { record: shape.toRecord(row), dropped };
      }),

    async versions(profileId) {
      const rows = await db
        .selectFrom('profile_versions')
        .selectAll()
        .where('profile_id', '=', profileId)
        .orderBy('version', 'desc')
        .execute();
      return rows.map(versionShape.toRecord);
    },

    async version(profileId, version) {
      const row = await db
        .selectFrom('profile_versions')
        .selectAll()
        .where('profile_id', '=', profileId)
        .where('version', '=', version)
        .executeTakeFirst();
      return row && versionShape.toRecord(row);
    },

    async release(id, browserId) {
      const freed = await db
        .updateTable('profiles')
        .set({ writer: null })
        .where('id', '=', id)
        .where('writer', '=', browserId)
        .returning('id')
        .executeTakeFirst();
      return freed !== undefined;
    },

    async releaseDead() {
      const freed = await db
        .updateTable('profiles')
        .set({ writer: null })
        .where('writer', 'is not', null)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('browsers')
                .select('browsers.id')
                .whereRef('browsers.id', '=', 'profiles.writer')
                .where('browsers.status', 'not in', over),
            ),
          ),
        )
        .returning('id')
        .execute();
      return freed.map(({ id }) => id);
    },

    remove: (id, projectId, events) =>
      inTransaction(connection, async (trx) => {
        const profile = await locked(trx, kind, id, projectId);
        if (!profile) return 'gone';
        const heldBy = await livingWriter(trx, profile);
        if (heldBy !== null) return { heldBy };
        const dropped = await dropVersions(trx, id, profile.version);
        await trx.deleteFrom('profiles').where('id', '=', id).execute();
        await appendEvents(trx, kind, events);
        return { dropped };
      }),

    async expired(now, limit) {
      const rows = await db
        .selectFrom('profiles')
        .select(['id', 'project_id'])
        .where('expires_at', '<=', now)
        .where('writer', 'is', null)
        .orderBy('expires_at')
        .limit(limit)
        .execute();
      return rows.map(({ id, project_id }) => ({ id, projectId: project_id }));
    },
  };
}

/**
 * Where all records live. The only place that knows SQL, and the only one that knows which database it is.
 *
 *   a method ──> attempt (again on a lock or a conflict; failures in plain words) ──> a table ──> Kysely
 */
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { ApiError } from '../errors.ts';
import { openSealing, type Sealing } from '../sealing/sealing.ts';
import {
  answeringSoon,
  attempting,
  type Connection,
  databaseName,
  leaseConnection,
  localSignals,
  openPostgres,
  openSqlite,
  postgresSignals,
  type Signals,
  type StoreLog,
} from './databases/databases.ts';
import { migrate } from './migrate.ts';
import type { NewEvent, Store } from './records.ts';
import {
  artifacts,
  browsers,
  cachedAnswers,
  checkpoints,
  deliveries,
  events,
  extensions,
  fonts,
  idempotency,
  jobs,
  keys,
  localStorage,
  nodes,
  placement,
  profiles,
  projectFiles,
  projectSecrets,
  projects,
  sealing as sealingKeys,
  secrets,
  sweep,
  turns,
  vaults,
  webhooks,
} from './tables/tables.ts';

export {
  askCluster,
  askPostgres,
  askSealingKeys,
  databaseName,
  type KnownNode,
} from './databases/databases.ts';
export { FolderLockedError, lockFolder } from './folder-lock.ts';

export interface StoreOptions {
  /** `postgres://…`, `sqlite:PATH`, or null: SQLite in the data folder. */
  databaseUrl: string | null;
  dataDir: string;
  /**
   * The keys of the service, which must be those that sealed what is there. Without them: those of the data folder, asked
   * for when something sealed is read.
   */
  sealing?: Sealing;
  log?: StoreLog;
  /** Called with the events that were written, whatever wrote them, once they are committed. */
  onEvents?(events: readonly NewEvent[]): void;
}

export async function openStore({
  databaseUrl,
  dataDir,
  sealing,
  log = () => undefined,
  onEvents,
}: StoreOptions): Promise<Store> {
  const opened = await connect(databaseUrl ?? `sqlite:${resolve(dataDir, 'browserd.sqlite')}`, log);
  const { kind, db } = opened;
  const signals: Signals = kind === 'postgres' ? postgresSignals(databaseUrl ?? '', db, log) : localSignals();
  const connection = {
    ...opened,
    onEvents: (written: readonly NewEvent[]) => {
      onEvents?.(written);
      signals.announce(new Set(written.map(({ projectId }) => projectId)));
    },
    sealing: sealing ?? openSealing({ secretKey: null, dataDir }),
  };
  const lease = kind === 'postgres' ? leaseConnection(databaseUrl ?? '') : undefined;
  const { renew } = nodes(connection, lease);
  const patientNodes = attempting(nodes(connection));
  const pinging = attempting({
    ping: async () => {
      await sql`select 1 from projects limit 1`.execute(db);
    },
  });
  const { ping } = answeringSoon(pinging, 'ping');
  // The work of each is many small attempts.
  const { reseal } = sealingKeys(connection);
  const sealed = { ...attempting(sealingKeys(connection)), reseal };
  const allJobs = jobs(connection);
  if (sealing)
    await sealed.check().catch(async (error: unknown) => {
      await db.destroy();
      throw error;
    });
  return {
    kind,
    ping,
    close: async () => {
      await signals.close();
      await lease?.close();
      await db.destroy();
    },
    projects: attempting(projects(connection)),
    keys: answeringSoon(attempting(keys(connection)), 'findByHash'),
    // Where there is a limit of time, its caller tries again.
    nodes: { ...patientNodes, renew: (boot, limit) => (limit ? renew : patientNodes.renew)(boot, limit) },
    placement: {
      ...answeringSoon(attempting(placement(connection)), 'locate'),
      watch: signals.watchHomeless,
    },
    turns: attempting(turns(connection)),
    browsers: answeringSoon(attempting(browsers(connection)), 'get'),
    checkpoints: attempting(checkpoints(connection)),
    localStorage: attempting(localStorage(connection)),
    vaults: attempting(vaults(connection)),
    artifacts: attempting(artifacts(connection)),
    profiles: attempting(profiles(connection)),
    extensions: attempting(extensions(connection)),
    jobs: { ...attempting(allJobs), insert: allJobs.insert },
    projectFiles: attempting(projectFiles(connection)),
    cachedAnswers: attempting(cachedAnswers(connection)),
    fonts: attempting(fonts(connection)),
    events: { ...attempting(events(connection)), watch: signals.watch, tellOthers: signals.tellOthers },
    webhooks: attempting(webhooks(connection)),
    deliveries: attempting(deliveries(connection)),
    idempotency: attempting(idempotency(connection)),
    secrets: attempting(secrets(connection)),
    projectSecrets: attempting(projectSecrets(connection)),
    sealing: sealed,
    sweep: sweep(connection),
  };
}

async function connect(url: string, log: StoreLog): Promise<Connection> {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
  if (path === '' || path === ':memory:')
    throw new Error(
      'BROWSERD_DATABASE_URL names no file: records must outlive the process. Write sqlite:PATH.',
    );
  try {
    if (path !== undefined) return await prepared(await openSqlite(resolve(path)), log);
    // migrated by a pool without time-outs; the one for daily work finds it done
    const migrating = await prepared(openPostgres(url, log, { patient: true }), log);
    await migrating.db.destroy();
    return await prepared(openPostgres(url, log), log);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const name = path === undefined ? databaseName(url) : resolve(path);
    throw new ApiError('STORE_UNAVAILABLE', `The database ${name} cannot be opened. ${reason}`, {
      cause: error,
    });
  }
}

/** With the tables of this version. Closed again when that fails. */
async function prepared(connection: Connection, log: StoreLog): Promise<Connection> {
  try {
    for (const migration of await migrate(connection)) log('store.migrated', { migration });
    return connection;
  } catch (error) {
    await connection.db.destroy();
    throw error;
  }
}

/**
 * Kysely on node:sqlite, in one file:
 *
 *   Kysely ──> ImmediateDriver ──> Statements (prepared once, kept) ──> node:sqlite
 *
 * node:sqlite blocks the event loop while it waits for a lock, so it waits a moment only;
 * `attempt` waits longer, without blocking.
 */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { attempt } from './attempt.ts';
import type { Connection, Database } from './database.ts';

const busyTimeoutMs = 10;
const keptStatements = 256;

/** Copying the log into the database costs a sync of the disk: less often than by default, 16 MiB at a time. */
const pragmas = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  pragma wal_autocheckpoint = 4000;
  pragma journal_size_limit = 67108864;`;

export async function openSqlite(path: string): Promise<Connection> {
  createPrivateFile(path);
  const database = await attempt(async () => {
    const opened = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
    try {
      opened.exec(pragmas);
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  });
  const dialect: Dialect = {
    createDriver: () => new ImmediateDriver(database),
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
  return { kind: 'sqlite', db: new Kysely<Database>({ dialect }) };
}

/** SQLite gives its -wal and -shm files the mode of the database. */
function createPrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // A file that is there must not be opened here: closing any descriptor of a database that this process
    // has open drops its locks (https://www.sqlite.org/howtocorrupt.html, 2.2).
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}

class Statements implements SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #kept = new Map<string, SqliteStatement>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  prepare(sql: string): SqliteStatement {
    const known = this.#kept.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    const made: SqliteStatement = {
      reader: statement.columns().length > 0,
      all: (values) => statement.all(...(values as SQLInputValue[])),
      run: (values) => statement.run(...(values as SQLInputValue[])),
      iterate: (values) => statement.iterate(...(values as SQLInputValue[])),
    };
    const oldest = this.#kept.keys().next();
    if (this.#kept.size >= keptStatements && !oldest.done) this.#kept.delete(oldest.value);
    this.#kept.set(sql, made);
    return made;
  }

  close(): void {
    this.#kept.clear();
    this.#database.close();
  }
}

/** Runs migrations in a transaction, which here takes the write lock: two processes that start at once take turns. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDriver extends SqliteDriver {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    super({ database: new Statements(database) });
    this.#database = database;
  }

  /** A transaction that turns from reading to writing midway could fail there; one that starts as a writer cannot. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** After some failures, a full disk among them, SQLite has rolled back already. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

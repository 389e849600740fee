import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject, onTestFinished } from 'vitest';
import type { Store } from '../../src/store/records.ts';
import { openStore } from '../../src/store/store.ts';
import { createDatabase } from './postgres.ts';

/** Both databases, each a fresh one a test, for suites that must pass on either. */
export const databases = ['sqlite', 'postgres'] as const;
export type DatabaseKind = (typeof databases)[number];

export interface TestDatabase {
  url: string;
  folder: string;
  /** Another connection to the same database, as another process would have. */
  open(log?: (word: string, fields: object) => void): Promise<Store>;
}

/** Call it within a test: everything is closed and removed when that test ends. */
export async function freshDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'browserd-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const url = kind === 'sqlite' ? `sqlite:${join(folder, 'test.sqlite')}` : await emptyPostgres();
  return {
    url,
    folder,
    async open(log) {
      const store = await openStore({ databaseUrl: url, dataDir: folder, log });
      onTestFinished(() => store.close());
      return store;
    },
  };
}

/** Each costs hundreds of files, so a test leaves its own to the next, emptied. */
const emptied: string[] = [];

async function emptyPostgres(): Promise<string> {
  const url = emptied.pop() ?? (await createDatabase(inject('postgresUrl')));
  // What is registered first comes last: by then the stores of the test are closed.
  onTestFinished(async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(
        "set lock_timeout = '1s'; drop schema public cascade; create schema public; grant usage on schema public to public",
      );
      emptied.push(url);
    } catch {
      // A connection that the test has lost still holds it: then it is not used again.
    } finally {
      await client.end();
    }
  });
  return url;
}

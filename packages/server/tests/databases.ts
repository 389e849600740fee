import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import type { Store } from '../src/store/records.ts';
import { openStore } from '../src/store/store.ts';
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
  const url =
    kind === 'sqlite' ? `sqlite:${join(folder, 'test.sqlite')}` : await createDatabase(inject('postgresUrl'));
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

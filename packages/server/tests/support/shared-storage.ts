import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Store } from '../../src/store/records.ts';
import { openStore } from '../../src/store/store.ts';
import { freePort } from './cluster.ts';
import { createDatabase } from './postgres.ts';
import type { Settings } from './server.ts';

/** What the nodes of a cluster share: a database, a folder for bytes, and the keys of both. */
export interface SharedStorage extends AsyncDisposable {
  /** The folder in which bytes lie. */
  blobs: string;
  /** A connection of the test's own to the database. */
  store: Store;
  /** Settings of one more node. */
  node(settings?: Settings): Promise<Settings>;
  /** The folder is out of reach, as a network drive that lost its server, until it is given back. */
  takeAway(): Promise<() => Promise<void>>;
}

export async function shareStorage(): Promise<SharedStorage> {
  const url = await createDatabase(inject('postgresUrl'));
  const root = await mkdtemp(join(tmpdir(), 'browserd-shared-'));
  await chmod(root, 0o711);
  const blobs = join(root, 'blobs');
  await mkdir(blobs, { mode: 0o700 });
  const store = await openStore({ databaseUrl: url, dataDir: join(root, 'store') });
  const secrets = {
    BROWSERD_SECRET_KEY: randomBytes(32).toString('base64'),
    BROWSERD_API_KEY: `bd_${randomBytes(24).toString('hex')}`,
  };
  return {
    blobs,
    store,
    node: async (settings = {}) => ({
      BROWSERD_DATABASE_URL: url,
      BROWSERD_BLOBS: blobs,
      // a shorter one is lost without any fault on a busy machine
      BROWSERD_LEASE: '10s',
      BROWSERD_CLUSTER_ADDRESS: `127.0.0.1:${await freePort()}`,
      ...secrets,
      ...settings,
    }),
    async takeAway() {
      await rename(blobs, `${blobs}-away`);
      await writeFile(blobs, 'no folder');
      return async () => {
        await rm(blobs);
        await rename(`${blobs}-away`, blobs);
      };
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

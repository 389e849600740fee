import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/store/records.ts';
import { freshDatabase } from './databases.ts';
import type { Settings } from './server.ts';

/** What the nodes of a cluster share: a database, a folder for bytes, and the keys of both. */
export interface SharedStorage extends AsyncDisposable {
  /** The folder in which bytes lie. */
  blobs: string;
  /** A connection of the test's own to the database. */
  open(): Promise<Store>;
  /** Settings of one more node. */
  node(settings?: Settings): Promise<Settings>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Call it within a test: the database is emptied when that test ends. */
export async function shareStorage(): Promise<SharedStorage> {
  const { url, open } = await freshDatabase('postgres');
  const root = await mkdtemp(join(tmpdir(), 'browserd-shared-'));
  await chmod(root, 0o711);
  const blobs = join(root, 'blobs');
  await mkdir(blobs, { mode: 0o700 });
  const secrets = {
    BROWSERD_SECRET_KEY: randomBytes(32).toString('base64'),
    BROWSERD_API_KEY: `bd_${randomBytes(24).toString('hex')}`,
  };
  return {
    blobs,
    open,
    node: async (settings = {}) => ({
      BROWSERD_DATABASE_URL: url,
      BROWSERD_BLOBS: blobs,
      // a shorter one is lost without any fault on a busy machine
      BROWSERD_LEASE: '10s',
      BROWSERD_CLUSTER_ADDRESS: `127.0.0.1:${await freePort()}`,
      ...secrets,
      ...settings,
    }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../store/records.ts';
import { openStore } from '../store/store.ts';

/** For the tests of this folder: the real store, in a folder of its own that goes away with it. */
export interface TestStore extends AsyncDisposable {
  store: Store;
  dataDir: string;
}

export async function openTestStore(): Promise<TestStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'browserd-access-'));
  const store = await openStore({ databaseUrl: null, dataDir });
  return {
    store,
    dataDir,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

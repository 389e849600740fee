import { Access } from '../src/access/access.ts';
import { createLog } from '../src/kit/log.ts';
import { openStore } from '../src/store/store.ts';

/** A key of somebody else on the same server. */
export async function keyOfAnotherProject(dataDir: string): Promise<string> {
  const store = await openStore({ databaseUrl: null, dataDir });
  const access = new Access({ store, log: createLog('silent') });
  const project = await access.ensureProject('stranger');
  const { key } = await access.createKey(project.id, { name: 'stranger', role: 'admin' });
  await store.close();
  return key;
}

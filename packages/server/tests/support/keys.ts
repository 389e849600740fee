import { Access } from '../../src/access/access.ts';
import { createLog } from '../../src/kit/log.ts';
import { openStore } from '../../src/store/store.ts';

export interface WantedKey {
  project: string;
  role?: 'admin' | 'member';
  /** May lie in the past, which the API does not allow. */
  expiresAt?: number;
}

/** A key made in the store itself, without the service, as an operator does. */
export async function makeKey(
  dataDir: string,
  { project, role = 'admin', expiresAt }: WantedKey,
): Promise<string> {
  const store = await openStore({ databaseUrl: null, dataDir });
  const access = new Access({ store, log: createLog('silent') });
  const { id } = await access.ensureProject(project);
  const { key } = await access.createKey(id, { name: project, role, ...(expiresAt && { expiresAt }) });
  await store.close();
  return key;
}

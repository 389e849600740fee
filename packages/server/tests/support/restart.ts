import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/kit/log.ts';
import { type Service, startService } from '../../src/service.ts';
import { type Api, createApi } from './client.ts';
import type { Folders } from './server.ts';

/** The next start of a service that was killed: in this process, in the folders that the killed one left. */
export interface Restarted extends AsyncDisposable {
  api: Api;
  service: Service;
}

export async function startServerIn({ env }: Pick<Folders, 'env'>): Promise<Restarted> {
  const config = readConfig(env);
  const service = await startService(config, createLog(config.logLevel), process.env);
  const key = config.apiKey ?? (await readFile(join(config.dataDir, 'admin-key'), 'utf8')).trim();
  return { api: createApi(service.url, key), service, [Symbol.asyncDispose]: () => service.close() };
}

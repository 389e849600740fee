/** Which node this is: the id is kept in the data folder over restarts, with the boot that ran last. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../kit/id.ts';

export interface OwnFiles {
  id: string;
  /** The boot of this folder before. The lock of the folder says that it is over. */
  bootBefore: string | undefined;
  bootId: string;
  /** Once the boot is registered. */
  keepBoot(): Promise<void>;
}

export async function readOwnFiles(dataDir: string): Promise<OwnFiles> {
  const idFile = join(dataDir, 'node-id');
  const bootFile = join(dataDir, 'boot-id');
  const bootId = newId('node');
  return {
    id: (await fromFile(idFile)) ?? (await keep(idFile, newId('node'))),
    bootBefore: await fromFile(bootFile),
    bootId,
    async keepBoot() {
      await keep(bootFile, bootId);
    },
  };
}

const fromFile = async (path: string): Promise<string | undefined> =>
  (await readFile(path, 'utf8').catch(() => '')).trim() || undefined;

async function keep(path: string, id: string): Promise<string> {
  await writeFile(path, `${id}\n`, { mode: 0o600 });
  return id;
}

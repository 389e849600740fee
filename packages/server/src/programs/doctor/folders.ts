/** The folders of the service: there, or to be made; nothing is made here. */
import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { checkDisk } from '../../kit/disk-room.ts';
import { FolderLockedError, lockFolder } from '../../store/store.ts';
import { type Finding, fail, mebibytes, messageOf, ok, warn } from './finding.ts';

export const nearestFolder = (path: string): string =>
  existsSync(path) || path === dirname(path) ? path : nearestFolder(dirname(path));

const settings = {
  dataDir: 'BROWSERD_DATA_DIR',
  scratchDir: 'BROWSERD_SCRATCH_DIR',
  exchangeDir: 'BROWSERD_EXCHANGE_DIR',
};

export async function checkWritable(config: Pick<Config, keyof typeof settings>): Promise<Finding[]> {
  const looks = Object.entries(settings).map(async ([name, variable]) => {
    const folder = config[name as keyof typeof settings];
    const found = nearestFolder(folder);
    const label = `${name.replace('Dir', '')} folder`;
    try {
      await access(found, constants.R_OK | constants.W_OK | constants.X_OK);
      return ok(label, found === folder ? folder : `${folder} (made at the first start)`);
    } catch (error) {
      const fix = `Let the user of the service (uid ${process.getuid?.()}) write to ${found}, or set ${variable} to another folder.`;
      return fail(label, `${folder}: ${messageOf(error)}`, fix);
    }
  });
  return Promise.all(looks);
}

/** `served` says that a browserd answers at the configured port: then it is the one that holds the lock. */
export function checkLock(dataDir: string, served: boolean): Finding {
  if (!existsSync(join(dataDir, 'lock'))) return ok('data lock', 'no service has used the data folder yet');
  try {
    lockFolder(dataDir, 0)[Symbol.dispose]();
    return ok('data lock', 'free');
  } catch (error) {
    if (!(error instanceof FolderLockedError)) throw error;
    if (served) return ok('data lock', 'held by the browserd that is running');
    return fail('data lock', error.message, 'Find the other one with: ps -ef | grep browserd');
  }
}

const comfortableBytes = 2 * 1024 ** 3;

export async function checkSpace(
  config: Pick<Config, keyof typeof settings | 'storageReserve'>,
): Promise<Finding> {
  const folders = [config.dataDir, config.scratchDir, config.exchangeDir].map(nearestFolder);
  const fix =
    'Free some space there, or move the folder: BROWSERD_DATA_DIR, BROWSERD_SCRATCH_DIR, BROWSERD_EXCHANGE_DIR.';
  const needed = await checkDisk(folders, config.storageReserve);
  if (!needed.ok) return fail('disk', needed.detail, fix);
  const free = `at least ${mebibytes(Number(needed.freeBytes))} free in every folder`;
  const comfortable = await checkDisk(folders, comfortableBytes);
  return comfortable.ok ? ok('disk', free) : warn('disk', free, fix);
}

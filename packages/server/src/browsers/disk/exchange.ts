/**
 * Where the service and one Chromium hand each other files. On a disk: profiles may lie in memory, and one download
 * can be larger than that. Made for each Chromium and gone with it.
 *
 *   exchange/x-1f3a…/uploads/file_…/name   the service's; Chromium may read what was lent
 *                    downloads/guid        Chromium's; the service reads it warily
 */
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../../process/process.ts';
import { refuseForeign } from './own-folder.ts';

export interface Exchange {
  /** Has the other two. */
  readonly folder: string;
  readonly uploads: string;
  readonly downloads: string;
  /** Returns the bytes it held. */
  remove(): Promise<number>;
}

export interface Exchanges {
  readonly folder: string;
  make(): Promise<Exchange>;
  /** Removes the folder of them all when nothing is in it. */
  close(): Promise<void>;
}

/** The caller has the lock of the data folder, so what is found there is of a service that was killed. */
export async function openExchanges(
  folder: string,
  user: { uid: number; gid: number } | undefined,
): Promise<Exchanges> {
  // Other users may pass through but not list it.
  await mkdir(folder, { recursive: true, mode: 0o711 });
  await refuseForeign(folder, 'BROWSERD_EXCHANGE_DIR');
  for (const name of await readdir(folder)) await removeTree(join(folder, name));
  return {
    folder,
    async make() {
      const own = join(folder, `x-${randomBytes(8).toString('hex')}`);
      const exchange = { uploads: join(own, 'uploads'), downloads: join(own, 'downloads') };
      await mkdir(own, { mode: 0o711 });
      await mkdir(exchange.uploads, { mode: 0o711 });
      await mkdir(exchange.downloads, { mode: 0o700 });
      if (user) await chown(exchange.downloads, user.uid, user.gid);
      return { ...exchange, folder: own, remove: () => removeTree(own) };
    },
    async close() {
      const left = await readdir(folder).catch(() => ['unknown']);
      if (left.length === 0) await rmdir(folder).catch(() => undefined);
    },
  };
}

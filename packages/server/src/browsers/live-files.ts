import { chown, copyFile, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../errors.ts';
import { newId } from '../kit/id.ts';

/**
 * Files between the service and one Chromium, inside its profile folder, so that they are in its box and go with it.
 *
 *   Uploads/…/name   lent to pages: only what was lent may be put into a file input
 *   Downloads/guid   what pages downloaded while a script was attached
 */
export interface LiveFiles {
  /** Where downloads go, as Chromium sees it; null: the policy denies them. Read by the filter at every use. */
  readonly downloadPath: string | null;
  allowDownloads(allowed: boolean): void;
  /** Chromium's own path of a file that was lent; undefined: it was not. */
  fileFor(path: string): string | undefined;
  /** Copies a file into Chromium's reach; the path is as Chromium sees it. */
  lend(source: string, name: string): Promise<string>;
  download(guid: string): Promise<Buffer>;
}

const largestDownload = 256 * 1024 ** 2;
const guidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function createLiveFiles(options: {
  folder: string;
  /** The same folder as Chromium sees it. */
  inside: string;
  user?: { uid: number; gid: number };
}): LiveFiles {
  const { folder, inside, user } = options;
  const lent = new Set<string>();
  let downloads = true;
  const own = async (path: string): Promise<void> => {
    if (user) await chown(path, user.uid, user.gid);
  };
  return {
    get downloadPath() {
      return downloads ? join(inside, 'Downloads') : null;
    },
    allowDownloads(allowed) {
      downloads = allowed;
    },
    fileFor: (path) => (lent.has(path) ? path : undefined),
    async lend(source, name) {
      const place = join('Uploads', newId('file'));
      await mkdir(join(folder, place), { recursive: true, mode: 0o700 });
      const target = join(folder, place, name);
      await copyFile(source, target);
      for (const path of ['Uploads', place, join(place, name)]) await own(join(folder, path));
      const path = join(inside, place, name);
      lent.add(path);
      return path;
    },
    async download(guid) {
      const path = join(folder, 'Downloads', guid);
      const size = guidShape.test(guid) ? (await stat(path).catch(() => undefined))?.size : undefined;
      if (size === undefined) throw new ApiError('FILE_NOT_FOUND', 'There is no such download.');
      if (size > largestDownload)
        throw new ApiError(
          'PAYLOAD_TOO_LARGE',
          `The download has ${size} bytes; a script can read ${largestDownload}.`,
        );
      return readFile(path);
    },
  };
}

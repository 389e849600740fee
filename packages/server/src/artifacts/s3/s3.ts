/** The door to bytes in a bucket of S3, or of a server that speaks it. A key is the prefix and the place that a disk would have. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Blobs, type BorrowedFile, placeOf } from '../blobs.ts';
import { asStorageFull, LocalRoom } from '../local-room.ts';
import { S3Failure } from './failures.ts';
import { read } from './reading.ts';
import { S3Requests, type S3RequestsParts } from './requests.ts';
import { spool } from './spool.ts';
import { abortUploads, upload } from './upload.ts';
import { elementsOf, textOf } from './xml.ts';

export type { Credentials } from './requests.ts';
export { readS3Place } from './s3-place.ts';

export interface S3BlobsOptions extends S3RequestsParts {
  /** On this machine: bodies on their way, and files that are lent. It exists, and is empty. */
  folder: string;
  /** Room on its disk that is left alone. */
  reserveBytes: number;
  /** Of each part of a large body but the last; servers take no less than 5 MiB. */
  partBytes?: number;
}

/** A body has at most 10,000 parts. */
const mostParts = 9000;
/** The second where an answer has no body. */
const missing = ['NoSuchKey', '404'];

export function openS3Blobs(options: S3BlobsOptions): Blobs & Disposable {
  const { place, folder, reserveBytes, partBytes = 8 * 1024 ** 2 } = options;
  const requests = new S3Requests(options);
  const room = new LocalRoom(folder, reserveBytes);
  const keyOf = (id: string): string => `${place.prefix}${placeOf(id)}`;
  const localPath = (id: string): string => join(folder, `${id}-${randomUUID()}`);
  const remove = async (id: string): Promise<void> => {
    await requests.ask({ method: 'DELETE', key: keyOf(id) }).catch((error: unknown) => {
      if (!(error instanceof S3Failure && missing.includes(error.reason))) throw error;
    });
  };
  const borrow = async (id: string): Promise<BorrowedFile | undefined> => {
    const bytes = await read(requests, keyOf(id));
    if (!bytes) return undefined;
    const path = localPath(id);
    const giveBack = (): Promise<void> => rm(path, { force: true });
    try {
      await room.refuseWithout(0);
      await writeFile(path, room.watched(bytes), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      bytes.destroy();
      await giveBack();
      throw asStorageFull(error);
    }
    return { path, [Symbol.asyncDispose]: giveBack };
  };

  return {
    async put(id, chunks, expectedBytes) {
      await room.refuseWithout(expectedBytes);
      const sizes = { partBytes: Math.max(partBytes, Math.ceil(expectedBytes / mostParts)) };
      await using body = await spool(chunks, { path: localPath(id), room, ...sizes });
      await upload(requests, keyOf(id), body);
    },

    open: (id, range) => read(requests, keyOf(id), range),

    borrow,

    remove,

    async clear(id) {
      await abortUploads(requests, keyOf(id));
      await remove(id);
    },

    async rewrite(id, change) {
      const key = keyOf(id);
      try {
        const { headers } = await requests.ask({ method: 'HEAD', key });
        await using file = await borrow(id);
        if (!file || !(await change(file.path))) return false;
        const sizes = { partBytes, path: localPath(id), room };
        await using body = await spool(createReadStream(file.path), sizes);
        // What was removed meanwhile must not come back.
        await upload(requests, key, body, { 'if-match': headers.etag ?? '*' });
        return true;
      } catch (error) {
        if (error instanceof S3Failure && [...missing, 'PreconditionFailed', '412'].includes(error.reason))
          return false;
        throw error;
      }
    },

    async *ids(prefix) {
      for (let after = ''; ; ) {
        const query = { 'list-type': '2', prefix: place.prefix, ...(after && { 'start-after': after }) };
        const { body } = await requests.ask({ method: 'GET', query });
        const keys = elementsOf(body, 'Contents').flatMap((object) => textOf(object, 'Key') ?? []);
        for (const key of keys) if (basename(key).startsWith(prefix)) yield basename(key);
        const last = keys.at(-1);
        if (textOf(body, 'IsTruncated') !== 'true' || last === undefined) return;
        after = last;
      }
    },

    [Symbol.dispose]: () => requests[Symbol.dispose](),
  };
}

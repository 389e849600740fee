/**
 * Files of the service that pages of one Chromium may have: copies in its exchange folder, which it can read and
 * cannot change. Only what was lent, and what the policy still lets through, may be put into a file input.
 */
import { chown, constants, copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../errors.ts';
import { freeBytes } from '../../kit/disk-room.ts';
import type { Policy } from '../record/policy-schema.ts';
import { uploadRefusal } from './upload-policy.ts';

export interface LentFiles {
  setPolicy(policy: Policy): void;
  /** Chromium's own path of a file that was lent; undefined: it was not, or may no longer be used. */
  fileFor(path: string): string | undefined;
  /** Copies a file into Chromium's reach, once, from where `borrow` has it; the path is as Chromium sees it. */
  lend(file: LentFile, borrow: () => Promise<LentSource>): Promise<string>;
}

/** Where a file can be copied from until it is given back. */
export interface LentSource extends AsyncDisposable {
  readonly path: string;
}

export interface LentFile {
  id: string;
  name: string;
  mimeType: string;
}

export function createLentFiles(options: {
  folder: string;
  /** The same folder as Chromium sees it. */
  inside: string;
  user?: { uid: number; gid: number };
  reserveBytes: number;
  onRefused(refusal: { file: string; mimeType: string; rule: string; message: string }): void;
}): LentFiles {
  const { folder, inside, user, reserveBytes } = options;
  const lent = new Map<string, LentFile>();
  const lending = new Map<string, Promise<string>>();
  let policy: Policy = {};

  const refusalOf = (file: LentFile): ApiError | undefined => {
    const refusal = uploadRefusal(policy, file);
    const { name, mimeType } = file;
    if (refusal)
      options.onRefused({
        file: name,
        mimeType,
        rule: String(refusal.details.rule),
        message: refusal.message,
      });
    return refusal;
  };
  const copy = async (file: LentFile, borrow: () => Promise<LentSource>): Promise<string> => {
    const place = join(folder, file.id);
    await using source = await borrow();
    const { size } = await stat(source.path);
    if ((await freeBytes(folder)) < reserveBytes + size)
      throw new ApiError('STORAGE_FULL', 'The disk of the service has no room to hand this file to a page.');
    try {
      await mkdir(place, { mode: 0o711 });
      const target = join(place, file.name);
      await copyFile(source.path, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      if (user) await chown(target, user.uid, user.gid);
    } catch (error) {
      await rm(place, { recursive: true, force: true });
      throw error;
    }
    const path = join(inside, file.id, file.name);
    lent.set(path, file);
    return path;
  };

  return {
    setPolicy(now) {
      policy = now;
    },
    fileFor(path) {
      const file = lent.get(path);
      return file && !refusalOf(file) ? path : undefined;
    },
    async lend(file, borrow) {
      const refusal = refusalOf(file);
      if (refusal) throw refusal;
      const known = lending.get(file.id) ?? copy(file, borrow);
      lending.set(file.id, known);
      known.catch(() => lending.delete(file.id));
      return known;
    },
  };
}

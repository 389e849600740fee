/**
 * A folder that a box may write, held by a descriptor. A page that took its Chromium over can swap a file or a folder there
 * for a link at any moment, also between a look and a step, and a service that was started as root would then read, give
 * away or remove files of the machine. So every step begins at an open descriptor and goes by one name only, and links are
 * never followed:
 *
 *   open(p-1f3a…, no-follow) = 7 ──> open(/proc/self/fd/7/Default, no-follow) = 8 ──> unlink(/proc/self/fd/8/Cookies)
 *
 * The folder that is opened first lies in one that only the service may write. Systems without /proc have no such boxes
 * and no other user for them; there the path is used. What takes microseconds (a descriptor, a look, an empty folder) is
 * done at once, without a thread of the pool: changing threads would take most of the time that removing a profile takes.
 */
import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  rmdirSync,
  type Stats,
} from 'node:fs';
import { opendir, readdir } from 'node:fs/promises';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
const descriptors = '/proc/self/fd';
const hasDescriptors = existsSync(descriptors);

/** Read at once, and worked on at the same time. */
const entriesAtOnce = 64;
const mostFolders = 1000;
/** Of a folder itself; it grows with its entries. */
const largeBytes = 64 * 1024;

export class HeldFolder implements Disposable {
  readonly #descriptor: number;
  readonly #path: string;

  private constructor(descriptor: number, path: string) {
    this.#descriptor = descriptor;
    this.#path = hasDescriptors ? `${descriptors}/${descriptor}` : path;
  }

  /** Undefined when there is no such folder: nothing, a file or a link. */
  static open(path: string): HeldFolder | undefined {
    return HeldFolder.#open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  }

  /** One that only the service may write; an operator may have made it a link. */
  static openOwn(path: string): HeldFolder | undefined {
    return HeldFolder.#open(path, O_RDONLY | O_DIRECTORY);
  }

  static #open(path: string, flags: number): HeldFolder | undefined {
    try {
      return new HeldFolder(openSync(path, flags), path);
    } catch (error) {
      if (isNoFolder(error)) return undefined;
      throw error;
    }
  }

  /** For one step that follows no link at its last name. */
  at(name: string): string {
    if (name === '' || name === '.' || name === '..' || name.includes('/'))
      throw new Error(`${JSON.stringify(name)} is not the name of an entry.`);
    return `${this.#path}/${name}`;
  }

  folder(name: string): HeldFolder | undefined {
    return HeldFolder.open(this.at(name));
  }

  /** Of the entry itself; undefined when there is none. */
  stat(name: string): Stats | undefined {
    return lstatSync(this.at(name), { throwIfNoEntry: false });
  }

  /** Only an empty folder; says why it could not be removed. */
  removeEmpty(name: string): string | undefined {
    try {
      rmdirSync(this.at(name));
      return undefined;
    } catch (error) {
      return codeOf(error) ?? 'unknown';
    }
  }

  /**
   * Works on all that is no folder, a few at a time, because a page decides how many there are. Returns the names of folders,
   * and whether there were too many of them to go on.
   */
  async each(work: (entry: Dirent) => Promise<unknown>): Promise<{ folders: string[]; more: boolean }> {
    const folders: string[] = [];
    let batch: Promise<unknown>[] = [];
    for await (const entry of await this.#entries()) {
      if (entry.isDirectory()) folders.push(entry.name);
      else batch.push(work(entry));
      if (folders.length >= mostFolders) break;
      if (batch.length < entriesAtOnce) continue;
      await Promise.all(batch);
      batch = [];
    }
    await Promise.all(batch);
    return { folders, more: folders.length >= mostFolders };
  }

  /** All at once where they are few, which is quicker. */
  #entries(): Promise<Iterable<Dirent> | AsyncIterable<Dirent>> {
    const isLarge = fstatSync(this.#descriptor).size > largeBytes;
    return isLarge
      ? opendir(this.#path, { bufferSize: entriesAtOnce })
      : readdir(this.#path, { withFileTypes: true });
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const isNoFolder = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '');

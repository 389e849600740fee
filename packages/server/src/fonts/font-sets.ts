/**
 * The fonts of a project as files for its Chromiums. Chromium looks for fonts once, when it starts: so a folder with all of
 * them is there before, the same for every Chromium of the project that starts with the same fonts, and goes with the last.
 *
 *   fonts/9c41…/fonts.conf       what Chromium is started with: the fonts of the machine, and those beside it
 *               font_….ttf
 */
import { createHash } from 'node:crypto';
import { chown, constants, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptBytes } from '../artifacts/artifacts.ts';
import { removeTree } from '../process/process.ts';
import type { FontRecord, Store } from '../store/records.ts';

/** Fonts that a Chromium is to be started with. */
export interface ProjectFonts {
  /** The same for the same fonts. */
  readonly key: string;
  /** A folder with them, for as long as it is not disposed. */
  layOut(): Promise<FontFolder>;
}

export interface FontFolder extends AsyncDisposable {
  readonly folder: string;
}

export interface FontSetsParts {
  store: Pick<Store, 'fonts'>;
  bytes: Pick<KeptBytes, 'borrow'>;
  /** Exists, is empty, and is removed by its maker. */
  folder: string;
  /** That Chromium runs as, if it is another than the service's. */
  user: { uid: number; gid: number } | undefined;
}

type Member = Pick<FontRecord, 'id' | 'format'>;

export const configurationName = 'fonts.conf';
/** Its own folder, wherever Chromium sees it. */
const configuration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">.</dir>
</fontconfig>
`;

export class FontSets {
  readonly #parts: FontSetsParts;
  readonly #laidOut = new Map<string, { folder: Promise<string>; users: number }>();
  #made = 0;

  constructor(parts: FontSetsParts) {
    this.#parts = parts;
  }

  /** Undefined: the project has none. */
  async of(projectId: string): Promise<ProjectFonts | undefined> {
    const members = await this.#parts.store.fonts.ofProject(projectId);
    if (members.length === 0) return undefined;
    const names = [projectId, ...members.map(({ id }) => id)].join(' ');
    const key = createHash('sha256').update(names).digest('hex').slice(0, 32);
    return { key, layOut: () => this.#layOut(key, members) };
  }

  async #layOut(key: string, members: readonly Member[]): Promise<FontFolder> {
    const set = this.#laidOut.get(key) ?? { folder: this.#fill(key, members), users: 0 };
    this.#laidOut.set(key, set);
    set.users++;
    let left = false;
    const leave = async (): Promise<void> => {
      if (left) return;
      left = true;
      set.users--;
      if (set.users > 0) return;
      this.#laidOut.delete(key);
      const folder = await set.folder.catch(() => undefined);
      if (folder !== undefined) await removeTree(folder);
    };
    try {
      return { folder: await set.folder, [Symbol.asyncDispose]: leave };
    } catch (error) {
      await leave();
      throw error;
    }
  }

  async #fill(key: string, members: readonly Member[]): Promise<string> {
    const { user } = this.#parts;
    this.#made++;
    // One that goes and one that comes at the same time must not meet.
    const folder = join(this.#parts.folder, `${key}-${this.#made}`);
    const own = async (path: string): Promise<void> => {
      if (user) await chown(path, user.uid, user.gid);
    };
    await mkdir(folder, { mode: 0o700 });
    try {
      for (const { id, format } of members) {
        const file = join(folder, `${id}.${format}`);
        if (await this.#copy(id, file)) await own(file);
      }
      await writeFile(join(folder, configurationName), configuration);
      await own(join(folder, configurationName));
      await own(folder);
      return folder;
    } catch (error) {
      await removeTree(folder);
      throw error;
    }
  }
  /** False: it was deleted since it was listed. */
  async #copy(id: string, file: string): Promise<boolean> {
    await using borrowed = await this.#parts.bytes.borrow(id);
    if (!borrowed) return false;
    try {
      await copyFile(borrowed.path, file, constants.COPYFILE_FICLONE);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }
}

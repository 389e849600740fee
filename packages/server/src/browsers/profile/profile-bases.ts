/**
 * Versions of profiles, unpacked once for all browsers that read them: each gets a copy, which shares its bytes with the
 * others where the file system can.
 *
 *   archive ──first reader──> base, the service's own ──every reader──> its copy          idle for a minute, or deleted: gone
 */
import type { ProfileData, Profiles, ProfileVersionRecord } from '../../profiles/profiles.ts';
import { type ProfileFolders, prepareToShare, shareTree } from '../disk/disk.ts';

interface Base {
  profileId: string;
  users: number;
  /** Of the service alone: no Chromium may enter it. */
  unpacked: Promise<{ folder: string; data: ProfileData }>;
  idle?: NodeJS.Timeout;
}

const idleMs = 60_000;
/** They lie where running browsers have their profiles, which may be memory. */
const mostIdle = 4;

interface BasesParts {
  versions: Profiles['versions'];
  folders: ProfileFolders;
  /** The user of Chromium, where it is another than the service's. */
  owner: { uid: number; gid: number } | undefined;
}

export class ProfileBases {
  readonly #parts: BasesParts;
  readonly #bases = new Map<string, Base>();
  readonly #leaving = new Set<Promise<unknown>>();

  constructor(parts: BasesParts) {
    this.#parts = parts;
  }

  /** A folder of the caller's own, and what is to be put into the Chromium on it. */
  async copy(version: ProfileVersionRecord): Promise<{ folder: string; data: ProfileData }> {
    const base = this.#baseOf(version);
    clearTimeout(base.idle);
    base.users++;
    try {
      const { folder: from, data } = await base.unpacked;
      const { folders, owner } = this.#parts;
      const { folder } = await folders.makeWith((to) => shareTree(from, to, owner));
      return { folder, data };
    } finally {
      if (--base.users === 0) this.#restUnused(version.id, base);
    }
  }

  /** The profile is gone, and its copies for browsers to come with it. */
  drop(profileId: string): void {
    for (const [id, base] of this.#bases) if (base.profileId === profileId) this.#remove(id, base);
  }

  async close(): Promise<void> {
    for (const [id, base] of this.#bases) this.#remove(id, base);
    await Promise.allSettled(this.#leaving);
  }

  #baseOf(version: ProfileVersionRecord): Base {
    const known = this.#bases.get(version.id);
    if (known) return known;
    const base: Base = { profileId: version.profileId, users: 0, unpacked: this.#unpack(version) };
    this.#bases.set(version.id, base);
    base.unpacked.catch(() => this.#bases.delete(version.id));
    return base;
  }

  async #unpack(version: ProfileVersionRecord): Promise<{ folder: string; data: ProfileData }> {
    const { folders, versions } = this.#parts;
    const { folder, made } = await folders.makeOwn(async (to) => {
      const data = await versions.read(version, { folder: to });
      prepareToShare(to);
      return data;
    });
    // Local storage is in the files, unless it is newer than they are.
    return { folder, data: made.state.storageIsNewer ? made : { ...made, storage: [] } };
  }

  #restUnused(id: string, base: Base): void {
    if (this.#bases.get(id) !== base) {
      this.#discard(base);
      return;
    }
    base.idle = setTimeout(() => this.#remove(id, base), idleMs).unref();
    const idle = [...this.#bases].filter(([, { users }]) => users === 0);
    const [oldest] = idle;
    if (oldest && idle.length > mostIdle) this.#remove(...oldest);
  }

  /** One that is being copied goes when that is done. */
  #remove(id: string, base: Base): void {
    clearTimeout(base.idle);
    this.#bases.delete(id);
    if (base.users === 0) this.#discard(base);
  }

  #discard({ unpacked }: Base): void {
    const leaving = unpacked
      .then(({ folder }) => this.#parts.folders.remove(folder))
      .catch(() => undefined)
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }
}

/**
 * The versions of profiles. Each is made whole before it counts:
 *
 *   captured state ──> archive, its bytes noted as loose ──> compare-and-set on version and writer ──> the newest version
 *                                                        └── moved, over the quota: the bytes go, the profile stays as it was
 */
import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { KeptBytes } from '../artifacts/artifacts.ts';
import { ApiError } from '../errors.ts';
import { newId } from '../kit/id.ts';
import { KeyedMutex } from '../kit/mutex.ts';
import type {
  NewEvent,
  ProfileContents,
  ProfileRecord,
  ProfileVersionRecord,
  Store,
} from '../store/records.ts';
import {
  type Entry,
  filesIn,
  type ProfileData,
  packArchive,
  type Sealing,
  unpackArchive,
} from './archive/archive.ts';
import { type Captured, type Contents, contentsFrom } from './captured.ts';
import { cookieDomains } from './cookie-domains.ts';

export interface VersionsParts {
  store: Store;
  bytes: KeptBytes;
  /** Of each profile. */
  keep: number;
  /** The largest folder that is saved. */
  limitBytes: number;
  sealing?: Sealing;
}

export interface Origin {
  source: 'browser' | 'checkpoint' | 'import' | 'restore';
  browserId?: string;
  epoch?: number;
}

export const inUse = (profile: Pick<ProfileRecord, 'id' | 'name'>, browserId: string): ApiError =>
  new ApiError(
    'PROFILE_IN_USE',
    `Browser ${browserId} saves into the profile ${profile.name ?? profile.id}. Close it, wait for it (\`Prefer: wait=N\` on a create), or use the profile without \`save\`.`,
    { details: { profileId: profile.id, browserId } },
  );

export const profileGone = (ref: string): ApiError =>
  new ApiError(
    'PROFILE_NOT_FOUND',
    `There is no profile ${ref.slice(0, 200)} in this project. List them: GET /v1/profiles.`,
  );

export class ProfileVersions {
  readonly #parts: VersionsParts;
  readonly #turns = new KeyedMutex();

  constructor(parts: VersionsParts) {
    this.#parts = parts;
  }

  /** The bytes of a version that is no record yet. */
  async put(
    profile: Pick<ProfileRecord, 'id' | 'projectId'>,
    number: number,
    { data, files, light }: Contents,
    { source, browserId, epoch }: Origin,
  ): Promise<ProfileVersionRecord> {
    const { bytes, limitBytes, sealing } = this.#parts;
    const id = newId('version');
    const body = packArchive(data, files, { about: id, sealing });
    const { size, sha256 } = await bytes.takeIn(id, profile.projectId, { body, limitBytes });
    return {
      id,
      profileId: profile.id,
      projectId: profile.projectId,
      nodeId: bytes.place,
      version: number,
      createdAt: Date.now(),
      source,
      browserId: browserId ?? null,
      epoch: epoch ?? null,
      light: light ? 1 : 0,
      ...numbersOf(data),
      size,
      sha256,
    };
  }

  /** The next version of the profile as its caller saw it; throws when it has moved on, or there is no room. */
  async add(
    profile: ProfileRecord,
    contents: Contents,
    origin: Origin,
    event: (version: ProfileVersionRecord) => NewEvent,
  ): Promise<ProfileRecord> {
    const { store, bytes, keep } = this.#parts;
    const version = await this.put(profile, profile.version + 1, contents, origin);
    const added = await store.profiles.addVersion(
      version,
      { version: profile.version, writer: profile.writer },
      { keep, quotaBytes: bytes.quota.bytes, events: [event(version)] },
    );
    if (typeof added === 'string') {
      await bytes.discard(version.id);
      if (added === 'overQuota') throw bytes.quota.exceeded(await store.artifacts.usage(profile.projectId));
      throw await this.#moved(profile);
    }
    await this.discard(added.dropped);
    return added.record;
  }

  /** Saves what was captured of the browser that writes it. */
  save(
    writer: { profileId: string; projectId: string; browserId: string; epoch: number },
    captured: Captured,
  ): Promise<ProfileRecord> {
    const { profileId, projectId, browserId, epoch } = writer;
    return this.#turns.run(profileId, async () => {
      const profile = await this.#parts.store.profiles.get({ id: profileId }, projectId);
      if (!profile) throw profileGone(profileId);
      if (profile.writer !== browserId) throw await this.#moved(profile);
      const before = await this.find(profile);
      // Saved when its Chromium had ended: there is nothing newer.
      if (isFinal(before, browserId, epoch)) return profile;
      const source = captured.folder === undefined ? 'checkpoint' : 'browser';
      const contents = await this.contents(captured, before);
      if (source === 'checkpoint' && before && (await this.#isSame(before, contents))) return profile;
      return this.add(profile, contents, { source, browserId, epoch }, (version) => ({
        projectId,
        browserId,
        type: 'profile.saved',
        at: Date.now(),
        data: {
          profileId,
          name: profile.name ?? undefined,
          version: version.version,
          size: version.size,
          source,
        },
      }));
    });
  }

  contents(captured: Captured, before?: ProfileVersionRecord): Promise<Contents> {
    return contentsFrom(captured, {
      limitBytes: this.#parts.limitBytes,
      before: before && {
        light: before.light === 1,
        read: () => this.read(before),
        files: () => this.filesOf(before),
      },
    });
  }

  /** Undefined while nothing was saved. A version that is no longer kept: the newest one. */
  async find(profile: ProfileRecord, number = profile.version): Promise<ProfileVersionRecord | undefined> {
    const { profiles } = this.#parts.store;
    const found = await profiles.version(profile.id, number);
    if (found || profile.version === 0) return found;
    return (await profiles.versions(profile.id))[0];
  }

  async read(
    version: ProfileVersionRecord,
    into?: { folder: string; owner?: { uid: number; gid: number } | undefined },
  ): Promise<ProfileData> {
    return unpackArchive(await this.#open(version), this.#sealed(version), into);
  }

  async *filesOf(version: ProfileVersionRecord): AsyncGenerator<Entry> {
    yield* filesIn(await this.#open(version), this.#sealed(version));
  }

  async discard(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#parts.bytes.discard(id)));
  }

  async #isSame(before: ProfileVersionRecord, { data }: Contents): Promise<boolean> {
    const { state, storage } = await this.read(before);
    const { cookies, permissions } = data.state;
    return isDeepStrictEqual(
      { cookies: state.cookies, permissions: state.permissions, storage },
      // As it is once it was written: without what is undefined.
      JSON.parse(JSON.stringify({ cookies, permissions, storage: data.storage })),
    );
  }

  #sealed({ id: about }: ProfileVersionRecord): { about: string; sealing?: Sealing } {
    return { about, sealing: this.#parts.sealing };
  }

  async #open({ id, profileId, version }: ProfileVersionRecord): Promise<Readable> {
    const opened = await this.#parts.bytes.open(id);
    if (opened) return opened;
    throw new ApiError(
      'PROFILE_VERSION_NOT_FOUND',
      `Version ${version} of the profile ${profileId} is no longer kept. Try again with the newest.`,
    );
  }

  async #moved({ id, projectId }: ProfileRecord): Promise<ApiError> {
    const now = await this.#parts.store.profiles.get({ id }, projectId);
    if (!now) return profileGone(id);
    if (now.writer !== null) return inUse(now, now.writer);
    return new ApiError('PROFILE_CHANGED', `The profile ${id} was changed meanwhile. Try again.`);
  }
}

const isFinal = (version: ProfileVersionRecord | undefined, browserId: string, epoch: number): boolean =>
  version?.source === 'browser' && version.browserId === browserId && version.epoch === epoch;

export const numbersOf = ({ state, storage }: ProfileData): Omit<ProfileContents, 'size'> => ({
  cookieCount: state.cookies.length,
  cookieDomains: cookieDomains(state.cookies),
  origins: storage.length,
});

/**
 * The door to saved profiles: what browsers begin with and save into, kept on its own. Every call is for one project; what a
 * browser is, is not known here.
 */
import { ApiError } from '../errors.ts';
import type { EventType } from '../events/events.ts';
import { newId } from '../kit/id.ts';
import { type ListPage, type PageQuery, pageOfList } from '../kit/page-of-list.ts';
import type { NewEvent, ProfileRecord, ProfileRef, ProfileVersionRecord } from '../store/records.ts';
import type { Captured, Contents } from './captured.ts';
import type {
  CreateProfile,
  PatchProfile,
  Profile,
  ProfileHealth,
  ProfileVersion,
  StorageState,
} from './schema.ts';
import { fromStorageState, toStorageState } from './storage-state.ts';
import { inUse, numbersOf, ProfileVersions, profileGone, type VersionsParts } from './versions.ts';
import { profileView, versionView } from './view.ts';

export type { ProfileRecord, ProfileVersionRecord } from '../store/records.ts';
export {
  type Entry,
  filesOf,
  type ProfileData,
  packFolder,
  type Sealing,
  type Survey,
  surveyOf,
  unpackFolder,
} from './archive/archive.ts';
export type { Captured } from './captured.ts';
export { cookieDomains } from './cookie-domains.ts';
export type { OriginStorage } from './local-storage/local-storage.ts';
export { inUse, profileGone } from './versions.ts';

export interface ProfilesParts extends VersionsParts {
  bootId: string;
}

export interface CreateOptions {
  idempotencyKey: string;
  /** The profile that an earlier attempt of this very request made before the service was killed. */
  madeBefore?: string;
  /** What it begins with, of a browser. */
  captured?: Captured;
}

const expiredAtOnce = 100;

export class Profiles {
  readonly #parts: ProfilesParts;
  readonly versions: ProfileVersions;
  readonly #onDropped = new Set<(profileId: string) => void>();
  readonly #onFreed = new Set<(profileId: string) => void>();

  constructor(parts: ProfilesParts) {
    this.#parts = parts;
    this.versions = new ProfileVersions(parts);
  }

  /** Tells when a profile was deleted, so that copies of it go too. */
  whenDropped(tell: (profileId: string) => void): void {
    this.#onDropped.add(tell);
  }

  async create(projectId: string, input: CreateProfile, options: CreateOptions): Promise<Profile> {
    if (options.madeBefore) return profileView(await this.find(projectId, { id: options.madeBefore }));
    const { store, bytes, bootId } = this.#parts;
    const { name = null, metadata = {}, expiresAt = null, check = null } = input;
    if (name !== null && (await store.profiles.get({ name }, projectId))) throw nameTaken(name);
    const now = Date.now();
    const id = newId('profile');
    const contents = await this.#firstContents(input, options.captured);
    const source = options.captured ? ('browser' as const) : ('import' as const);
    const from = { source, ...(input.browserId !== undefined && { browserId: input.browserId }) };
    const first = contents && (await this.versions.put({ id, projectId }, 1, contents, from));
    const record: ProfileRecord = {
      id,
      projectId,
      name,
      metadata,
      createdAt: now,
      updatedAt: now,
      lastUsedAt: null,
      expiresAt,
      version: first?.version ?? 0,
      size: first?.size ?? 0,
      ...(contents ? numbersOf(contents.data) : { cookieCount: 0, cookieDomains: [], origins: 0 }),
      writer: null,
      signInCheck: check,
      health: null,
    };
    const outcome = await store.profiles.insert(record, {
      first,
      quotaBytes: bytes.quota.bytes,
      events: [eventOf(record, 'profile.created', { version: record.version })],
      idempotency: { key: options.idempotencyKey, bootId },
    });
    if (outcome === 'inserted') return profileView(record);
    if (first) await bytes.discard(first.id);
    throw outcome === 'nameTaken'
      ? nameTaken(name ?? '')
      : bytes.quota.exceeded(await store.artifacts.usage(projectId));
  }

  async #firstContents(
    { storageState }: CreateProfile,
    captured: Captured | undefined,
  ): Promise<Contents | undefined> {
    if (captured) return this.versions.contents(captured);
    if (!storageState) return undefined;
    const data = fromStorageState(storageState);
    return this.versions.contents({
      ...data.state,
      storage: async function* () {
        yield* data.storage;
      },
    });
  }

  async list(
    projectId: string,
    { name, metadata = {}, ...page }: PageQuery & { name?: string; metadata?: Record<string, string> },
  ): Promise<ListPage<Profile>> {
    const { profiles } = this.#parts.store;
    if (name === undefined)
      return pageOfList(page, (place) => profiles.list({ projectId, metadata, ...place }), profileView);
    const found = await profiles.get({ name }, projectId);
    const fits = found && Object.entries(metadata).every(([key, value]) => found.metadata[key] === value);
    return { items: fits ? [profileView(found)] : [], limit: page.limit, hasMore: false };
  }

  async get(projectId: string, id: string): Promise<Profile> {
    return profileView(await this.find(projectId, { id }));
  }

  /** Throws when there is none in the project. */
  async find(projectId: string, ref: ProfileRef): Promise<ProfileRecord> {
    const found = await this.#parts.store.profiles.get(ref, projectId);
    if (found) return found;
    throw profileGone('id' in ref ? ref.id : JSON.stringify(ref.name));
  }

  async patch(projectId: string, id: string, { check, ...patch }: PatchProfile): Promise<Profile> {
    const signInCheck = check === undefined ? {} : { signInCheck: check, health: null };
    const changes = { ...patch, ...signInCheck, updatedAt: Date.now() };
    const changed = await this.#parts.store.profiles.change(id, projectId, changes);
    if (changed === 'gone') throw profileGone(id);
    if (changed === 'nameTaken') throw nameTaken(patch.name ?? '');
    return profileView(changed);
  }

  /** When it returns, nothing of it is on the disk. */
  async remove(projectId: string, id: string): Promise<{ id: string; deleted: true }> {
    const profile = await this.find(projectId, { id });
    const outcome = await this.#parts.store.profiles.remove(id, projectId, [
      eventOf(profile, 'profile.deleted'),
    ]);
    if (outcome === 'gone') throw profileGone(id);
    if ('heldBy' in outcome) throw inUse(profile, outcome.heldBy);
    await this.versions.discard(outcome.dropped);
    for (const tell of this.#onDropped) tell(id);
    return { id, deleted: true };
  }

  async listVersions(projectId: string, id: string, query: PageQuery): Promise<ListPage<ProfileVersion>> {
    await this.find(projectId, { id });
    const all = await this.#parts.store.profiles.versions(id);
    const page = async ({ after, limit }: { after?: { id: string }; limit: number }) => {
      const from = after ? all.findIndex((version) => version.id === after.id) + 1 : 0;
      return all.slice(from, from + limit);
    };
    return pageOfList(query, page, versionView);
  }

  /** The same contents once more, as the newest version: nothing that was saved since is lost. */
  async restore(projectId: string, id: string, number: number): Promise<Profile> {
    const profile = await this.find(projectId, { id });
    if (profile.writer !== null) throw inUse(profile, profile.writer);
    const old = await this.#versionOf(profile, number);
    const contents = {
      data: await this.versions.read(old),
      files: this.versions.filesOf(old),
      light: old.light === 1,
    };
    const from = { source: 'restore' as const, ...(old.browserId !== null && { browserId: old.browserId }) };
    const restored = await this.versions.add(profile, contents, from, ({ version }) =>
      eventOf(profile, 'profile.restored', { from: number, version }),
    );
    return profileView(restored);
  }

  async #versionOf(profile: ProfileRecord, number: number): Promise<ProfileVersionRecord> {
    const found = await this.#parts.store.profiles.version(profile.id, number);
    if (found) return found;
    throw new ApiError(
      'PROFILE_VERSION_NOT_FOUND',
      `The profile ${profile.id} has no version ${number}. List them: GET /v1/profiles/${profile.id}/versions.`,
    );
  }

  /** Everything in it, in the clear: told as an event, before it is given. */
  async exportState(projectId: string, id: string, keyId: string): Promise<StorageState> {
    const profile = await this.find(projectId, { id });
    const version = await this.versions.find(profile);
    const event = eventOf(profile, 'profile.exported', { version: version?.version ?? 0, keyId });
    await this.#parts.store.profiles.change(id, projectId, {}, [event]);
    return version ? toStorageState(await this.versions.read(version)) : { cookies: [], origins: [] };
  }

  /** What a check has seen; a profile that is signed out is told as an event. */
  async noteHealth(projectId: string, id: string, state: ProfileHealth['state']): Promise<void> {
    const profile = await this.find(projectId, { id });
    const health = { state, checkedAt: new Date().toISOString() };
    const told =
      state === 'signed_out'
        ? [eventOf(profile, 'profile.signed_out', { url: profile.signInCheck?.url })]
        : [];
    await this.#parts.store.profiles.change(id, projectId, { health }, told);
  }

  /** A browser begins with it. */
  async used({ id, projectId }: Pick<ProfileRecord, 'id' | 'projectId'>): Promise<void> {
    await this.#parts.store.profiles.change(id, projectId, { lastUsedAt: Date.now() });
  }

  /** The browser saves into it no more. */
  async release(profileId: string, browserId: string): Promise<void> {
    if (await this.#parts.store.profiles.release(profileId, browserId)) this.#tellFreed(profileId);
  }

  /** Browsers that are over or gone hold no profile. */
  async releaseDead(): Promise<void> {
    for (const id of await this.#parts.store.profiles.releaseDead()) this.#tellFreed(id);
  }

  /** Resolves when it may be free: a browser of this node let it go, or some time has passed. */
  async freed(profileId: string, withinMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const hear = (id: string): void => {
      if (id === profileId) resolve();
    };
    const timer = setTimeout(resolve, withinMs);
    this.#onFreed.add(hear);
    await promise;
    clearTimeout(timer);
    this.#onFreed.delete(hear);
  }

  #tellFreed(profileId: string): void {
    for (const tell of this.#onFreed) tell(profileId);
  }

  /** Deletes those whose time is over; returns how many. */
  async sweepExpired(): Promise<number> {
    const past = await this.#parts.store.profiles.expired(Date.now(), expiredAtOnce);
    for (const { id, projectId } of past)
      await this.remove(projectId, id).catch((error: unknown) => {
        // Taken by a browser at this very moment: it stays until that is over.
        if (!(error instanceof ApiError)) throw error;
      });
    return past.length;
  }
}

const nameTaken = (name: string): ApiError =>
  new ApiError(
    'PROFILE_NAME_TAKEN',
    `Another profile of the project has the name ${JSON.stringify(name)}. Choose another.`,
  );

/** One that concerns no browser is under the id of the profile. */
const eventOf = (
  { id, projectId, name }: ProfileRecord,
  type: EventType,
  data: Record<string, unknown> = {},
): NewEvent => ({
  projectId,
  browserId: id,
  type,
  at: Date.now(),
  data: { profileId: id, name: name ?? undefined, ...data },
});

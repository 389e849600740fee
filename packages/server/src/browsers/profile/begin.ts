/**
 * A Chromium that begins with a saved profile:
 *
 *   only cookies and local storage, nothing saved back   a warm one, into which both are put
 *   anything else                                        a new one, on a copy of the files; cookies are put in after it is up
 */
import type { FontSets } from '../../fonts/fonts.ts';
import type { Engine } from '../../kit/engine.ts';
import type { Log } from '../../kit/log.ts';
import type { ProfileData, Profiles } from '../../profiles/profiles.ts';
import type { ProfileFolders } from '../disk/disk.ts';
import {
  type LiveBrowser,
  type LiveParts,
  type OpenOptions,
  openLive,
  type WantedExtension,
  type WarmBrowsers,
} from '../live/live.ts';
import type { Permissions } from '../record/record.ts';
import { fillAside, fillStorage } from '../running/running.ts';
import type { ProfileBases } from './profile-bases.ts';

export interface BeginParts {
  saved: Profiles;
  bases: ProfileBases;
  profiles: ProfileFolders;
  pool: WarmBrowsers;
  live: LiveParts;
  fonts: Pick<FontSets, 'of'>;
  log: Log;
}

export interface Wanted {
  projectId: string;
  profileId: string;
  version: number;
  /** Whether it is saved into. */
  writes: boolean;
  engine: Engine;
  extensions?: readonly WantedExtension[];
}

export interface Begun {
  live: LiveBrowser;
  /** What pages may do, where any of it was saved. */
  permissions?: Permissions;
  /** Begins to put in what a page needs only when it goes somewhere; to be called before one does. */
  putRest?(): void;
}

export async function beginWith(parts: BeginParts, wanted: Wanted, signal: AbortSignal): Promise<Begun> {
  const { saved, pool } = parts;
  const profile = await saved.find(wanted.projectId, { id: wanted.profileId });
  // What a writer saves comes after the newest.
  const version = await saved.versions.find(profile, wanted.writes ? undefined : wanted.version);
  void saved.used(profile).catch(() => undefined);
  const fonts = await parts.fonts.of(wanted.projectId);
  const { engine, extensions } = wanted;
  if (!version) return { live: await pool.take(engine, signal, extensions, fonts) };
  if (version.light === 1 && !wanted.writes) {
    const data = await saved.versions.read(version);
    const live = await pool.take(engine, signal, extensions, fonts);
    return putInto(parts, live, data, { isNew: true });
  }
  const { folder, data } = wanted.writes
    ? await unpacked(parts, (to) => saved.versions.read(version, to))
    : await parts.bases.copy(version);
  const live = await startOn(parts, { engine, folder, extensions, fonts, signal });
  return putInto(parts, live, data, { isNew: false });
}

async function unpacked(
  { profiles, live }: BeginParts,
  read: (to: { folder: string; owner?: { uid: number; gid: number } }) => Promise<ProfileData>,
): Promise<{ folder: string; data: ProfileData }> {
  const { folder, made } = await profiles.makeWith((to) => read({ folder: to, owner: live.isolation.user }));
  return { folder, data: made };
}

async function startOn(
  { live, profiles }: BeginParts,
  options: OpenOptions & { folder: string },
): Promise<LiveBrowser> {
  try {
    return await openLive(live, options);
  } catch (error) {
    await profiles.remove(options.folder);
    throw error;
  }
}

/** When it fails, the Chromium is ended, and its folder removed. */
async function putInto(
  { log }: BeginParts,
  live: LiveBrowser,
  { state, storage }: ProfileData,
  { isNew }: { isNew: boolean },
): Promise<Begun> {
  await using undo = new AsyncDisposableStack();
  undo.use(live);
  if (!isNew) await live.chromium.cdp.send('Storage.clearCookies');
  const cookies = putCookies(live, state.cookies);
  // A warm Chromium takes them as fast as any other command, but answers when its cookie store has begun.
  if (isNew) live.tabs.settled = cookies;
  else await cookies;
  const tell = (failed: { origin: string; error: Error }[]): void => {
    for (const { origin, error } of failed) log.warn({ err: error, origin }, 'profile.storage_not_filled');
  };
  const [first] = live.tabs.list();
  if (!isNew && first && state.storageIsNewer)
    tell(await fillStorage(live, first.tabId, storage, { replace: true }));
  undo.move();
  return {
    live,
    ...(isAny(state.permissions) && { permissions: state.permissions }),
    ...(isNew && { putRest: () => fillAside(live, storage, tell) }),
  };
}

const isAny = ({ permissions, origins }: Permissions): boolean =>
  Object.keys(permissions).length + Object.keys(origins).length > 0;

/** Chromium takes all of them or none; one that it refuses must not cost the others. */
export async function putCookies(
  { chromium: { cdp } }: LiveBrowser,
  cookies: ProfileData['state']['cookies'],
  browserContextId?: string,
): Promise<void> {
  if (cookies.length === 0) return;
  try {
    await cdp.send('Storage.setCookies', { cookies, browserContextId });
  } catch {
    for (const cookie of cookies)
      await cdp.send('Storage.setCookies', { cookies: [cookie], browserContextId }).catch(() => undefined);
  }
}

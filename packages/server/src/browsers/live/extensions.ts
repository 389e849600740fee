/**
 * Extensions of one Chromium. They are unpacked into its profile before it starts, because Chromium writes into the folder of
 * an extension (the index of its request rules), and loaded over the pipe once its policy holds, so that their first request
 * finds it.
 *
 *   profile/browserd-extensions/9c41…/extension_…   anew for each start: Chromium finds nothing under the paths it remembers
 *   profile/Default/Preferences                     no file: addresses for them, no incognito windows
 *
 * Chromium gives an unpacked extension access to files unless its preferences say otherwise, and looks there under two ids:
 * that of the extension and one made of its path.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chown, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cdp, CdpError, mayBeSeen } from '../../chromium/chromium.ts';
import { ApiError } from '../../errors.ts';
import { chromiumIdOf, type UsableExtension } from '../../extensions/extensions.ts';
import { HeldFolder, removeIn } from '../../process/process.ts';

/** One that a browser asked for, and how it gets to the disk. */
export interface WantedExtension extends UsableExtension {
  unpack(folder: string, owner: Owner): Promise<void>;
}

export interface LaidOutExtension {
  id: string;
  name: string;
  chromiumId: string;
  /** As Chromium sees it. */
  path: string;
}

type Owner = { uid: number; gid: number } | undefined;
type Json = Record<string, unknown>;

const place = 'browserd-extensions';
/** Chromium reads all of an extension, and makes the index of its rules, before it answers. */
const loadMs = 60_000;
const longestPreferences = 16 * 1024 ** 2;

/** Before Chromium runs on the folder, in which an earlier one may have left anything. `inside`: as Chromium sees it. */
export async function layOutExtensions(
  wanted: readonly WantedExtension[],
  { folder, inside, owner }: { folder: string; inside: string; owner: Owner },
): Promise<LaidOutExtension[]> {
  const own = async (path: string): Promise<void> => {
    if (owner) await chown(path, owner.uid, owner.gid);
  };
  using held = HeldFolder.open(folder);
  if (!held) throw new Error(`There is no profile folder ${folder}.`);
  await removeIn(held, place);
  const start = randomBytes(4).toString('hex');
  for (const path of [place, join(place, start)]) {
    await mkdir(join(folder, path), { mode: 0o755 });
    await own(join(folder, path));
  }
  const laidOut: LaidOutExtension[] = [];
  for (const extension of wanted) {
    const { id, name, chromiumId } = extension;
    const path = join(place, start, id);
    await mkdir(join(folder, path), { mode: 0o755 });
    await own(join(folder, path));
    await extension.unpack(join(folder, path), owner);
    laidOut.push({ id, name, chromiumId, path: join(inside, path) });
  }
  await writePreferences(held, laidOut, own);
  return laidOut;
}

async function writePreferences(
  held: HeldFolder,
  laidOut: readonly LaidOutExtension[],
  own: (path: string) => Promise<void>,
): Promise<void> {
  if (!held.stat('Default')) {
    await mkdir(held.at('Default'), { mode: 0o700 });
    await own(held.at('Default'));
  }
  using profile = held.folder('Default');
  if (!profile) throw new Error('The profile folder has no folder Default.');
  const preferences = withExtensions(await readPreferences(profile), laidOut);
  await removeIn(profile, 'Preferences');
  const path = profile.at('Preferences');
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  await using file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  await file.writeFile(JSON.stringify(preferences));
  await own(path);
}

/** What cannot be read Chromium would not have taken either: it begins anew. */
async function readPreferences(profile: HeldFolder): Promise<Json> {
  try {
    await using file = await open(profile.at('Preferences'), constants.O_RDONLY | constants.O_NOFOLLOW);
    const { size } = await file.stat();
    if (size > longestPreferences) return {};
    return objectOf(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (
      error instanceof SyntaxError ||
      ['ENOENT', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')
    )
      return {};
    throw error;
  }
}

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/**
 * What makes it one that is installed already: Chromium would miss its folder and give it access to files again. The rest,
 * such as the rules that it made while it ran, stays.
 */
const ofInstall = new Set(['path', 'location', 'creation_flags', 'disable_reasons']);

function withExtensions(preferences: Json, laidOut: readonly LaidOutExtension[]): Json {
  const extensions = objectOf(preferences.extensions);
  // Without those of paths of earlier starts.
  const known = Object.entries(objectOf(extensions.settings)).filter(
    ([, entry]) => objectOf(entry).path !== undefined,
  );
  const settings = Object.fromEntries(known);
  for (const { chromiumId, path } of laidOut) {
    const entry = Object.entries(objectOf(settings[chromiumId])).filter(([name]) => !ofInstall.has(name));
    settings[chromiumId] = { ...Object.fromEntries(entry), newAllowFileAccess: false };
    settings[chromiumIdOf(path)] = { newAllowFileAccess: false };
  }
  return {
    ...preferences,
    // Windows beside the browser's own context, whose downloads the service would not see.
    incognito: { ...objectOf(preferences.incognito), mode_availability: 1 },
    extensions: {
      ...extensions,
      settings,
      // Otherwise an extension that reloads itself stays off.
      ui: { ...objectOf(extensions.ui), developer_mode: true },
    },
  };
}

/** Over the service's own pipe; the filter has no such command for clients. */
export async function loadExtensions(cdp: Cdp, laidOut: readonly LaidOutExtension[]): Promise<void> {
  for (const { id, name, chromiumId, path } of laidOut) {
    const failed = (why: string) =>
      new ApiError('BROWSER_START_FAILED', `Chromium does not take the extension ${name} (${id}): ${why}`, {
        details: { extensionId: id },
      });
    const load = cdp.send('Extensions.loadUnpacked', { path }, { timeoutMs: loadMs });
    const loaded = await load.catch((error: unknown) => {
      throw error instanceof CdpError ? failed(error.reason.replaceAll(path, 'its package')) : error;
    });
    if (loaded.id !== chromiumId) throw failed('it came up under another id');
  }
}

/**
 * An extension can open what no page can: pages of Chromium's own, such as its settings. They are closed again before a caller
 * can do anything there. Clients have let go of such a tab, so it is not led back: where it was the only one, another is opened.
 */
export function keepOffOwnPages(cdp: Cdp, extensionIds: ReadonlySet<string>, tabCount: () => number): void {
  const look = ({ targetId, type, url }: { targetId: string; type: string; url: string }): void => {
    if (type !== 'page' || mayBeSeen(url, extensionIds)) return;
    void leave(cdp, targetId, tabCount()).catch(() => undefined);
  };
  cdp.on('Target.targetCreated', ({ targetInfo }) => look(targetInfo));
  cdp.on('Target.targetInfoChanged', ({ targetInfo }) => look(targetInfo));
}

async function leave(cdp: Cdp, targetId: string, tabs: number): Promise<void> {
  if (tabs <= 1) await cdp.send('Target.createTarget', { url: 'about:blank' });
  await cdp.send('Target.closeTarget', { targetId });
}

/** A Chromium on the profile that its browser had: on this machine, in the vault, or what is left without either. */
import type { Extensions } from '../../extensions/extensions.ts';
import type { BrowserRecord } from '../../store/records.ts';
import { type LiveBrowser, openLive, type WantedExtension } from '../live/live.ts';
import type { BeginParts } from '../profile/profile.ts';
import { settingsIn } from '../record/record.ts';
import type { Restored, Vault } from '../vault/vault.ts';

export interface ReopenParts extends BeginParts {
  extensions: Extensions;
  /** Where other nodes can reach profiles; undefined on a machine that is alone. */
  vault?: Vault | undefined;
}

export interface Reopened extends Omit<Restored, 'folder'> {
  live: LiveBrowser;
}

/** First on the folder that it had in the epoch in which it last ran; when Chromium cannot come up on it, on a new one. */
export async function reopen(
  parts: ReopenParts,
  record: BrowserRecord,
  ranEpoch: number | undefined,
  signal: AbortSignal,
): Promise<Reopened> {
  const { engine } = settingsIn(record);
  const extensions = await wantedExtensions(parts.extensions, record);
  const fonts = await parts.fonts.of(record.projectId);
  signal.throwIfAborted();
  const { folder, lost, isOlder } = await (parts.vault?.restore(record, ranEpoch, signal) ??
    ownFolder(parts, record));
  if (folder === undefined)
    return { live: await parts.pool.take(engine, signal, extensions, fonts), lost, isOlder: false };
  await parts.profiles.assign(folder, record.id);
  try {
    return { live: await openLive(parts.live, { engine, folder, extensions, fonts, signal }), lost, isOlder };
  } catch (error) {
    signal.throwIfAborted();
    // If a new folder does not work either, the fault is the machine's and this one is still good.
    const live = await parts.pool.take(engine, signal, extensions, fonts);
    parts.log.warn({ err: error, browserId: record.id }, 'browser.profile_unusable');
    await parts.profiles.forget(record.id);
    const unusable = 'IndexedDB, caches and service workers: Chromium could not open the profile folder';
    return { live, lost: [unusable], isOlder: false };
  }
}

/** The one that it ran on or was stopped with. */
async function ownFolder({ profiles }: ReopenParts, { id }: BrowserRecord): Promise<Restored> {
  const folder = await profiles.reclaim(id);
  if (folder !== undefined) return { folder, isOlder: false, lost: [] };
  return { isOlder: false, lost: ['IndexedDB, caches and service workers: the profile folder is gone'] };
}

/** They are held for as long as the record, so they are there. */
export async function wantedExtensions(
  extensions: Extensions,
  record: BrowserRecord,
): Promise<WantedExtension[]> {
  const { extensions: ids = [] } = settingsIn(record);
  if (ids.length === 0) return [];
  const found = await extensions.find(record.projectId, ids);
  return found.map((extension) => ({
    ...extension,
    unpack: (folder, owner) => extensions.unpack(extension, folder, owner),
  }));
}

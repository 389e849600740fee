/**
 * The profile folder with which a browser comes back on this node, in this order:
 *
 *   its own, if this node is its home: no other has run it since
 *   the packed one of the vault: whole after a stop, otherwise as old as the last time it was saved
 *   none: then what the checkpoint has is all
 */
import { ApiError } from '../../errors.ts';
import type { Log } from '../../kit/log.ts';
import type { BrowserRecord } from '../../store/records.ts';
import type { ProfileFolders } from '../disk/disk.ts';
import { type ProfileVault, StorageAwayError, UnusableProfileError } from './profile-vault.ts';

export interface RestoreParts {
  vault: ProfileVault;
  profiles: ProfileFolders;
  log: Log;
  nodeId: string;
  /** The user of Chromium, where it is another than the service's. */
  owner: { uid: number; gid: number } | undefined;
}

export interface Restored {
  /** In the scratch folder, not yet assigned; undefined when there is none. */
  folder?: string;
  /** It is older than the checkpoint: what that has goes over it. */
  isOlder: boolean;
  /** In words, for its owner. */
  lost: string[];
}

/** A stopped browser stays stopped: all that it has is there, and can be had later. */
export class ProfileAwayError extends ApiError {
  constructor(browserId: string, cause: Error) {
    super(
      'STORE_UNAVAILABLE',
      `The profile of browser ${browserId} cannot be read now: ${cause.message}. The browser stays stopped, and nothing of it is lost. Try again.`,
      { cause },
    );
  }
}

const siteData = 'IndexedDB, caches and service workers';

/** `ranEpoch` is the last in which it is known to have run. */
export async function restoreFolder(
  parts: RestoreParts,
  record: BrowserRecord,
  ranEpoch: number | undefined,
  signal: AbortSignal,
): Promise<Restored> {
  const { profiles, nodeId, log, owner } = parts;
  const { id, vault, vaultAt } = record;
  if (record.nodeId === nodeId) {
    const folder = await profiles.reclaim(id);
    if (folder !== undefined) return { folder, isOlder: false, lost: [] };
    // What it had here is of the time before it ran elsewhere.
  } else await profiles.forget(id);
  if (vault === null || vaultAt === null)
    return { isOlder: false, lost: [`${siteData}: they lay on another machine, and had not been saved yet`] };
  try {
    const { folder, made } = await profiles.makeWith((to) =>
      parts.vault.unpack(record, { folder: to, owner }, signal),
    );
    const isWhole = made.hasEnded && made.epoch >= (ranEpoch ?? 0);
    return { folder, isOlder: !isWhole, lost: isWhole ? [] : [changedAfter(vaultAt)] };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof StorageAwayError && record.status === 'resuming')
      throw new ProfileAwayError(id, error);
    log.warn({ err: error, browserId: id }, 'vault.not_restored');
    return { isOlder: false, lost: [`${siteData}: the saved profile could not be used: ${told(error)}`] };
  }
}

/** Paths of this machine are not the owner's business. */
const told = (error: unknown): string =>
  error instanceof UnusableProfileError || error instanceof StorageAwayError || error instanceof ApiError
    ? error.message
    : 'an internal fault; the log has it';

export interface BorrowedFolder extends AsyncDisposable {
  readonly folder: string;
}

/** Undefined when it has its own on this node, or none in the vault. Removed when it is given back. */
export async function borrowFolder(
  { vault, profiles, nodeId, log }: RestoreParts,
  record: BrowserRecord,
): Promise<BorrowedFolder | undefined> {
  if (record.vault === null) return undefined;
  if (record.nodeId === nodeId && (await profiles.find(record.id)) !== undefined) return undefined;
  try {
    const uncut = new AbortController().signal;
    const { folder } = await profiles.makeOwn((to) => vault.unpack(record, { folder: to }, uncut));
    return { folder, [Symbol.asyncDispose]: async () => void (await profiles.remove(folder)) };
  } catch (error) {
    if (error instanceof StorageAwayError) throw new ProfileAwayError(record.id, error);
    log.warn({ err: error, browserId: record.id }, 'vault.not_restored');
    return undefined;
  }
}

function changedAfter(at: number): string {
  const seconds = Math.max(0, Math.round((Date.now() - at) / 1000));
  const age = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `${siteData} changed after ${new Date(at).toISOString()}: they are those of the profile saved then, ${age} ago`;
}

/**
 * The profile folder with which a browser comes back on this node, in this order:
 *
 *   its own, if this node is its home: no other has run it since
 *   the packed one of the vault: whole after a stop, as old as the last snapshot otherwise
 *   none: then what the checkpoint has is all
 */
import type { Log } from '../../kit/log.ts';
import type { BrowserRecord } from '../../store/records.ts';
import type { ProfileFolders } from '../disk/disk.ts';
import type { ProfileVault } from './profile-vault.ts';

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

const siteData = 'IndexedDB, caches and service workers';

export async function restoreFolder(
  parts: RestoreParts,
  record: BrowserRecord,
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
    const { folder } = await profiles.makeWith((to) =>
      parts.vault.unpack(record, { folder: to, owner }, signal),
    );
    const isWhole = record.stoppedAt !== null && vaultAt >= record.stoppedAt;
    return { folder, isOlder: !isWhole, lost: isWhole ? [] : [changedAfter(vaultAt)] };
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error, browserId: id }, 'vault.not_restored');
    const why = (error as Error).message;
    return { isOlder: false, lost: [`${siteData}: the saved profile could not be used: ${why}`] };
  }
}

function changedAfter(at: number): string {
  const seconds = Math.max(0, Math.round((Date.now() - at) / 1000));
  const age = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `${siteData} changed after ${new Date(at).toISOString()}: they are those of the profile saved then, ${age} ago`;
}

/** What is kept of browsers where all nodes can reach it, so that any of them can bring a browser back. Only in a cluster. */
import type { Events } from '../../events/events.ts';
import type { Log } from '../../kit/log.ts';
import type { KeyedMutex } from '../../kit/mutex.ts';
import type { BrowserRecord, Store } from '../../store/records.ts';
import type { ProfileFolders } from '../disk/disk.ts';
import type { Running } from '../running/running.ts';
import { removeLeftovers } from './leftovers.ts';
import { ProfileVault, type VaultParts } from './profile-vault.ts';
import { type Restored, restoreFolder } from './restore.ts';
import { Snapshots } from './snapshots.ts';
import { StoppedProfiles } from './stopped-profiles.ts';

export type { Restored } from './restore.ts';

export interface Vault extends AsyncDisposable {
  /** From now on the profile of this browser is saved while it runs. */
  follow(running: Running, record: BrowserRecord): void;
  /**
   * Its Chromium has ended, its folder is where `find` says; `at` is when it stopped. Returns whether the profile was put in
   * time; if not, it follows while this node lives and the browser stays as it is.
   */
  keepEnded(record: BrowserRecord, at: number): Promise<boolean>;
  /**
   * Puts the profiles of stopped browsers that an earlier run of the service did not get to, and removes what other nodes
   * leave to this one. `turn` is held while anything is under way with a browser.
   */
  start(stopped: readonly BrowserRecord[], turn: KeyedMutex): void;
  /** What a browser comes back with on this node. */
  restore(record: BrowserRecord, signal: AbortSignal): Promise<Restored>;
  /** The browser is over: nothing of it is kept. */
  forget(record: BrowserRecord): Promise<void>;
}

export interface OpenVaultParts extends VaultParts {
  store: Store;
  events: Events;
  profiles: ProfileFolders;
  log: Log;
  nodeId: string;
  bootId: string;
  /** The user of Chromium, where it is another than the service's. */
  owner: { uid: number; gid: number } | undefined;
  /** The shortest time between two saved profiles of a browser that runs. */
  intervalMs: number;
}

export function openVault(parts: OpenVaultParts): Vault {
  const vault = new ProfileVault(parts);
  const snapshots = new Snapshots({ ...parts, vault });
  const stopped = new StoppedProfiles({ ...parts, vault, settled: (id) => snapshots.settled(id) });
  let leftovers: AsyncDisposable | undefined;
  return {
    follow: (running, record) => snapshots.follow(running, record),
    keepEnded: (record, at) => stopped.keep(record, at),
    start(records, turn) {
      void stopped.catchUp(records);
      leftovers = removeLeftovers({ ...parts, turn });
    },
    restore: (record, signal) => restoreFolder({ ...parts, vault }, record, signal),
    forget: (record) => vault.forget(record),
    async [Symbol.asyncDispose]() {
      await leftovers?.[Symbol.asyncDispose]();
      await stopped.close();
    },
  };
}

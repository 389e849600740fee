/** What is kept of browsers where all nodes can reach it, so that any of them can bring a browser back. Only in a cluster. */
import type { Events } from '../../events/events.ts';
import type { Log } from '../../kit/log.ts';
import type { KeyedMutex } from '../../kit/mutex.ts';
import type { BrowserRecord, Store } from '../../store/records.ts';
import type { ProfileFolders } from '../disk/disk.ts';
import type { Running } from '../running/running.ts';
import { removeLeftovers } from './leftovers.ts';
import { ProfileVault, type VaultParts } from './profile-vault.ts';
import { type BorrowedFolder, borrowFolder, type Restored, restoreFolder } from './restore.ts';
import { RunningProfiles } from './running-profiles.ts';
import { type Kept, StoppedProfiles } from './stopped-profiles.ts';
import { StorageProbe } from './storage-probe.ts';
import { untilWhole } from './whole.ts';

export { ProfileAwayError, type Restored } from './restore.ts';
export type { Kept } from './stopped-profiles.ts';

export interface Vault extends AsyncDisposable {
  /** From now on the profile of this browser is saved while it runs. */
  follow(running: Running, record: BrowserRecord): void;
  /**
   * Its Chromium has ended, its folder is where `find` says; `at` is when it stopped. What could not be put in time follows
   * while this node lives and the browser stays as it is. With `until`, a moment of `performance.now()`, it has that time.
   */
  keepEnded(record: BrowserRecord, at: number, until?: number): Promise<Kept>;
  /** Whether the profile of this browser could be put now; tried until that moment of `performance.now()`. */
  takesProfile(record: Pick<BrowserRecord, 'projectId'>, until: number): Promise<boolean>;
  /**
   * Puts the profiles of stopped browsers that an earlier run of the service did not get to, and removes what other nodes
   * leave to this one. `turn` is held while anything is under way with a browser.
   */
  start(stopped: readonly BrowserRecord[], turn: KeyedMutex): void;
  /**
   * What a browser comes back with on this node; `ranEpoch` is the last in which it is known to have run. Fails with
   * `ProfileAwayError` when it was stopped whole, and is better left so until the storage is back.
   */
  restore(record: BrowserRecord, ranEpoch: number | undefined, signal: AbortSignal): Promise<Restored>;
  /**
   * Resolves when a stopped browser can be resumed here without a loss that waiting would prevent: its home is about to put its
   * profile. Fails with `ProfileAwayError` when that takes too long.
   */
  untilWhole(record: BrowserRecord, signal: AbortSignal): Promise<void>;
  /** The files of a stopped browser that has none here, for as long as they are needed. */
  borrow(record: BrowserRecord): Promise<BorrowedFolder | undefined>;
  /** The releases of Chromium that can use profiles here, by engine; one that does not say is left out. */
  majors(): Promise<Record<string, number>>;
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
  /** Whether another node is alive. */
  isUp(nodeId: string): boolean;
  /** The shortest time between two saved profiles of a browser that runs. */
  intervalMs: number;
}

export function openVault(parts: OpenVaultParts): Vault {
  const vault = new ProfileVault(parts);
  const running = new RunningProfiles({ ...parts, vault });
  const stopped = new StoppedProfiles({ ...parts, vault, settled: (id) => running.settled(id) });
  const probe = new StorageProbe(parts);
  let leftovers: AsyncDisposable | undefined;
  return {
    follow: (browser, record) => running.follow(browser, record),
    keepEnded: (record, at, until) => stopped.keep(record, at, until),
    takesProfile: ({ projectId }, until) => probe.takesBytes(projectId, until),
    start(records, turn) {
      void stopped.catchUp(records);
      leftovers = removeLeftovers({ ...parts, turn });
    },
    restore: (record, ranEpoch, signal) => restoreFolder({ ...parts, vault }, record, ranEpoch, signal),
    untilWhole: (record, signal) => untilWhole(parts, record, signal),
    borrow: (record) => borrowFolder({ ...parts, vault }, record),
    majors: () => majorsOf(parts),
    forget: (record) => vault.forget(record),
    async [Symbol.asyncDispose]() {
      await leftovers?.[Symbol.asyncDispose]();
      await stopped.close();
    },
  };
}

async function majorsOf({ majorOf }: Pick<VaultParts, 'majorOf'>): Promise<Record<string, number>> {
  const engines = ['shell', 'full'] as const;
  const found = await Promise.all(engines.map(async (engine) => [engine, await majorOf(engine)] as const));
  return Object.fromEntries(
    found.filter((each): each is [(typeof engines)[number], number] => each[1] !== undefined),
  );
}

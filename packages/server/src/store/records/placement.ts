/** Which boot holds which browser, and which browsers wait for one. */
import type { BrowserRecord } from './browsers.ts';
import type { ClaimLimits } from './line.ts';
import type { NodeState } from './nodes.ts';

/** Where a browser is; of its holder, when it has one. */
export interface Located {
  status: string;
  epoch: number;
  holder: string | null;
  nodeId: string | null;
  address: string | null;
  state: NodeState | null;
}

export interface PlacementTable {
  /**
   * Makes this boot the holder of browsers that wait for one: those that were running first, then one of each project in
   * turn. None while the boot is not `up`. Others than the home may claim once a browser has waited for the head start, and
   * those whose Chromium is too old for its packed profile after half a minute, without that profile.
   */
  claim(
    by: { bootId: string; nodeId: string; limit: number; headStartMs: number } & ClaimLimits,
  ): Promise<BrowserRecord[]>;
  locate(browserId: string, projectId?: string): Promise<Located | undefined>;
  ofHolder(bootId: string): Promise<Pick<BrowserRecord, 'id' | 'epoch' | 'status'>[]>;
  /** Stopped and failed browsers past their time, which no boot holds; the longest overdue first. */
  overdue(now: number, limit: number): Promise<BrowserRecord[]>;
  /** Creates that have waited in line for as long as they would; the longest overdue first. */
  lapsed(now: number, limit: number): Promise<string[]>;
  /** How many more browsers the other boots could hold that are up and have given a sign within that time. */
  roomBeside(bootId: string, withinMs: number): Promise<number>;
  /** How many browsers wait for a holder. */
  homeless(): Promise<number>;
  /** Which of these are `creating`, whether a boot holds them or not. */
  creating(browserIds: readonly string[]): Promise<Set<string>>;
  /** From 1, in the order in which they are claimed; those that do not wait are left out. */
  positions(browserIds: readonly string[]): Promise<Map<string, number>>;
  /** Calls back when a browser may have begun to wait. The return value is the off switch. */
  watch(heard: () => void): () => void;
}

export interface TurnTable {
  /**
   * The right to do a chore now, given once in a period over all nodes. Undefined: it was given already. `calmSince` is
   * since when the chore has been done without a gap longer than `gapMs`; `now` is the time of the database.
   */
  take(
    name: string,
    periodMs: number,
    gapMs?: number,
  ): Promise<{ calmSince: number; now: number } | undefined>;
}

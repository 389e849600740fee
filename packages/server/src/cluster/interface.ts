/** What the rooms above know of this node among others. Alone on its database or not, it looks the same to them. */
import type { BrowserRecord, ClaimLimits, NodeState } from '../store/records.ts';

/** A node as the others see it. */
export interface Member {
  id: string;
  bootId: string;
  /** Where it is reached, `host:port`; null for one that works alone. */
  address: string | null;
  state: NodeState;
  version: string | null;
  zone: string | null;
  /** Browsers that it may run, runs, and has warm Chromiums for. */
  capacity: number;
  used: number;
  warm: number;
  /** Since its last sign of life, by the clock of the database. */
  silentMs: number;
  startedAt: number;
}

/** The right to let bytes out. It is lost without any news: ask at each use. */
export interface Lease {
  held(): boolean;
  /** Told when it is lost or regained, as soon as that is noticed. The return value is the off switch. */
  onChange(listener: (held: boolean) => void): () => void;
}

/** Where to ask for a browser. */
export type Whereabouts =
  /** This boot holds it; `comesUp`: its Chromium is being started. */
  | { at: 'here'; comesUp: boolean }
  /** No boot holds it: it is stopped or over, or `waits` for one. */
  | { at: 'nowhere'; waits: boolean }
  | { at: 'member'; member: Member; epoch: number }
  /** There is no such record. */
  | { at: 'unknown' };

export interface Load {
  used: number;
  capacity: number;
  warm: number;
}

export interface Claims extends Disposable {
  /** Looks at once, such as when there is room again. */
  look(): void;
}

export interface Cluster extends AsyncDisposable {
  /** Kept over restarts, so that the node finds its browsers again. */
  readonly id: string;
  /** Tells the runs of the node apart. */
  readonly bootId: string;
  /** No other node is expected: nothing is passed on, claimed or asked. */
  readonly alone: boolean;
  readonly lease: Lease;
  /** Why this run must end at once: it was declared gone, or another one has its place. Never settles otherwise. */
  readonly replaced: Promise<string>;
  /** Settles once the table says that this boot is to drain: the operator asked for it, at whichever node. */
  readonly drainAsked: Promise<void>;
  /** The latest look, own included; those that are gone are left out. */
  members(): readonly Member[];
  /** With a project, its browsers alone: those of others are unknown. */
  locate(browserId: string, projectId?: string): Promise<Whereabouts>;
  /** Two others with room, taken at random, the roomier first; fewer when there are not so many. */
  roomiest(): Member[];
  /** A browser was sent there to be made: until the next look the node counts as fuller by one. */
  noteSent(bootId: string): void;
  /** By which nodes know each other; the same on all of them. */
  secret(): Promise<Uint8Array>;
  /**
   * Claims browsers that wait for a holder while `room` says how many more may be started now, and hands them to `adopt`,
   * which counts them in `room` from then on.
   */
  startClaims(
    adopt: (records: BrowserRecord[]) => void,
    room: () => number,
    /** Which creates are left in line. */
    limits?: () => ClaimLimits,
  ): Claims;
  /** What each sign of life tells the others. */
  report(load: () => Load): void;
  /** From here on it takes nothing more; what it holds, it keeps. */
  draining(): Promise<void>;
}

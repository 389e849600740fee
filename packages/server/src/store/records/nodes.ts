/**
 * The nodes of the database: machines that run browsers. A node is its data folder, a boot is one run of it, and holds
 * browsers while it is `up` or `draining`. Whether it is alive is judged by the database's clock alone.
 */
import type { BrowserRecord } from './browsers.ts';

export type NodeState = 'up' | 'draining' | 'gone';

export interface NodeRecord {
  id: string;
  /** Changes with every start of the service. */
  bootId: string;
  startedAt: number;
  /** The last sign of life by the clock of the node; 0: it left in good order. */
  heartbeatAt: number;
  state: NodeState;
  /** Where other nodes reach it, `host:port`. Null: it works alone. */
  address: string | null;
  version: string | null;
  zone: string | null;
  /** The engines that it has, with their versions; opaque to the store. */
  engines: string | null;
  /** Browsers that it may run, runs, and has warm Chromiums for. */
  capacity: number;
  used: number;
  warm: number;
  /** The last sign of life by the clock of the database. */
  renewedAt: number;
  goneAt: number | null;
}

export type NewNode = Pick<NodeRecord, 'id' | 'bootId' | 'startedAt' | 'heartbeatAt'> &
  Partial<Pick<NodeRecord, 'address' | 'version' | 'zone' | 'engines' | 'capacity'>>;

/** `age`: for how long it has been silent, by the clock of the database. */
export type NodeSeen = NodeRecord & { age: number };

/** Which other boots may be alive. */
export interface Hearing {
  /** By the clock of the node that asks. */
  since: number;
  /** They were watched, and gave no further sign. */
  silent: readonly Pick<NodeRecord, 'bootId' | 'heartbeatAt'>[];
  /** The boot of this node before, which is known to be over. */
  ownBefore: string | undefined;
}

/**
 * Why a boot is over. After `restart` and `crash` its node may be back at once, and has a head start to its browsers, whose
 * profiles it has on its disk; after `lease` and `drain` it has none.
 */
export type BurialCause = 'restart' | 'crash' | 'lease' | 'drain';

export interface NodeTable {
  /**
   * Registers this boot of a node that works alone, unless others may be alive: then it returns them, and registers nothing.
   * Without `hearing` it does not look. The browsers of the boot before, which the lock of the data folder proves dead, are
   * held by this one, as they are. All other boots are over: those are buried.
   */
  boot(node: NewNode, hearing?: Hearing): Promise<NodeSeen[]>;
  /**
   * Registers this boot of a node among others, and buries the one before it in the same transaction. When that one has a live
   * lease and is not known to be `ownBefore`, or a node that works alone is alive, it returns them and registers nothing.
   */
  join(
    node: NewNode & { address: string },
    about: { ttlMs: number; ownBefore: string | undefined },
  ): Promise<NodeSeen[]>;
  /**
   * The lease of this boot begins anew. Undefined: it was declared gone, or another boot has its place, and it must end. With a
   * limit of time it has a connection of its own, and fails once when it is over.
   */
  renew(
    boot: { bootId: string; used?: number; warm?: number; capacity?: number },
    limit?: { timeoutMs: number },
  ): Promise<{ at: number } | undefined>;
  /** In good order: what it still holds waits for another holder, and has no home to wait for. */
  leave(bootId: string): Promise<void>;
  /** It takes nothing more. False: it is gone. */
  drain(bootId: string): Promise<boolean>;
  /**
   * Buries boots whose lease is over, when it is time to look and no other node does. After a third of a lease in which no node
   * looked, such as when the database was away, every lease has its full time once more. Returns the boots.
   */
  reap(lease: { ttlMs: number; heartbeatMs: number; headStartMs: number }): Promise<string[]>;
  /** Declares a boot gone; its browsers wait for another holder and are returned. None when it was gone already. */
  bury(bootId: string, cause: BurialCause, headStartMs: number): Promise<BrowserRecord[]>;
  /**
   * Nodes that have been gone for so long, by the clock of the database, are no longer known, nor is what was loose on their disks.
   * One that had something under way stays until that was taken over. Returns how many of each there were.
   */
  forgetGone(goneForMs: number): Promise<{ nodes: number; blobs: number }>;
  /** Oldest first, also those that are gone. */
  list(): Promise<NodeSeen[]>;
  /** What time it is by the clock of the database. */
  clock(): Promise<number>;
}

/** A browser and its last saved state. Every change names the status or epoch it expects, so that of two writers only one wins. */
import type { Part } from '../../kit/page-of-list.ts';
import type { NewEvent } from './events.ts';
import type { LineLimits } from './line.ts';

export interface BrowserRecord {
  id: string;
  projectId: string;
  status: string;
  statusReason: string | null;
  name: string | null;
  metadata: Record<string, string>;
  /** What the create asked for, beyond the columns here; opaque to the store. */
  settings: Record<string, unknown>;
  createdAt: number;
  readyAt: number | null;
  lastActionAt: number;
  expiresAt: number;
  stoppedAt: number | null;
  closedAt: number | null;
  /** The answer of the first delete, kept so that deleting again answers the same. */
  receipt: Record<string, unknown> | null;
  maxDuration: number;
  idleTimeout: number | null;
  epoch: number;
  /** Recoveries since the browser last made progress. */
  recoveries: number;
  /** How often the service died while it was up, since it last was up for long. */
  serviceDeaths: number;
  /** What became of the page that the create asked for; opaque to the store. */
  startPage: Record<string, unknown> | null;
  tabs: number;
  /** While it runs: whether it waits for a person or is held by one, as of its last saved state; opaque to the store. */
  handoff: Record<string, unknown> | null;
  /** The home: the node where a local copy of its profile may lie. */
  nodeId: string | null;
  /** The boot that may run it. Null: none, because it is stopped or over, or waits for one. */
  holder: string | null;
  /** Since when it waits for a holder, by the database's clock. */
  queuedAt: number | null;
  /** Until when a create waits in line, also when the node that took it is lost. */
  queuedUntil: number | null;
  /** The id of the bytes of its packed profile that is in force. */
  vault: string | null;
  vaultAt: number | null;
  /** Which Chromium wrote that profile, and of which release; null when it is not known. */
  vaultEngine: string | null;
  vaultMajor: number | null;
}

export interface Expected {
  status?: string | readonly string[];
  epoch?: number;
  holder?: string | null;
  /** That the project has no more browsers with a holder than this, over all nodes, when it is done. */
  mostOfProject?: number;
}

export interface BrowserQuery {
  projectId: string;
  status?: readonly string[];
  metadata?: Record<string, string>;
  /** Only of these. */
  ids?: readonly string[];
  createdAfter?: number;
  createdBefore?: number;
  /** Records strictly after this place, newest first. */
  after?: { createdAt: number; id: string };
  limit: number;
}

/** What a search found, and where it ended when it looked at as many records as it may at a time. */
export interface BrowsersFound extends Part<BrowserRecord> {
  lookedTo?: { createdAt: number; id: string };
}

export interface BrowserTable {
  /**
   * Record, events and the idempotency row's `resourceId` in one transaction, the right to save into the profile that it
   * `writes`, and a hold on the `extensions` that it uses. Nothing is changed unless it answers `inserted`; `notUp` says that
   * its holder takes nothing more. One without a holder that is `queuedAt` any time waits from now on, by the database's clock.
   * `noRoom`: with it the project would have more browsers than it may, or the line would be longer.
   */
  insert(
    record: BrowserRecord,
    events: readonly NewEvent[],
    idempotency?: { key: string; bootId: string },
    uses?: {
      writes?: string;
      extensions?: readonly string[];
      /** No other node could declare its holder gone: not asked whether it is up. */
      alone?: boolean;
      /** Of browsers with a holder, over all nodes. */
      mostOfProject?: number;
      /** Of creates that wait for one. */
      line?: LineLimits;
    },
  ): Promise<'inserted' | 'notUp' | 'noRoom' | 'profileGone' | { heldBy: string } | { missing: string }>;
  get(id: string, projectId?: string): Promise<BrowserRecord | undefined>;
  /**
   * Compare-and-set: changes the record and appends the events in one transaction, only if status and epoch are still
   * the expected ones. Undefined: another writer was first, nothing was changed. Fails when it names a holder that takes
   * nothing more.
   */
  change(
    id: string,
    expected: Expected,
    patch: Partial<Omit<BrowserRecord, 'id' | 'projectId' | 'createdAt'>>,
    events?: readonly NewEvent[],
  ): Promise<BrowserRecord | undefined>;
  list(query: BrowserQuery): Promise<Part<BrowserRecord>>;
  /** Those of the list whose name, metadata or id contains every word of a text, in any case. */
  search(query: BrowserQuery & { text: string }): Promise<BrowsersFound>;
  /** Those of a project that run on other nodes and concern a person, the newest first. */
  concerning(
    projectId: string,
    exceptHolder: string,
    limit: number,
  ): Promise<Pick<BrowserRecord, 'id' | 'status' | 'handoff'>[]>;
  /** How many browsers of a project there are in each status; statuses without browsers are left out. */
  countOfProject(projectId: string): Promise<{ status: string; count: number }[]>;
  /** Browsers of a node in these statuses, oldest first. */
  ofNode(nodeId: string, status: readonly string[]): Promise<BrowserRecord[]>;
  /** How many browsers of a node there are in each of these statuses; statuses without browsers are left out. */
  countOfNode(nodeId: string, status: readonly string[]): Promise<{ status: string; count: number }[]>;
}

export interface CheckpointRecord {
  browserId: string;
  epoch: number;
  at: number;
  data: Record<string, unknown>;
}

/** What an origin had in local storage. */
export interface LocalStorageRecord {
  browserId: string;
  origin: string;
  at: number;
  /** Before it was packed. */
  bytes: number;
  /** Packed by the writer; opaque to the store. */
  items: Uint8Array;
}

export interface LocalStorageTable {
  /** False when the browser has moved on to another epoch: the write is dropped. */
  put(record: LocalStorageRecord & { epoch: number }): Promise<boolean>;
  /** All origins of a browser without their items, the longest unchanged first. */
  sizes(browserId: string): Promise<Pick<LocalStorageRecord, 'origin' | 'at' | 'bytes'>[]>;
  get(browserId: string, origin: string): Promise<Uint8Array | undefined>;
  drop(browserId: string, origins: readonly string[]): Promise<void>;
}

export interface CheckpointTable {
  /** False when the browser has moved on to another epoch: the write is dropped. */
  put(checkpoint: CheckpointRecord): Promise<boolean>;
  get(browserId: string): Promise<CheckpointRecord | undefined>;
  remove(browserId: string): Promise<void>;
}

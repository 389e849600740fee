/**
 * The records of the service as the rest of it sees them: plain values, times in milliseconds,
 * JSON already parsed. What tables and columns they live in is the store's own business.
 */
export interface ProjectRecord {
  id: string;
  name: string;
  createdAt: number;
}

export interface KeyRecord {
  id: string;
  projectId: string;
  name: string;
  role: 'admin' | 'member';
  /** SHA-256 of the secret, hex. The secret itself is nowhere. */
  hash: string;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
}

export interface NodeRecord {
  id: string;
  /** Changes with every start of the service. */
  bootId: string;
  startedAt: number;
  heartbeatAt: number;
}

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
  /** The delete's receipt, kept so that deleting again answers the same. */
  receipt: Record<string, unknown> | null;
  maxDuration: number;
  idleTimeout: number | null;
  epoch: number;
  /** Recoveries since the browser last made progress. */
  recoveries: number;
  tabs: number;
  nodeId: string | null;
}

export interface NewEvent {
  projectId: string;
  browserId: string;
  type: string;
  at: number;
  data: Record<string, unknown>;
}

export interface EventRecord extends NewEvent {
  id: string;
  /** Grows with every event of the database. */
  seq: number;
}

export interface CheckpointRecord {
  browserId: string;
  epoch: number;
  at: number;
  data: Record<string, unknown>;
}

export interface IdempotencyRecord {
  projectId: string;
  key: string;
  /** SHA-256 over method, path and body. */
  fingerprint: string;
  /** The boot of the service that is answering it, or answered it. */
  bootId: string;
  /** What the request made, written in the transaction that made it. */
  resourceId: string | null;
  /** The answer, once there is one. */
  statusCode: number | null;
  body: string | null;
  createdAt: number;
}

/** The names are also the prefixes of their ids. */
export type ArtifactKind = 'file' | 'download' | 'recording';

/** Something a browser made or was given, with bytes of its own, which the store does not hold. */
export interface ArtifactRecord {
  id: string;
  projectId: string;
  browserId: string;
  /** The node that has the bytes. */
  nodeId: string;
  kind: ArtifactKind;
  /** Where it came from, in the words of its kind. */
  source: string;
  name: string;
  mimeType: string;
  size: number;
  /** Of the bytes, hex. */
  sha256: string;
  /** What only its kind has; opaque to the store. */
  details: Record<string, unknown>;
  createdAt: number;
}

export interface Expected {
  status?: string | readonly string[];
  epoch?: number;
}

export interface BrowserQuery {
  projectId: string;
  status?: readonly string[];
  metadata?: Record<string, string>;
  createdAfter?: number;
  createdBefore?: number;
  /** Records strictly after this place, newest first. */
  after?: { createdAt: number; id: string };
  limit: number;
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  /** Fails when the database cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;

  projects: {
    /** The project of this name, made when it does not exist. */
    ensure(name: string): Promise<ProjectRecord>;
    get(id: string): Promise<ProjectRecord | undefined>;
    count(): Promise<number>;
  };
  keys: {
    /** Does nothing when a key with this secret is in use already. */
    insert(key: KeyRecord): Promise<void>;
    /** Revoked and expired ones too, but one that is not revoked first. */
    findByHash(hash: string): Promise<KeyRecord | undefined>;
    /** Those that are not revoked, newest first; of all projects when none is named. */
    list(query: {
      projectId?: string;
      after?: { createdAt: number; id: string };
      limit: number;
    }): Promise<KeyRecord[]>;
    /** `lastAdmin` when it is the last usable admin key of its project; nothing is changed then. */
    revoke(
      id: string,
      projectId: string | undefined,
      at: number,
    ): Promise<'revoked' | 'unknown' | 'lastAdmin'>;
    touch(id: string, at: number): Promise<void>;
    count(): Promise<number>;
  };
  nodes: {
    /** Registers this boot of the node and returns what was known of the node before. */
    boot(node: NodeRecord): Promise<NodeRecord | undefined>;
    heartbeat(id: string, bootId: string, at: number): Promise<boolean>;
    list(): Promise<NodeRecord[]>;
  };
  browsers: {
    /** Record, events and the idempotency row's `resourceId` in one transaction. */
    insert(
      record: BrowserRecord,
      events: readonly NewEvent[],
      idempotency?: { key: string; bootId: string },
    ): Promise<void>;
    get(id: string, projectId?: string): Promise<BrowserRecord | undefined>;
    /**
     * Compare-and-set: changes the record and appends the events in one transaction, only if status and
     * epoch are still the expected ones. Undefined: somebody else was first, nothing was changed.
     */
    change(
      id: string,
      expected: Expected,
      patch: Partial<Omit<BrowserRecord, 'id' | 'projectId' | 'createdAt'>>,
      events?: readonly NewEvent[],
    ): Promise<BrowserRecord | undefined>;
    list(query: BrowserQuery): Promise<BrowserRecord[]>;
    /** Browsers of a node in these statuses, oldest first. */
    ofNode(nodeId: string, status: readonly string[]): Promise<BrowserRecord[]>;
    /** How many browsers of a node there are in each of these statuses; those without any are left out. */
    countOfNode(nodeId: string, status: readonly string[]): Promise<{ status: string; count: number }[]>;
  };
  checkpoints: {
    /** False when the browser has moved on to another epoch: the write is dropped. */
    put(checkpoint: CheckpointRecord): Promise<boolean>;
    get(browserId: string): Promise<CheckpointRecord | undefined>;
    remove(browserId: string): Promise<void>;
  };
  artifacts: {
    /**
     * Notes, before the first byte is written under this id, that no record vouches for the bytes. They stay
     * loose until `insert` or `forget`, but nobody removes them while this boot of the node is the current one.
     */
    announce(id: string, by: { nodeId: string; bootId: string }): Promise<void>;
    /** Nothing is changed unless it answers `inserted`; a quota of null is none. */
    insert(
      record: ArtifactRecord,
      quotaBytes: number | null,
    ): Promise<'inserted' | 'browserGone' | 'overQuota'>;
    get(id: string, of: { projectId: string; browserId: string }): Promise<ArtifactRecord | undefined>;
    /** Newest first. */
    list(query: {
      projectId: string;
      browserId: string;
      kind: ArtifactKind;
      after?: { createdAt: number; id: string };
      limit: number;
    }): Promise<ArtifactRecord[]>;
    /** The record goes, its bytes become loose. False when there is none. */
    remove(id: string, of: { projectId: string; browserId: string }): Promise<boolean>;
    /** Bytes of all artifacts of the project. */
    usage(projectId: string): Promise<number>;
    /** Bytes of all artifacts of all projects. */
    totalUsage(): Promise<number>;
    /** Ids of bytes on this node that no record vouches for and that no current boot is writing, after an id. */
    loose(on: { nodeId: string; bootId: string }, after: string, limit: number): Promise<string[]>;
    /** These bytes are gone. */
    forget(ids: readonly string[]): Promise<void>;
  };
  events: {
    append(events: readonly NewEvent[]): Promise<void>;
    list(query: {
      projectId: string;
      browserId?: string;
      afterSeq?: number;
      limit: number;
    }): Promise<EventRecord[]>;
  };
  idempotency: {
    /** Undefined when this call now owns the key; otherwise the row that does. */
    claim(
      row: Pick<IdempotencyRecord, 'projectId' | 'key' | 'fingerprint' | 'bootId' | 'createdAt'>,
    ): Promise<IdempotencyRecord | undefined>;
    get(projectId: string, key: string): Promise<IdempotencyRecord | undefined>;
    /** Takes an unanswered row over from a boot that is gone; false when it changed meanwhile. */
    takeOver(projectId: string, key: string, fromBootId: string, toBootId: string): Promise<boolean>;
    complete(projectId: string, key: string, answer: { statusCode: number; body: string }): Promise<void>;
    release(projectId: string, key: string): Promise<void>;
  };
  /**
   * Removes what is past its time: closed and failed browsers with their events, checkpoints and artifacts, whose
   * bytes become loose; idempotency rows. A signal ends it after the batch at hand.
   */
  sweep(
    before: { closedBefore: number; idempotencyBefore: number },
    signal?: AbortSignal,
  ): Promise<{ browsers: string[] }>;
}

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

/** Somebody to be told of the events of a project. */
export interface WebhookRecord {
  id: string;
  projectId: string;
  url: string;
  /** Which events, in the words of its owner; opaque to the store. */
  events: string[];
  description: string | null;
  /** Deliveries are signed with it, so it is kept as it is. */
  secret: string;
  createdAt: number;
  /** The `seq` of the last event that was looked at for it. */
  place: number;
  /** The first failure after the last success; null while all is well. */
  failingSince: number | null;
  disabledAt: number | null;
  disabledReason: string | null;
}

export interface DeliveryAttempt {
  at: number;
  durationMs: number;
  /** Of the answer, when there was one. */
  statusCode?: number;
  error?: string;
}

export type DeliveryState = 'pending' | 'delivered' | 'failed';

/** One message to one webhook, kept with the very bytes that are sent, so that every attempt sends the same. */
export interface DeliveryRecord {
  id: string;
  webhookId: string;
  /** The id of the event; the same for every attempt, so that a receiver can tell a repetition. */
  messageId: string;
  eventType: string;
  body: string;
  state: DeliveryState;
  /** Attempts of this round: asking for it again starts a new one. */
  tries: number;
  /** The latest ones, of all rounds. */
  attempts: DeliveryAttempt[];
  createdAt: number;
  /** When a pending one is to be sent; of a claimed one, when the claim lapses. */
  nextAt: number | null;
  /** The node that is sending it. */
  claimedBy: string | null;
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
  /** In the words of its kind; `ready` for a file. */
  state: string;
  /** The boot of the node that is still making it; null once it is finished. */
  bootId: string | null;
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

export interface EventQuery {
  projectId: string;
  browserId?: string;
  /** Only these; absent: all. */
  types?: readonly string[];
  afterSeq?: number;
  beforeSeq?: number;
  newestFirst?: boolean;
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
    /** Revoked and expired ones too. */
    get(id: string): Promise<KeyRecord | undefined>;
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
     * loose until `insert`, `change` or `forget`, but nobody removes them while this boot of the node is the current one.
     */
    announce(id: string, by: { nodeId: string; bootId: string }): Promise<void>;
    /** Record and events in one transaction. Nothing is changed unless it answers `inserted`; a quota of null is none. */
    insert(
      record: ArtifactRecord,
      quotaBytes: number | null,
      events?: readonly NewEvent[],
    ): Promise<'inserted' | 'browserGone' | 'overQuota'>;
    /**
     * Changes one that this boot is making, and appends the events, in one transaction. With a `size` its bytes are
     * there: they count, and are no longer loose. `gone`: removed, or finished already. A `bootId` of null finishes it.
     */
    change(
      id: string,
      bootId: string,
      patch: Partial<
        Omit<ArtifactRecord, 'id' | 'projectId' | 'browserId' | 'nodeId' | 'kind' | 'createdAt'>
      >,
      quotaBytes: number | null,
      events?: readonly NewEvent[],
    ): Promise<ArtifactRecord | 'gone' | 'overQuota'>;
    /** What earlier boots of the node left unfinished now is this boot's, to finish. */
    inherit(on: { nodeId: string; bootId: string }): Promise<ArtifactRecord[]>;
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
    /** Oldest first unless asked otherwise; between the two places, both exclusive. */
    list(query: EventQuery): Promise<EventRecord[]>;
    /** The `seq` of the project's last event; 0 when there is none. */
    last(projectId: string): Promise<number>;
    seqOf(projectId: string, id: string): Promise<number | undefined>;
    /**
     * Calls back when a project may have new events, written by this process or another one; without a project, when
     * any may. A hint: whoever must miss nothing also looks now and then. The return value is the off switch.
     */
    watch(heard: (projectId?: string) => void): () => void;
  };
  webhooks: {
    /** Its place becomes the end of the project's events. Record and the idempotency row's `resourceId` in one transaction. */
    insert(record: WebhookRecord, idempotency?: { key: string; bootId: string }): Promise<WebhookRecord>;
    get(id: string, projectId?: string): Promise<WebhookRecord | undefined>;
    count(projectId: string): Promise<number>;
    /** Newest first. */
    list(query: {
      projectId: string;
      after?: { createdAt: number; id: string };
      limit: number;
    }): Promise<WebhookRecord[]>;
    /** With `fromNow` its place becomes the end of the project's events. */
    change(
      id: string,
      projectId: string,
      patch: Partial<Omit<WebhookRecord, 'id' | 'projectId' | 'createdAt' | 'place'>>,
      options?: { fromNow?: boolean },
    ): Promise<WebhookRecord | undefined>;
    /** Its deliveries go with it. */
    remove(id: string, projectId: string): Promise<boolean>;
    /**
     * For one webhook that is behind: deliveries of its next events and its new place, in one transaction, so that
     * nothing is lost and nothing is planned twice, whoever else does the same. False when none is behind.
     */
    advance(
      plan: (webhook: WebhookRecord, event: EventRecord) => DeliveryRecord | undefined,
      eventsAtOnce: number,
    ): Promise<boolean>;
  };
  deliveries: {
    insert(delivery: DeliveryRecord): Promise<void>;
    get(id: string, webhookId: string): Promise<DeliveryRecord | undefined>;
    /** Newest first. */
    list(query: {
      webhookId: string;
      state?: DeliveryState;
      after?: { createdAt: number; id: string };
      limit: number;
    }): Promise<DeliveryRecord[]>;
    /** Enabled webhooks with something to send now. */
    due(now: number): Promise<WebhookRecord[]>;
    /** Takes what is to be sent now, oldest first, for one node and until then: afterwards it is anybody's again. */
    claim(
      webhookId: string,
      by: { nodeId: string; now: number; until: number; limit: number },
    ): Promise<DeliveryRecord[]>;
    /** Ends a claim with what came of it; false when it had lapsed and is somebody else's. */
    settle(
      id: string,
      nodeId: string,
      outcome: Pick<DeliveryRecord, 'state' | 'tries' | 'attempts' | 'nextAt'>,
    ): Promise<boolean>;
    /** Whatever the node had claimed is to be sent now: for the end of a boot, and the start of the next. */
    release(nodeId: string, now: number): Promise<void>;
    /** A new round, beginning now; one that is just being sent stays as it is. Undefined when there is none. */
    again(id: string, webhookId: string, now: number): Promise<DeliveryRecord | undefined>;
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
  secrets: {
    /** The secret of this name; the value given becomes it if there is none yet. The same for all who ask. */
    ensure(name: string, value: string): Promise<string>;
  };
  /**
   * Removes what is past its time: closed and failed browsers with their events, checkpoints and artifacts, whose
   * bytes become loose; idempotency rows; deliveries; lone events. A signal ends it after the batch at hand.
   */
  sweep(
    before: {
      closedBefore: number;
      idempotencyBefore: number;
      deliveriesBefore?: number;
      /** Events of browsers that never had a record, and so go by their age. */
      loneEvents?: { types: readonly string[]; before: number };
    },
    signal?: AbortSignal,
  ): Promise<{ browsers: string[] }>;
}

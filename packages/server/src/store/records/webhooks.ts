/** Webhooks and the messages to them. A claim lets one node at a time send a message; it lapses, so a crash loses none. */
import type { EventRecord } from './events.ts';

/** An address that receives the events of a project. */
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
  /** The `seq` of the last event that was considered for it. */
  place: number;
  /** The first failure after the last success; null while all is well. */
  failingSince: number | null;
  disabledAt: number | null;
  disabledReason: string | null;
  /** It is told of this job alone, and is in no list. */
  jobId: string | null;
  /** Events that it was not told of, because too much waited already, and when that was last so. */
  dropped: number;
  droppedAt: number | null;
}

/** How many deliveries may wait. A webhook always has room for a few, however much others of its project leave lying. */
export interface DeliveryRoom {
  always: number;
  ofWebhook: number;
  ofProject: number;
}

export interface WebhookTable {
  /** Its place becomes the end of the project's events. Record and the idempotency row's `resourceId` in one transaction. */
  insert(record: WebhookRecord, idempotency?: { key: string; bootId: string }): Promise<WebhookRecord>;
  get(id: string, projectId?: string): Promise<WebhookRecord | undefined>;
  /** Not those of jobs. */
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
   * For one webhook of the project that is behind: deliveries of its next events and its new place, in one transaction, so that
   * nothing is lost and nothing is planned twice, also when several nodes call this at once. What there is no room for is
   * counted as dropped: the return value says how many. Undefined when none is behind.
   */
  advance(
    projectId: string,
    plan: (webhook: WebhookRecord, event: EventRecord) => DeliveryRecord | undefined,
    eventsAtOnce: number,
    room?: DeliveryRoom,
  ): Promise<{ webhookId: string; dropped: number } | undefined>;
  /** Projects that have a webhook which is behind, or something to send now. */
  projectsWaiting(now: number): Promise<string[]>;
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
  projectId: string;
  /** The id of the event; the same for every attempt, so that a receiver can detect a repetition. */
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

export interface DeliveryTable {
  /** False: too much of the webhook waits already, and nothing was done. */
  insert(delivery: DeliveryRecord, room?: DeliveryRoom): Promise<boolean>;
  get(id: string, webhookId: string): Promise<DeliveryRecord | undefined>;
  /** Newest first. */
  list(query: {
    webhookId: string;
    state?: DeliveryState;
    after?: { createdAt: number; id: string };
    limit: number;
  }): Promise<Omit<DeliveryRecord, 'body'>[]>;
  /** Enabled webhooks of the project with something to send now, whatever has waited longest first. */
  due(
    projectId: string,
    query: { now: number; limit: number; except: readonly string[] },
  ): Promise<WebhookRecord[]>;
  /**
   * Claims what is to be sent now, oldest first, for one node and until then: afterwards every node may claim it again. With
   * `mostClaimed`, no more than that are on their way, whichever nodes send them.
   */
  claim(
    webhookId: string,
    by: { nodeId: string; now: number; until: number; limit: number; mostClaimed?: number },
  ): Promise<DeliveryRecord[]>;
  /** Ends a claim with its outcome; false when the claim had lapsed and another node has it. */
  settle(
    id: string,
    nodeId: string,
    outcome: Pick<DeliveryRecord, 'state' | 'tries' | 'attempts' | 'nextAt'>,
  ): Promise<boolean>;
  /** Everything the node had claimed is to be sent now: for the end of a boot, and the start of the next. */
  release(nodeId: string, now: number): Promise<void>;
  /** A new round, beginning now; one that is just being sent stays as it is. Undefined when there is none. */
  again(id: string, webhookId: string, now: number): Promise<DeliveryRecord | undefined>;
  /** Removes some of the oldest that are over, beyond the newest so many of the project. False when none are left. */
  trim(projectId: string, most: number): Promise<boolean>;
}

/**
 * Brings events to webhooks, each at least once, over any crash:
 *
 *   events ──advance──> delivery rows (with the webhook's place, one transaction) ──claim──> post ──settle──> delivered,
 *                                                                                    ↑                       failed
 *                                                                                    └── pending, later ◄────┘
 *
 * A claim lapses by itself, so that what a dead node held is sent by another. A webhook that answers slowly or not at
 * all holds a few places of its own and none of the others'.
 *
 * Of several nodes, an event wakes the one whose turn its project is, and one looks for what is to be sent again. The others
 * look seldom, for what a wrong guess about turns has left.
 */
import type { Log } from '../kit/log.ts';
import { alwaysMine, type Turn } from '../kit/turn.ts';
import type { DeliveryRecord, EventRecord, Store, WebhookRecord } from '../store/records.ts';
import { fits } from './event-types.ts';
import { deliveryOf, eventMessage } from './message.ts';
import { type Answered, isBeyondHope, isGone, isTaken, pauseAfter } from './retries.ts';
import { signedHeaders } from './signature.ts';

export type Post = (
  url: string,
  message: { headers: Record<string, string>; body: string; timeoutMs: number; signal: AbortSignal },
) => Promise<{ status: number; headers: Record<string, string | string[] | undefined> }>;

export interface DispatcherParts {
  store: Store;
  log: Log;
  nodeId: string;
  turn?: Turn;
  lookEveryMs?: number;
  post: Post;
  /** Pauses between the attempts of a round. */
  retriesMs: readonly number[];
  userAgent: string;
}

const usualLookMs = 1000;
/** Every so many looks, also of a node whose turn it is not. */
const looksOfOthers = 10;
const eventsAtOnce = 200;
const atOnceEach = 4;
const atOnceInAll = 64;
const answerMs = 15_000;
/** Much longer than an attempt can take. */
const claimMs = 60_000;
const attemptsKept = 30;
const longestError = 300;

export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #sending = new Map<string, number>();
  readonly #under = new Set<Promise<void>>();
  readonly #hurry = new AbortController();
  #off: (() => void) | undefined;
  #round: Promise<void> | undefined;
  #again = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** What an earlier boot of this node was sending when it ended is sent now. */
  async start(): Promise<void> {
    const { store, nodeId, turn = alwaysMine, lookEveryMs = usualLookMs } = this.#parts;
    await store.deliveries.release(nodeId, Date.now());
    let looks = 1;
    const look = (): void => {
      // Each moment another node, so that one that is gone and not yet missed costs a moment.
      const moment = Math.floor(Date.now() / lookEveryMs);
      if (turn.isMine(`webhooks ${moment}`) || looks++ % looksOfOthers === 0) this.wake();
    };
    const timer = setInterval(look, lookEveryMs).unref();
    const unwatch = store.events.watch((projectId) => {
      if (projectId === undefined || turn.isMine(projectId)) this.wake();
    });
    this.#off = () => {
      clearInterval(timer);
      unwatch();
    };
    this.wake();
  }

  wake(): void {
    this.#again = true;
    this.#round ??= this.#rounds().finally(() => {
      this.#round = undefined;
    });
  }

  /** What is to be sent now is still sent, for as long as there is time; the rest waits for the next start. */
  async close(flushMs: number): Promise<void> {
    if (!this.#off) return;
    this.#off();
    const over = AbortSignal.timeout(flushMs);
    const ended = new Promise<void>((resolve) =>
      over.addEventListener('abort', () => resolve(), { once: true }),
    );
    do {
      this.wake();
      await Promise.race([this.#round, ended]);
      // without requests under way the race would last until the time-out
      if (this.#under.size > 0) await Promise.race([...this.#under, ended]);
    } while (this.#under.size > 0 && !over.aborted);
    this.#hurry.abort();
    await Promise.all([this.#round, ...this.#under]);
    await this.#parts.store.deliveries.release(this.#parts.nodeId, Date.now());
  }

  async #rounds(): Promise<void> {
    const { store, log } = this.#parts;
    try {
      while (this.#again && !this.#hurry.signal.aborted) {
        this.#again = false;
        while (await store.webhooks.advance(plan, eventsAtOnce));
        await this.#sendDue();
      }
    } catch (error) {
      log.warn({ err: error }, 'webhooks.round_failed');
    }
  }

  async #sendDue(): Promise<void> {
    const { store, nodeId, turn = alwaysMine } = this.#parts;
    const now = Date.now();
    const isShared = turn.nodes() > 1;
    for (const webhook of shuffled(await store.deliveries.due(now))) {
      const limit = Math.min(this.#roomFor(webhook), atOnceInAll - this.#under.size);
      if (limit <= 0) continue;
      const by = { nodeId, now, until: now + claimMs, limit };
      const claim = isShared ? { ...by, mostClaimed: mostAtOnce(webhook) } : by;
      for (const delivery of await store.deliveries.claim(webhook.id, claim)) this.#take(webhook, delivery);
    }
  }

  #roomFor(webhook: WebhookRecord): number {
    return mostAtOnce(webhook) - (this.#sending.get(webhook.id) ?? 0);
  }

  #take(webhook: WebhookRecord, delivery: DeliveryRecord): void {
    const { log } = this.#parts;
    const count = (by: number): void => {
      const left = (this.#sending.get(webhook.id) ?? 0) + by;
      if (left > 0) this.#sending.set(webhook.id, left);
      else this.#sending.delete(webhook.id);
    };
    count(1);
    const sent = this.#send(webhook, delivery)
      .catch((error: unknown) => log.warn({ err: error, webhookId: webhook.id }, 'webhooks.settle_failed'))
      .finally(() => {
        count(-1);
        this.#under.delete(sent);
        this.wake();
      });
    this.#under.add(sent);
  }

  async #send(webhook: WebhookRecord, delivery: DeliveryRecord): Promise<void> {
    const { store, post, nodeId, retriesMs, userAgent } = this.#parts;
    const at = Date.now();
    const { messageId: id, body } = delivery;
    let answer: Answered = {};
    let failure: string | undefined;
    try {
      const { status, headers } = await post(webhook.url, {
        headers: {
          'content-type': 'application/json',
          'user-agent': userAgent,
          ...signedHeaders(webhook.secret, { id, body }, at),
        },
        body,
        timeoutMs: answerMs,
        signal: this.#hurry.signal,
      });
      answer = { status, retryAfter: String(headers['retry-after'] ?? '') };
      if (!isTaken(answer)) failure = `answered with ${status}`;
    } catch (error) {
      // The next start sends it: an attempt that the service itself cut off does not count.
      if (this.#hurry.signal.aborted) return;
      failure = error instanceof Error ? error.message.slice(0, longestError) : String(error);
    }
    const tries = delivery.tries + 1;
    const attempt = { at, durationMs: Date.now() - at, statusCode: answer.status, error: failure };
    const pause = isGone(answer) ? undefined : pauseAfter(tries, retriesMs, answer);
    const state = isTaken(answer) ? 'delivered' : pause === undefined ? 'failed' : 'pending';
    await store.deliveries.settle(delivery.id, nodeId, {
      state,
      tries,
      attempts: [...delivery.attempts, attempt].slice(-attemptsKept),
      nextAt: state === 'pending' ? Date.now() + (pause ?? 0) : null,
    });
    await this.#noteHealth(webhook, answer, state === 'failed');
  }

  /**
   * A webhook that has accepted nothing for as long as a delivery is tried, or answers that it is gone, is disabled.
   */
  async #noteHealth({ id, projectId }: WebhookRecord, answer: Answered, gaveUp: boolean): Promise<void> {
    const { store, log, retriesMs } = this.#parts;
    const webhook = await store.webhooks.get(id);
    if (!webhook || webhook.disabledAt !== null) return;
    const now = Date.now();
    if (isTaken(answer)) {
      if (webhook.failingSince !== null) await store.webhooks.change(id, projectId, { failingSince: null });
      return;
    }
    const failingSince = webhook.failingSince ?? now;
    const hopeless = gaveUp && isBeyondHope(now - failingSince, retriesMs);
    if (!isGone(answer) && !hopeless) {
      if (webhook.failingSince === null) await store.webhooks.change(id, projectId, { failingSince });
      return;
    }
    const disabledReason = isGone(answer)
      ? 'the receiver answered 410 Gone'
      : `no delivery has succeeded since ${new Date(failingSince).toISOString()}`;
    await store.webhooks.change(id, projectId, { failingSince, disabledAt: now, disabledReason });
    log.warn({ webhookId: id, projectId, reason: disabledReason }, 'webhook.disabled');
  }
}

/** A webhook that fails gets one request at a time. */
const mostAtOnce = ({ failingSince }: WebhookRecord): number => (failingSince === null ? atOnceEach : 1);

const plan = (webhook: WebhookRecord, event: EventRecord): DeliveryRecord | undefined =>
  fits(webhook.events, event.type) ? deliveryOf(webhook.id, eventMessage(event)) : undefined;

/** So that no webhook is always the first. */
const shuffled = <T>(items: T[]): T[] =>
  items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);

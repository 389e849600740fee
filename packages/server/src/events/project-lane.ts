/**
 * The webhooks of one project, apart from those of all others: what it has to plan and to send is worked off in slices within its
 * share of the loop, so neither many events nor a receiver that is silent is felt by another project.
 *
 *   wake ──> a slice of the events of one webhook ──> what is due, as far as there are places ──> the next slice ──> …
 */
import type { Log } from '../kit/log.ts';
import { type Share, shareOf } from '../kit/loop-share.ts';
import type { DeliveryRecord, EventRecord, WebhookRecord } from '../store/records.ts';
import { fits } from './event-types.ts';
import { deliveryOf, eventMessage } from './message.ts';
import { type SendParts, send } from './send.ts';
import type { SendingPlaces } from './sending-places.ts';

export interface LaneParts extends SendParts {
  log: Log;
  places: SendingPlaces;
  /** Whether other nodes send to the same webhooks. */
  isShared: () => boolean;
}

/** On SQLite the writing of a slice is one piece of loop time. */
const eventsAtOnce = 50;
const webhooksAtOnce = 128;
const atOnceEach = 4;
/** Much longer than an attempt can take. */
const claimMs = 60_000;
/** Loop time of a look that finds little, of a slice, and of what is claimed for a webhook, about. */
const lookCostMs = 0.2;
const sliceCostMs = 1.5;
const claimCostMs = 0.5;
/** Deliveries of the project that are over and are kept, and after how many more those beyond are removed. */
const mostKept = 10_000;
const trimEvery = 500;
const saidEveryMs = 60_000;

export class ProjectLane {
  readonly #projectId: string;
  readonly #parts: LaneParts;
  readonly #share: Share;
  /** By webhook. */
  readonly #sending = new Map<string, number>();
  readonly #under = new Set<Promise<void>>();
  #round: Promise<void> | undefined;
  #again = false;
  #sent = 0;
  #saidAt = Number.NEGATIVE_INFINITY;

  constructor(projectId: string, parts: LaneParts) {
    this.#projectId = projectId;
    this.#parts = parts;
    this.#share = shareOf(projectId);
  }

  wake(): void {
    this.#again = true;
    this.#round ??= this.#rounds().finally(() => {
      this.#round = undefined;
      // Of the moment between its last look and now.
      if (this.#again && !this.#parts.hurry.aborted) this.wake();
    });
  }

  /** Nothing is left to send now, and nothing under way. */
  async rest(): Promise<void> {
    while (this.#round || this.#under.size > 0)
      await Promise.race([...(this.#round ? [this.#round] : []), ...this.#under]);
  }

  async #rounds(): Promise<void> {
    const { log, hurry } = this.#parts;
    try {
      while (this.#again && !hurry.aborted) {
        this.#again = false;
        await this.#share.turn(lookCostMs);
        while ((await this.#plan()) && !hurry.aborted) {
          await this.#sendDue();
          await this.#share.turn(sliceCostMs);
        }
        await this.#sendDue();
      }
    } catch (error) {
      this.#again = false;
      log.warn({ err: error, projectId: this.#projectId }, 'webhooks.round_failed');
    }
  }

  /** False: no webhook is behind the events. */
  async #plan(): Promise<boolean> {
    const { store, log } = this.#parts;
    const projectId = this.#projectId;
    const planned = await store.webhooks.advance(projectId, plan, eventsAtOnce);
    if (planned && planned.dropped > 0 && performance.now() - this.#saidAt > saidEveryMs) {
      this.#saidAt = performance.now();
      log.warn({ projectId, ...planned }, 'webhook.events_dropped');
    }
    return planned !== undefined;
  }

  /** Each webhook gets as much as it takes at once, until all places of the project are taken: what is sent wakes the lane again. */
  async #sendDue(): Promise<void> {
    const { store, hurry } = this.#parts;
    const seen = new Set<string>();
    for (const [id, count] of this.#sending) if (count >= atOnceEach) seen.add(id);
    while (!hurry.aborted) {
      const query = { now: Date.now(), limit: webhooksAtOnce, except: [...seen] };
      const due = await store.deliveries.due(this.#projectId, query);
      if (due.length === 0) return;
      for (const webhook of due) {
        seen.add(webhook.id);
        if (!(await this.#claim(webhook))) return;
      }
    }
  }

  /** False: the project has no place left. */
  async #claim(webhook: WebhookRecord): Promise<boolean> {
    const { store, nodeId, places, isShared } = this.#parts;
    const room = mostAtOnce(webhook) - (this.#sending.get(webhook.id) ?? 0);
    if (room <= 0) return true;
    await this.#share.turn(claimCostMs);
    const limit = places.take(this.#projectId, room);
    if (limit === 0) return false;
    const now = Date.now();
    const by = { nodeId, now, until: now + claimMs, limit };
    let claimed: DeliveryRecord[] = [];
    try {
      const claim = isShared() ? { ...by, mostClaimed: mostAtOnce(webhook) } : by;
      claimed = await store.deliveries.claim(webhook.id, claim);
    } finally {
      places.giveBack(this.#projectId, limit - claimed.length);
    }
    for (const delivery of claimed) this.#take(webhook, delivery);
    return true;
  }

  #take(webhook: WebhookRecord, delivery: DeliveryRecord): void {
    const { log, places } = this.#parts;
    const count = (by: number): void => {
      const left = (this.#sending.get(webhook.id) ?? 0) + by;
      if (left > 0) this.#sending.set(webhook.id, left);
      else this.#sending.delete(webhook.id);
    };
    count(1);
    const sent = send(this.#parts, webhook, delivery)
      .then(() => this.#trim())
      .catch((error: unknown) => log.warn({ err: error, webhookId: webhook.id }, 'webhooks.settle_failed'))
      .finally(() => {
        count(-1);
        places.giveBack(this.#projectId, 1);
        this.#under.delete(sent);
        this.wake();
      });
    this.#under.add(sent);
  }

  async #trim(): Promise<void> {
    if (++this.#sent % trimEvery !== 0) return;
    do await this.#share.turn(lookCostMs);
    while (await this.#parts.store.deliveries.trim(this.#projectId, mostKept));
  }
}

/** A webhook that fails gets one request at a time. */
const mostAtOnce = ({ failingSince }: WebhookRecord): number => (failingSince === null ? atOnceEach : 1);

const plan = (webhook: WebhookRecord, event: EventRecord): DeliveryRecord | undefined =>
  fits(webhook.events, event.type)
    ? deliveryOf({ webhookId: webhook.id, projectId: webhook.projectId }, eventMessage(event))
    : undefined;

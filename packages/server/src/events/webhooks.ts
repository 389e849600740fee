/** The webhooks of a project and the log of their deliveries. The dispatcher sends them. */

import { ApiError } from '../errors.ts';
import { iso, isoOrUndefined } from '../kit/clock.ts';
import { newId } from '../kit/id.ts';
import { KeyedMutex } from '../kit/mutex.ts';
import { type ListPage, type PageQuery, pageOfList } from '../kit/page-of-list.ts';
import type { DeliveryRecord, DeliveryState, Store, WebhookRecord } from '../store/records.ts';
import { Dispatcher, type DispatcherParts } from './dispatcher.ts';
import type { EventPattern } from './event-types.ts';
import { deliveryOf, testMessage } from './message.ts';
import { newWebhookSecret } from './signature.ts';
import type { CreatedWebhook, CreateWebhook, Delivery, PatchWebhook, Webhook } from './webhook-schema.ts';

export interface WebhookParts extends DispatcherParts {
  bootId: string;
  /** Why an address may not be a webhook's, as far as that is known without asking a name server. */
  objection(url: string): string | undefined;
}

/** Every event is matched against each of them. */
const mostWebhooks = 100;

export class Webhooks {
  readonly #store: Store;
  /**
   * Concurrent creates of a project are counted one after the other; only nodes that share a database may exceed the
   * limit, by one each.
   */
  readonly #creating = new KeyedMutex();
  readonly #parts: WebhookParts;
  readonly #dispatcher: Dispatcher;

  constructor(parts: WebhookParts) {
    this.#store = parts.store;
    this.#parts = parts;
    this.#dispatcher = new Dispatcher(parts);
  }

  start(): Promise<void> {
    return this.#dispatcher.start();
  }

  close(flushMs: number): Promise<void> {
    return this.#dispatcher.close(flushMs);
  }

  /** A webhook for one job; the job inserts it, and tells it of its end. */
  ofJob(projectId: string, { url, secret }: { url: string; secret?: string }): WebhookRecord {
    this.#refuse(url, 'webhook.url');
    return this.#record(projectId, { url, events: [], secret });
  }

  async create(
    projectId: string,
    wanted: CreateWebhook,
    once: { idempotencyKey?: string; madeBefore?: string } = {},
  ): Promise<CreatedWebhook> {
    const before = once.madeBefore && (await this.#store.webhooks.get(once.madeBefore, projectId));
    if (before) return { ...view(before), secret: before.secret };
    this.#refuse(wanted.url);
    const record = await this.#creating.run(projectId, async () => {
      if ((await this.#store.webhooks.count(projectId)) >= mostWebhooks) throw tooMany();
      return this.#insert(projectId, wanted, once.idempotencyKey);
    });
    return { ...view(record), secret: record.secret };
  }

  #insert(
    projectId: string,
    wanted: CreateWebhook,
    idempotencyKey: string | undefined,
  ): Promise<WebhookRecord> {
    const { bootId } = this.#parts;
    return this.#store.webhooks.insert(
      this.#record(projectId, wanted),
      idempotencyKey === undefined ? undefined : { key: idempotencyKey, bootId },
    );
  }

  #record(projectId: string, { url, events, description, secret }: CreateWebhook): WebhookRecord {
    return {
      id: newId('webhook'),
      projectId,
      url,
      events,
      description: description ?? null,
      secret: secret ?? newWebhookSecret(),
      createdAt: Date.now(),
      place: 0,
      failingSince: null,
      disabledAt: null,
      disabledReason: null,
      jobId: null,
      dropped: 0,
      droppedAt: null,
    };
  }

  async list(projectId: string, query: PageQuery): Promise<ListPage<Webhook>> {
    return pageOfList(query, (page) => this.#store.webhooks.list({ projectId, ...page }), view);
  }

  async get(projectId: string, id: string): Promise<Webhook> {
    return view(await this.#find(projectId, id));
  }

  async change(projectId: string, id: string, { status, ...patch }: PatchWebhook): Promise<Webhook> {
    if (patch.url !== undefined) this.#refuse(patch.url);
    const { disabledAt } = await this.#find(projectId, id);
    const enable = status === 'enabled' && disabledAt !== null;
    const disable = status === 'disabled' && disabledAt === null;
    const changed = await this.#store.webhooks.change(
      id,
      projectId,
      {
        ...patch,
        ...(enable && {
          disabledAt: null,
          disabledReason: null,
          failingSince: null,
          dropped: 0,
          droppedAt: null,
        }),
        ...(disable && { disabledAt: Date.now(), disabledReason: 'by request' }),
      },
      { fromNow: enable },
    );
    this.#dispatcher.wake(projectId);
    return view(changed ?? unknownWebhook());
  }

  async remove(projectId: string, id: string): Promise<{ id: string; deleted: true }> {
    if (!(await this.#store.webhooks.remove(id, projectId))) unknownWebhook();
    return { id, deleted: true };
  }

  async deliveries(
    projectId: string,
    webhookId: string,
    { state, ...query }: PageQuery & { state?: DeliveryState },
  ): Promise<ListPage<Delivery>> {
    await this.#find(projectId, webhookId);
    return pageOfList(
      query,
      (page) => this.#store.deliveries.list({ webhookId, state, ...page }),
      deliveryView,
    );
  }

  async redeliver(projectId: string, webhookId: string, id: string): Promise<Delivery> {
    await this.#find(projectId, webhookId);
    const again = await this.#store.deliveries.again(id, webhookId, Date.now());
    this.#dispatcher.wake(projectId);
    return deliveryView(again ?? unknownDelivery());
  }

  async test(projectId: string, id: string): Promise<Delivery> {
    await this.#find(projectId, id);
    const delivery = deliveryOf({ webhookId: id, projectId }, testMessage(id));
    if (!(await this.#store.deliveries.insert(delivery))) throw tooManyWait();
    this.#dispatcher.wake(projectId);
    return deliveryView(delivery);
  }

  async #find(projectId: string, id: string): Promise<WebhookRecord> {
    return (await this.#store.webhooks.get(id, projectId)) ?? unknownWebhook();
  }

  #refuse(url: string, path = 'url'): void {
    const reason = this.#parts.objection(url);
    if (reason === undefined) return;
    throw new ApiError('VALIDATION_FAILED', `The request is not valid: \`${path}\` of the body: ${reason}.`, {
      details: { issues: [{ path, reason }] },
    });
  }
}

const view = (record: WebhookRecord): Webhook => ({
  id: record.id,
  url: record.url,
  events: record.events as EventPattern[],
  description: record.description ?? undefined,
  status: record.disabledAt === null ? 'enabled' : 'disabled',
  disabledAt: isoOrUndefined(record.disabledAt),
  disabledReason: record.disabledReason ?? undefined,
  failingSince: isoOrUndefined(record.failingSince),
  createdAt: iso(record.createdAt),
  ...(record.dropped > 0 && { dropped: record.dropped, droppedAt: isoOrUndefined(record.droppedAt) }),
});

const deliveryView = (record: Omit<DeliveryRecord, 'body'>): Delivery => ({
  id: record.id,
  webhookId: record.webhookId,
  eventId: record.messageId,
  eventType: record.eventType,
  state: record.state,
  createdAt: iso(record.createdAt),
  nextAttemptAt: isoOrUndefined(record.nextAt),
  attempts: record.attempts.map(({ at, ...attempt }) => ({ at: iso(at), ...attempt })),
});

const tooMany = (): ApiError =>
  new ApiError(
    'TOO_MANY_WEBHOOKS',
    `The project has ${mostWebhooks} webhooks, and may have no more. Delete one that is no longer needed.`,
    { details: { limit: mostWebhooks } },
  );

const tooManyWait = (): ApiError =>
  new ApiError(
    'TOO_MANY_DELIVERIES',
    'So many deliveries of the webhook, or of its project, wait that no test is added. Mend its receiver, or delete the webhook.',
  );

function unknownWebhook(): never {
  throw new ApiError('WEBHOOK_NOT_FOUND', 'There is no webhook with this id in the project of the key.');
}

function unknownDelivery(): never {
  throw new ApiError(
    'DELIVERY_NOT_FOUND',
    'There is no delivery with this id of this webhook, or no longer.',
  );
}

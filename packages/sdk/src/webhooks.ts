/** The webhooks of a project, and their deliveries. */
import type { CreatedWebhook, DeletedWebhook, Delivery, Webhook } from './generated/schemas.ts';
import {
  type Api,
  type Body,
  type CallOptions,
  type Listing,
  type ListOptions,
  listing,
  type OnceOptions,
  type Query,
} from './http/http.ts';

export type DeliveryFilter = Omit<Query<'DeliveryController_list'>, 'cursor'>;

export class Webhooks {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list({ limit, ...options }: ListOptions = {}): Listing<Webhook> {
    return listing(this.#api, 'WebhookController_list', { query: { limit } }, options);
  }

  /** The secret for `verifyWebhook` is in this answer only. */
  create(body: Body<'WebhookController_create'>, options: OnceOptions = {}): Promise<CreatedWebhook> {
    return this.#api.json('WebhookController_create', { body }, options);
  }

  get(webhookId: string, options: CallOptions = {}): Promise<Webhook> {
    return this.#api.json('WebhookController_get', { path: { webhookId } }, options);
  }

  update(
    webhookId: string,
    body: Body<'WebhookController_update'>,
    options: CallOptions = {},
  ): Promise<Webhook> {
    return this.#api.json('WebhookController_update', { path: { webhookId }, body }, options);
  }

  delete(webhookId: string, options: CallOptions = {}): Promise<DeletedWebhook> {
    return this.#api.json('WebhookController_delete', { path: { webhookId } }, options);
  }

  /** Sends an empty message, to try the address. */
  test(webhookId: string, options: CallOptions = {}): Promise<Delivery> {
    return this.#api.json('WebhookController_test', { path: { webhookId } }, options);
  }

  deliveries(webhookId: string, filter: DeliveryFilter = {}, options: CallOptions = {}): Listing<Delivery> {
    return listing(this.#api, 'DeliveryController_list', { path: { webhookId }, query: filter }, options);
  }

  redeliver(webhookId: string, deliveryId: string, options: CallOptions = {}): Promise<Delivery> {
    return this.#api.json('DeliveryController_redeliver', { path: { webhookId, deliveryId } }, options);
  }
}

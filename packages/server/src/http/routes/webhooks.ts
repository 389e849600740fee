/** Webhooks of a project, their deliveries, and sending one again. */
import { z } from 'zod';
import type { Webhooks } from '../../events/events.ts';
import {
  createdWebhookSchema,
  createWebhookSchema,
  type Delivery,
  deletedWebhookSchema,
  deliverySchema,
  deliveryStates,
  patchWebhookSchema,
  type Webhook,
  webhookSchema,
} from '../../events/webhook-schema.ts';
import { answers, bodyCodes, pageOf, pageQuery } from '../contract/contract.ts';
import type { Once } from '../gate/gate.ts';
import type { App } from '../wire/wire.ts';

const webhookExample: Webhook = {
  id: 'webhook_01ja9q4m8h2f7t3k5w6x8y0z1a',
  url: 'https://example.com/hooks/browserd',
  events: ['browser.*', 'script.failed'],
  status: 'enabled',
  createdAt: '2026-01-01T12:00:00.000Z',
};

const deliveryExample: Delivery = {
  id: 'delivery_01ja9q4m8h2f7t3k5w6x8y0z1a',
  webhookId: webhookExample.id,
  eventId: 'event_01ja9q4m8h2f7t3k5w6x8y0z1a',
  eventType: 'browser.ready',
  state: 'delivered',
  createdAt: '2026-01-01T12:00:01.000Z',
  attempts: [{ at: '2026-01-01T12:00:01.004Z', durationMs: 38, statusCode: 204 }],
};

const exampleSecret = `whsec_${Buffer.from('thirty-two bytes of your secret.').toString('base64')}`;
const params = z.object({ webhookId: z.string().meta({ examples: [webhookExample.id] }) });
const deliveryParams = params.extend({ deliveryId: z.string().meta({ examples: [deliveryExample.id] }) });
const config = { role: 'admin' } as const;
const tags = ['Webhooks'];
const found = ['FORBIDDEN', 'WEBHOOK_NOT_FOUND'] as const;
const changed = [...found, 'SERVICE_SHUTTING_DOWN'] as const;

/** Webhooks of the caller's own project, and the log of their deliveries. */
export function webhookRoutes(app: App, { webhooks, once }: { webhooks: Webhooks; once: Once }): void {
  app.route({
    method: 'GET',
    url: '/v1/webhooks',
    config: { ...config, examples: { response: { items: [webhookExample], limit: 20, hasMore: false } } },
    schema: {
      operationId: 'WebhookController_list',
      summary: 'List webhooks',
      description: 'The webhooks of the project, newest first, without their secrets.',
      tags,
      querystring: z.strictObject(pageQuery),
      response: answers(
        { 200: { description: 'A page of webhooks.', schema: pageOf(webhookSchema, 'WebhookPage') } },
        ['FORBIDDEN', 'INVALID_CURSOR'],
      ),
    },
    handler: async ({ principal, query }) => webhooks.list(principal.projectId, query),
  });

  app.route({
    method: 'POST',
    url: '/v1/webhooks',
    config: {
      ...config,
      idempotency: 'optional',
      examples: {
        request: { url: webhookExample.url, events: webhookExample.events },
        response: { ...webhookExample, secret: exampleSecret },
      },
    },
    schema: {
      operationId: 'WebhookController_create',
      summary: 'Create a webhook',
      description:
        'From now on the events of the project are sent to the address as `POST` with `{ type, timestamp, data }`, where `data` is the event. Each is signed after Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`) and sent at least once, in no promised order: tell repetitions by `webhook-id`, order by `data.seq`. Any 2xx within 15 seconds takes it; anything else is tried again for about two days, `Retry-After` honoured; 410 disables the webhook, and so does a round of failures without a success. A project may have 100 webhooks. The answer is the only place where the secret is shown.',
      tags,
      body: createWebhookSchema,
      response: answers(
        { 201: { description: 'The webhook, with its secret.', schema: createdWebhookSchema } },
        [
          'FORBIDDEN',
          'SERVICE_SHUTTING_DOWN',
          'IDEMPOTENCY_KEY_REUSED',
          'IDEMPOTENCY_KEY_IN_USE',
          'TOO_MANY_WEBHOOKS',
          ...bodyCodes,
        ],
      ),
    },
    handler: async (request, reply) =>
      once(request, reply, async (madeBefore) => {
        const { principal, body, idempotencyKey } = request;
        const created = await webhooks.create(principal.projectId, body, { idempotencyKey, madeBefore });
        return { statusCode: 201, body: created };
      }),
  });

  app.route({
    method: 'GET',
    url: '/v1/webhooks/:webhookId',
    config: { ...config, examples: { response: webhookExample } },
    schema: {
      operationId: 'WebhookController_get',
      summary: 'Get a webhook',
      tags,
      params,
      response: answers({ 200: { description: 'The webhook.', schema: webhookSchema } }, found),
    },
    handler: async ({ principal, params }) => webhooks.get(principal.projectId, params.webhookId),
  });

  app.route({
    method: 'PATCH',
    url: '/v1/webhooks/:webhookId',
    config: { ...config, examples: { request: { status: 'enabled' }, response: webhookExample } },
    schema: {
      operationId: 'WebhookController_update',
      summary: 'Change a webhook',
      description:
        'Fields that are absent stay as they are. A disabled webhook is sent nothing, not even what is pending.',
      tags,
      params,
      body: patchWebhookSchema,
      response: answers({ 200: { description: 'The webhook as it is now.', schema: webhookSchema } }, [
        ...changed,
        ...bodyCodes,
      ]),
    },
    handler: async ({ principal, params, body }) =>
      webhooks.change(principal.projectId, params.webhookId, body),
  });

  app.route({
    method: 'DELETE',
    url: '/v1/webhooks/:webhookId',
    config: { ...config, examples: { response: { id: webhookExample.id, deleted: true } } },
    schema: {
      operationId: 'WebhookController_delete',
      summary: 'Delete a webhook',
      description: 'With its log and what was still to be sent.',
      tags,
      params,
      response: answers({ 200: { description: 'Deleted.', schema: deletedWebhookSchema } }, changed),
    },
    handler: async ({ principal, params }) => webhooks.remove(principal.projectId, params.webhookId),
  });

  deliveryRoutes(app, webhooks);
}

function deliveryRoutes(app: App, webhooks: Webhooks): void {
  app.route({
    method: 'GET',
    url: '/v1/webhooks/:webhookId/deliveries',
    config: { ...config, examples: { response: { items: [deliveryExample], limit: 20, hasMore: false } } },
    schema: {
      operationId: 'DeliveryController_list',
      summary: 'List deliveries of a webhook',
      description: 'What was sent, or is to be, newest first; kept as long as records of closed browsers.',
      tags,
      params,
      querystring: z.strictObject({ state: deliveryStates.optional(), ...pageQuery }),
      response: answers(
        { 200: { description: 'A page of deliveries.', schema: pageOf(deliverySchema, 'DeliveryPage') } },
        [...found, 'INVALID_CURSOR'],
      ),
    },
    handler: async ({ principal, params, query }) =>
      webhooks.deliveries(principal.projectId, params.webhookId, query),
  });

  app.route({
    method: 'POST',
    url: '/v1/webhooks/:webhookId/deliveries/:deliveryId/redeliver',
    config: { ...config, examples: { response: { ...deliveryExample, state: 'pending' } } },
    schema: {
      operationId: 'DeliveryController_redeliver',
      summary: 'Send a delivery again',
      description:
        'At once, under the same `webhook-id`; a pending one no longer waits for its next attempt.',
      tags,
      params: deliveryParams,
      response: answers({ 202: { description: 'On its way.', schema: deliverySchema } }, [
        ...changed,
        'DELIVERY_NOT_FOUND',
      ]),
    },
    handler: async ({ principal, params }, reply) =>
      reply
        .code(202)
        .send(await webhooks.redeliver(principal.projectId, params.webhookId, params.deliveryId)),
  });

  app.route({
    method: 'POST',
    url: '/v1/webhooks/:webhookId/test',
    config: {
      ...config,
      examples: {
        response: { ...deliveryExample, eventType: 'webhook.test', state: 'pending', attempts: [] },
      },
    },
    schema: {
      operationId: 'WebhookController_test',
      summary: 'Send a test message',
      description:
        'A signed message of the type `webhook.test`; what came of it is in the list of deliveries.',
      tags,
      params,
      response: answers({ 202: { description: 'On its way.', schema: deliverySchema } }, [
        ...changed,
        'TOO_MANY_DELIVERIES',
      ]),
    },
    handler: async ({ principal, params }, reply) =>
      reply.code(202).send(await webhooks.test(principal.projectId, params.webhookId)),
  });
}

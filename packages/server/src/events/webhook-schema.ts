/** Webhooks and their deliveries as the API shows them. The secret is in the answer to the creation only. */
import { z } from 'zod';
import { eventPattern } from './schema.ts';
import { webhookSecretPattern } from './signature.ts';

const time = z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' });

export const webhookUrl = z
  .string()
  .max(2048)
  .meta({
    description:
      'Where to send: https or http, without user name and password. Private addresses are refused unless the operator allows them, also when a name turns out to lead to one; redirects are not followed.',
    examples: ['https://example.com/hooks/browserd'],
  });
const events = z
  .array(eventPattern)
  .max(100)
  .meta({ description: 'Which events; empty: all.', examples: [['browser.*', 'script.failed']] });
const description = z.string().max(500);
export const webhookSecret = z
  .string()
  .regex(webhookSecretPattern, 'expected `whsec_` and 24 to 64 bytes in base64')
  .meta({
    description:
      'What deliveries are signed with, after Standard Webhooks: `whsec_` and 24 to 64 bytes in base64.',
  });
const status = z.enum(['enabled', 'disabled']);

export const webhookSchema = z
  .strictObject({
    id: z.string().meta({ examples: ['webhook_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    url: z.string(),
    events: z.array(eventPattern),
    description: description.optional(),
    status,
    disabledAt: time.optional(),
    disabledReason: z.string().optional(),
    failingSince: time.optional().meta({ description: 'The first failure after the last success.' }),
    createdAt: time,
    dropped: z.int().optional().meta({
      description:
        'How many events it was not told of, because too many deliveries waited already: 2,000 of the webhook, or 10,000 of the project (a webhook always has room for 100). They are in the list of events. Absent: none, since it was last enabled.',
    }),
    droppedAt: time.optional().meta({ description: 'When that was last so.' }),
  })
  .meta({ id: 'Webhook' });

export const createdWebhookSchema = webhookSchema
  .extend({ secret: webhookSecret })
  .meta({ id: 'CreatedWebhook' });

export const createWebhookSchema = z
  .strictObject({
    url: webhookUrl,
    events: events.default([]),
    description: description.optional(),
    secret: webhookSecret.optional().meta({ description: 'Your own secret; one is made when absent.' }),
  })
  .meta({ id: 'CreateWebhook' });

export const patchWebhookSchema = z
  .strictObject({
    url: webhookUrl.optional(),
    events: events.optional(),
    description: description.nullable().optional(),
    secret: webhookSecret
      .optional()
      .meta({ description: 'Replaces the secret, for all attempts from now on.' }),
    status: status
      .optional()
      .meta({ description: 'Enabled again, it is told of what happens from then on.' }),
  })
  .meta({ id: 'PatchWebhook' });

export const deliveryStates = z.enum(['pending', 'delivered', 'failed']);

export const deliverySchema = z
  .strictObject({
    id: z.string().meta({ examples: ['delivery_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    webhookId: z.string(),
    eventId: z.string().meta({ description: 'Sent as `webhook-id`, the same at every attempt.' }),
    eventType: z.string(),
    state: deliveryStates,
    createdAt: time,
    nextAttemptAt: time.optional().meta({ description: 'Of a pending one.' }),
    attempts: z
      .array(
        z.strictObject({
          at: time,
          durationMs: z.int(),
          statusCode: z.int().optional().meta({ description: 'Absent when there was no answer.' }),
          error: z.string().optional().meta({ description: 'Absent when it was taken.' }),
        }),
      )
      .meta({ description: 'The latest ones, oldest first.' }),
  })
  .meta({ id: 'Delivery' });

export const deletedWebhookSchema = z
  .strictObject({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'DeletedWebhook' });

export type Webhook = z.output<typeof webhookSchema>;
export type CreatedWebhook = z.output<typeof createdWebhookSchema>;
export type CreateWebhook = z.output<typeof createWebhookSchema>;
export type PatchWebhook = z.output<typeof patchWebhookSchema>;
export type Delivery = z.output<typeof deliverySchema>;

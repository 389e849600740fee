/** A key as the API shows it: everything but its secret, which only the answer to its creation carries. */
import { z } from 'zod';

const time = z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' });

const roleSchema = z.enum(['admin', 'member']).meta({
  description: '`admin` manages keys, webhooks and secrets; `member` uses browsers, and secrets in them.',
});

export const keySchema = z
  .strictObject({
    id: z.string().meta({ examples: ['key_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    name: z.string(),
    role: roleSchema,
    projectId: z.string(),
    createdAt: time,
    lastUsedAt: time.optional().meta({ description: 'Exact to the minute; absent until the first use.' }),
    expiresAt: time.optional().meta({ description: 'Absent for a key that does not expire.' }),
  })
  .meta({ id: 'Key' });

export const createdKeySchema = keySchema
  .extend({ key: z.string().meta({ description: 'The secret. It is shown here once and stored nowhere.' }) })
  .meta({ id: 'CreatedKey' });

export const createKeySchema = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(200)
      .meta({ examples: ['nightly reports'] }),
    role: roleSchema.default('member'),
    expiresAt: z.iso
      .datetime({ offset: true })
      .transform((text) => Date.parse(text))
      .refine((at) => at > Date.now(), { message: 'lies in the past' })
      .optional()
      .meta({ description: 'When the key stops working. Default: never.' }),
  })
  .meta({ id: 'CreateKey' });

export const revokedKeySchema = z
  .strictObject({ id: z.string(), revokedAt: time })
  .meta({ id: 'RevokedKey' });

export const createCapabilitySchema = z
  .strictObject({
    kind: z
      .enum(['cdp', 'live'])
      .meta({ description: '`cdp`: a DevTools client drives the browser. `live`: a person watches it.' }),
    mode: z.enum(['view', 'control']).optional().meta({
      description:
        'Of `live`, `view` unless given. A CDP client always controls, so for `cdp` only `control` fits.',
    }),
    ttlSeconds: z
      .int()
      .min(10)
      .max(86_400)
      .default(300)
      .meta({ description: 'How long the address can be used to connect.' }),
  })
  .refine(({ kind, mode }) => kind !== 'cdp' || mode !== 'view', {
    path: ['mode'],
    message: 'a CDP client cannot be kept from acting: leave it out, or send `control`',
  })
  .meta({ id: 'CreateCapability' });

export const capabilitySchema = z
  .strictObject({
    kind: z.enum(['cdp', 'live']),
    mode: z.enum(['view', 'control']),
    url: z.string().meta({
      description: 'Opens the browser to whoever has it, without a key. Shown once and stored nowhere.',
      examples: ['wss://browsers.example.com/v1/browsers/browser_01ja9q4m8h2f7t3k5w6x8y0z1a/cdp?token=bdc_…'],
    }),
    socketUrl: z
      .string()
      .optional()
      .meta({ description: 'Of `live`: the WebSocket behind the page, for a viewer of your own.' }),
    expiresAt: time,
  })
  .meta({ id: 'Capability' });

export type Key = z.output<typeof keySchema>;
export type CreatedKey = z.output<typeof createdKeySchema>;
export type RevokedKey = z.output<typeof revokedKeySchema>;
export type CreateKey = z.output<typeof createKeySchema>;
export type Capability = z.output<typeof capabilitySchema>;

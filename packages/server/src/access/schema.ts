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

/** Narrower than the syntax of addresses: hosts may have signs that mean something else in a content policy (`*`, `;`, `'`). */
const plainOrigin = /^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/;

const originSchema = z
  .string()
  .max(255)
  .refine((text) => plainOrigin.test(text) && URL.parse(text)?.origin === text, {
    message:
      'is no origin: send scheme, host and port alone and in lower case, such as `https://app.example.com`, without `*`',
  })
  .meta({ examples: ['https://app.example.com'] });

/** What an address of the view may be bound to, wherever one is asked for. */
export const viewAddressFields = {
  frameAncestors: z.array(originSchema).min(1).max(10).optional().meta({
    description:
      'Of `live`: the origins whose pages may show the address in a frame, and exchange messages with it. Without them no other site may.',
  }),
  tabId: z.string().min(1).max(64).optional().meta({
    description:
      'Of `live`: the one tab that is shown and controlled. The address ends with this tab; other tabs, and opening one, are refused.',
  }),
};

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
    ...viewAddressFields,
  })
  .refine(({ kind, mode }) => kind !== 'cdp' || mode !== 'view', {
    path: ['mode'],
    message: 'a CDP client cannot be kept from acting: leave it out, or send `control`',
  })
  .refine(({ kind, frameAncestors }) => kind === 'live' || frameAncestors === undefined, {
    path: ['frameAncestors'],
    message: 'only an address of the kind `live` has a page that can be framed',
  })
  .refine(({ kind, tabId }) => kind === 'live' || tabId === undefined, {
    path: ['tabId'],
    message: 'a CDP client reaches every tab: only an address of the kind `live` can be bound to one',
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
    tabId: z
      .string()
      .optional()
      .meta({ description: 'The one tab that it shows, where it is bound to one.' }),
    frameAncestors: z
      .array(z.string())
      .optional()
      .meta({ description: 'The origins whose pages may show it in a frame.' }),
    expiresAt: time,
  })
  .meta({ id: 'Capability' });

export type Key = z.output<typeof keySchema>;
export type CreatedKey = z.output<typeof createdKeySchema>;
export type RevokedKey = z.output<typeof revokedKeySchema>;
export type CreateKey = z.output<typeof createKeySchema>;
export type Capability = z.output<typeof capabilitySchema>;

/**
 * Every field with which a browser can be created, once. What is stored, shown, changed and emulated derives from this
 * table, so a new field is a row here and the code that puts it to use.
 */
import { z } from 'zod';
import { appearance } from './appearance-schema.ts';
import type { Field } from './field.ts';
import { policySchema, proxySchema, proxyViewSchema } from './policy-schema.ts';
import {
  clientCertificatesSchema,
  clientCertificatesShown,
  httpCredentialsSchema,
  httpCredentialsShown,
  tlsSchema,
  tlsShown,
} from './trust-schema.ts';

const day = 86_400_000;
const durationMs = z
  .int()
  .min(1000)
  .max(365 * day);

const geolocationSchema = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracy: z.number().min(0).default(0),
});

const metadata = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine((map) => Object.keys(map).length <= 50, { message: 'at most 50 keys' });

const permissionState = z.enum(['granted', 'denied', 'prompt']);

const dialogMode = z.enum(['dismiss', 'accept', 'manual']).meta({
  description: 'How dialogs of pages are answered. `manual`: over the API, else dismissed after a time-out.',
});

const kbps = z.number().min(1).max(10_000_000).optional();
const networkSchema = z
  .strictObject({
    offline: z.boolean().optional(),
    latencyMs: z
      .number()
      .min(0)
      .max(60_000)
      .optional()
      .meta({ description: 'Least time from a request to the head of its answer.' }),
    downloadKbps: kbps.meta({ description: 'Kilobits a second, of each page.' }),
    uploadKbps: kbps.meta({ description: 'Kilobits a second, of each page.' }),
  })
  .meta({ description: 'A slow network, or none: `{"offline": true}`.' });

const saveMode = z.union([z.literal(false), z.enum(['close', 'always'])]);

export const profileRef = z.strictObject({
  id: z.string().min(1).max(64).optional(),
  name: z.string().min(1).max(200).optional(),
});

export const oneProfile = (ref: { id?: string; name?: string }, context: z.RefinementCtx): void => {
  if ((ref.id === undefined) === (ref.name === undefined))
    context.addIssue({ code: 'custom', path: ['id'], message: 'give either id or name' });
};

export const fields = {
  recording: {
    create: z.boolean().optional().meta({
      description:
        'Record a video of the tab in front whenever the browser runs: one recording for each epoch. Default false.',
    }),
    shown: z.boolean().meta({ description: 'Whether it is recorded whenever it runs.' }),
    default: false,
  },
  har: {
    create: z.boolean().optional().meta({
      description:
        'Keep a HAR of all requests from the first one on, as a file of the browser (`source: har`), when it is stopped or closed: one for each epoch, at most 10,000 requests a tab. Default false.',
    }),
    shown: z.boolean().meta({ description: 'Whether a HAR of all its requests is kept when it ends.' }),
    default: false,
  },
  policy: {
    create: policySchema.optional(),
    patch: policySchema.optional(),
    shown: policySchema,
    default: {},
    exit: true,
  },
  proxy: {
    create: proxySchema.optional(),
    patch: proxySchema.nullable().optional().meta({ description: 'null removes the proxy.' }),
    shown: proxyViewSchema.optional(),
    exit: true,
  },
  ...appearance,
  geolocation: {
    create: geolocationSchema.optional(),
    shown: z.strictObject({ latitude: z.number(), longitude: z.number(), accuracy: z.number() }).optional(),
    emulated: true,
  },
  network: {
    create: networkSchema.optional(),
    patch: networkSchema.nullable().optional().meta({ description: 'null: as fast as it is.' }),
    shown: networkSchema.optional(),
    emulated: true,
  },
  httpCredentials: {
    create: httpCredentialsSchema.optional(),
    patch: httpCredentialsSchema.nullable().optional().meta({
      description:
        'All of them anew; null or an empty list: none. What Chromium has sent to a site already it goes on sending there until the browser is stopped.',
    }),
    shown: httpCredentialsShown.optional(),
    trust: true,
  },
  tls: {
    create: tlsSchema.optional(),
    patch: tlsSchema.nullable().optional().meta({
      description:
        'null: neither trust nor exceptions. What it does not name stays as it is; an empty list takes it away. Open connections that rested on an authority that is gone are ended; others stay.',
    }),
    shown: tlsShown.optional(),
    exit: true,
    trust: true,
  },
  clientCertificates: {
    create: clientCertificatesSchema.optional(),
    patch: clientCertificatesSchema.nullable().optional().meta({
      description:
        'All of them anew; null or an empty list: none. Open connections to their hosts are ended.',
    }),
    shown: clientCertificatesShown.optional(),
    exit: true,
  },
  permissions: {
    create: z
      .record(z.string().min(1).max(64), permissionState)
      .optional()
      .meta({
        description: 'Permission name → state, for all origins.',
        examples: [{ geolocation: 'granted' }],
      }),
    shown: z.record(z.string(), permissionState).optional(),
  },
  startUrl: {
    create: z
      .url({ protocol: /^https?$/ })
      .max(8192)
      .optional(),
    shown: z.string().optional(),
  },
  name: {
    create: z.string().min(1).max(200).optional(),
    patch: z.string().min(1).max(200).nullable().optional(),
    column: true,
  },
  metadata: { create: metadata.optional(), patch: metadata.optional(), column: true },
  maxDuration: {
    create: durationMs.optional().meta({
      description: 'Milliseconds from creation after which the browser is closed. Default 86400000.',
    }),
    patch: durationMs.optional(),
    column: true,
  },
  idleTimeout: {
    create: durationMs.nullable().optional().meta({
      description: 'Milliseconds without an action after which the browser is stopped. Default: never.',
    }),
    patch: durationMs.nullable().optional(),
    column: true,
  },
  engine: { create: z.enum(['shell', 'full']).optional(), shown: z.enum(['shell', 'full']) },
  memoryMb: {
    create: z.int().min(256).max(1_048_576).optional().meta({
      description:
        'Memory, in MiB, that all processes of the browser may use together. Above it the page that uses the most is ended (`tab.crashed`, `PAGE_CRASHED`), then the whole Chromium. Default and most: `BROWSERD_BROWSER_MEMORY_MB` and `BROWSERD_MAX_BROWSER_MEMORY_MB` of the server.',
    }),
    shown: z.int().optional(),
  },
  profile: {
    create: profileRef
      .extend({
        save: saveMode.default(false).meta({
          description:
            '`false`: the browser gets a copy, and nothing flows back; any number may at once. `close`: it is the one that saves into the profile, when it is stopped or closed. `always`: also while it runs, at checkpoints.',
        }),
      })
      .superRefine(oneProfile)
      .optional()
      .meta({ description: 'A saved profile to begin with: signed in where it was.' }),
    shown: z
      .strictObject({
        id: z.string(),
        name: z.string().optional(),
        save: saveMode,
        version: z.int().meta({ description: 'Of the profile, with which the browser began.' }),
      })
      .optional(),
  },
  extensions: {
    create: z
      .array(z.string().min(1).max(64))
      .max(10)
      .refine((ids) => new Set(ids).size === ids.length, { message: 'names one twice' })
      .optional()
      .meta({
        description:
          'Extensions of the project to load, by their ids; see docs/extensions.md. Only with the engine `full`, which is the default then.',
        examples: [['extension_01ja9q4m8h2f7t3k5w6x8y0z1a']],
      }),
    shown: z.array(z.string()).optional(),
  },
  secrets: {
    create: z
      .strictObject({
        allowCdp: z.boolean().optional().meta({
          description:
            'Let CDP clients in although secrets are typed in this browser. They can read what stands in its pages. Default false.',
        }),
      })
      .optional(),
    shown: z.strictObject({ allowCdp: z.boolean().optional() }).optional(),
  },
  dialogs: {
    create: dialogMode.optional(),
    patch: dialogMode.optional(),
    shown: dialogMode,
    default: 'dismiss',
  },
} as const satisfies Record<string, Field>;

type Where = 'create' | 'patch' | 'shown';
type Shape<F extends Record<string, Field>, W extends Where> = {
  [K in keyof F as F[K] extends Record<W, z.ZodType> ? K : never]: F[K] extends Record<W, infer S>
    ? S
    : never;
};

/** The schemas of one kind: first those in `order`, as documents have always shown them, then the others. */
export function shapeOf<F extends Record<string, Field>, W extends Where>(
  table: F,
  where: W,
  order: readonly (keyof F & string)[] = [],
): Shape<F, W> {
  const names = new Set([...order, ...Object.keys(table)]);
  const found = [...names].flatMap((name) => {
    const schema = table[name]?.[where];
    return schema ? [[name, schema] as const] : [];
  });
  return Object.fromEntries(found) as Shape<F, W>;
}

export const appearanceFields = shapeOf(appearance, 'create');

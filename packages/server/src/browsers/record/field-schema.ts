/**
 * Every field with which a browser can be created, once. What is stored, shown, changed and emulated derives from this
 * table, so a new field is a row here and the code that puts it to use.
 */
import { z } from 'zod';
import { masked } from '../../kit/mask-headers.ts';
import { policySchema, proxySchema, proxyViewSchema } from './policy-schema.ts';

export interface Field {
  /** In a create. */
  create: z.ZodType;
  /** In a change; absent: it stays as it was created. */
  patch?: z.ZodType;
  /** In the record as its owner sees it; absent: it is not shown. */
  shown?: z.ZodType;
  /** What a create without it means. */
  default?: unknown;
  /** Applied to each tab before its page runs. */
  emulated?: true;
  /** A column of the record with rules of its own, not one of its settings. */
  column?: true;
}

const day = 86_400_000;
const durationMs = z
  .int()
  .min(1000)
  .max(365 * day);

const viewportSchema = z.strictObject({
  width: z.int().min(1).max(10_000).default(1280),
  height: z.int().min(1).max(10_000).default(720),
  deviceScaleFactor: z.number().min(0.1).max(10).default(1),
});

const geolocationSchema = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracy: z.number().min(0).default(0),
});

const cookieSchema = z
  .strictObject({
    name: z.string().min(1).max(4096),
    value: z.string().max(4096),
    url: z.url().optional(),
    domain: z.string().min(1).max(253).optional(),
    path: z.string().max(1024).optional(),
    expires: z
      .number()
      .optional()
      .meta({ description: 'Seconds since 1970; absent or -1 for a session cookie.' }),
    httpOnly: z.boolean().optional(),
    secure: z.boolean().optional(),
    sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
  })
  .refine((cookie) => cookie.url !== undefined || cookie.domain !== undefined, {
    message: 'a cookie needs `url` or `domain`',
  });

const metadata = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine((map) => Object.keys(map).length <= 50, { message: 'at most 50 keys' });

const permissionState = z.enum(['granted', 'denied', 'prompt']);

const dialogMode = z.enum(['dismiss', 'accept', 'manual']).meta({
  description: 'How dialogs of pages are answered. `manual`: over the API, else dismissed after a time-out.',
});

/** Valid is what the platform itself accepts. */
const accepts =
  (make: (value: string) => unknown) =>
  (value: string): boolean => {
    try {
      return Boolean(make(value));
    } catch {
      return false;
    }
  };

const isLocale = accepts((tag) => Intl.getCanonicalLocales(tag)[0]);
const isTimezone = accepts((timeZone) => new Intl.DateTimeFormat('en', { timeZone }));

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** How a browser looks to the pages it visits, whatever it is made for. */
const appearance = {
  viewport: {
    create: viewportSchema.optional(),
    shown: z.strictObject({ width: z.int(), height: z.int(), deviceScaleFactor: z.number() }),
    default: { width: 1280, height: 720, deviceScaleFactor: 1 },
    emulated: true,
  },
  userAgent: {
    create: z
      .string()
      .min(1)
      .max(1024)
      .regex(/^[\x20-\x7e]+$/, 'printable ASCII only')
      .optional(),
    shown: z.string().optional(),
    emulated: true,
  },
  locale: {
    create: z
      .string()
      .max(64)
      .refine(isLocale, { message: 'not a BCP 47 language tag, such as de-DE' })
      .optional(),
    shown: z.string().optional(),
    emulated: true,
  },
  timezone: {
    create: z
      .string()
      .max(64)
      .refine(isTimezone, { message: 'not an IANA time zone, such as Europe/Berlin' })
      .optional(),
    shown: z.string().optional(),
    emulated: true,
  },
  extraHeaders: {
    create: z
      .record(
        z.string().regex(headerName, 'not a header name').max(128),
        z
          .string()
          .max(8192)
          .regex(/^[^\r\n\0]*$/)
          .refine((value) => value !== masked, {
            message: `${masked} stands for a value that is not shown: send the value itself`,
          }),
      )
      .optional()
      .meta({ description: 'Sent with every request of every page.' }),
    shown: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description: `Values of \`Authorization\`, \`Cookie\`, \`Proxy-Authorization\` and of names that look like keys are shown as \`${masked}\`.`,
      }),
    emulated: true,
  },
  cookies: { create: z.array(cookieSchema).max(3000).optional() },
} as const satisfies Record<string, Field>;

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
  },
  proxy: {
    create: proxySchema.optional(),
    patch: proxySchema.nullable().optional().meta({ description: 'null removes the proxy.' }),
    shown: proxyViewSchema.optional(),
  },
  ...appearance,
  geolocation: {
    create: geolocationSchema.optional(),
    shown: z.strictObject({ latitude: z.number(), longitude: z.number(), accuracy: z.number() }).optional(),
    emulated: true,
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

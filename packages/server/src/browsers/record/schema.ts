/** What a browser looks like from outside. Every type of the domain derives from these schemas. */
import { z } from 'zod';
import { statuses } from './lifecycle.ts';

const time = z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' });
const ms = (min: number, max: number) => z.int().min(min).max(max);
const day = 86_400_000;

export const browserStatus = z.enum(statuses).meta({ id: 'BrowserStatus' });

const hostList = z.array(z.string().min(1).max(260)).max(1000);
const originList = z.array(z.string().min(1).max(300)).max(1000);

const mimePattern = /^(\*\/\*|[\w!#$&^.+-]+\/(\*|[\w!#$&^.+-]+))$/;

export const policySchema = z
  .strictObject({
    allowedDomains: hostList.optional().meta({
      description: 'Hosts the browser may visit; an entry covers its subdomains.',
      examples: [['example.com']],
    }),
    blockedDomains: hostList
      .optional()
      .meta({ description: 'Hosts it may not visit. Blocked beats allowed.' }),
    allowedOrigins: originList
      .optional()
      .meta({ description: 'scheme://host:port entries of the allow-list.' }),
    blockedOrigins: originList
      .optional()
      .meta({ description: 'scheme://host:port entries that are refused.' }),
    privateAccess: z
      .union([
        z.literal(false),
        z.strictObject({
          domains: hostList.optional(),
          cidrs: z.array(z.string().min(1).max(64)).max(1000).optional(),
          localhost: z.boolean().optional(),
        }),
      ])
      .optional()
      .meta({
        description: 'Which private, loopback or link-local addresses may be reached. Default: none.',
      }),
    downloads: z
      .strictObject({ mode: z.enum(['allow', 'deny']).optional(), maxBytes: z.int().min(0).optional() })
      .optional()
      .meta({
        description:
          'Whether pages may download, and how large one file may be; a download that may not go on is cancelled, with an event.',
      }),
    uploads: z
      .strictObject({
        mode: z.enum(['allow', 'deny']).optional(),
        allowedMimeTypes: z
          .array(z.string().regex(mimePattern, 'expected a type such as image/png or image/*').max(255))
          .max(200)
          .optional(),
      })
      .optional()
      .meta({
        description:
          'Which files may be uploaded to the browser and put into its pages, by the type of their content; `image/*` covers all images.',
      }),
  })
  .meta({ id: 'Policy' });

export const proxySchema = z
  .union([
    z.string().min(1).max(2048),
    z.strictObject({
      server: z.string().min(1).max(2048),
      username: z.string().max(1024).optional(),
      password: z.string().max(1024).optional(),
      bypass: z.array(z.string().min(1).max(260)).max(200).optional(),
    }),
  ])
  .meta({ description: 'http, https or socks5 URL, or its parts. Never a silent direct connection.' });

const proxyView = z.strictObject({
  server: z.string(),
  username: z.string().optional(),
  bypass: z.array(z.string()).optional(),
});

const viewportSchema = z.strictObject({
  width: z.int().min(1).max(10_000).default(1280),
  height: z.int().min(1).max(10_000).default(720),
  deviceScaleFactor: z.number().min(0.1).max(10).default(1),
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

/** What the platform itself accepts is right. */
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

const maxDurationSchema = ms(1000, 365 * day);
const idleTimeoutSchema = ms(1000, 365 * day);

/** How a browser looks to the pages it visits, whatever it is made for. */
export const appearanceFields = {
  viewport: viewportSchema.optional(),
  userAgent: z
    .string()
    .min(1)
    .max(1024)
    .regex(/^[\x20-\x7e]+$/, 'printable ASCII only')
    .optional(),
  locale: z
    .string()
    .max(64)
    .refine(isLocale, { message: 'not a BCP 47 language tag, such as de-DE' })
    .optional(),
  timezone: z
    .string()
    .max(64)
    .refine(isTimezone, { message: 'not an IANA time zone, such as Europe/Berlin' })
    .optional(),
  extraHeaders: z
    .record(
      z.string().regex(headerName, 'not a header name').max(128),
      z
        .string()
        .max(8192)
        .regex(/^[^\r\n\0]*$/),
    )
    .optional()
    .meta({ description: 'Sent with every request of every page.' }),
  cookies: z.array(cookieSchema).max(3000).optional(),
};

export const createBrowserSchema = z
  .strictObject({
    recording: z.boolean().optional().meta({
      description:
        'Record a video of the tab in front whenever the browser runs: one recording for each epoch. Default false.',
    }),
    policy: policySchema.optional(),
    proxy: proxySchema.optional(),
    ...appearanceFields,
    geolocation: z
      .strictObject({
        latitude: z.number().min(-90).max(90),
        longitude: z.number().min(-180).max(180),
        accuracy: z.number().min(0).default(0),
      })
      .optional(),
    permissions: z
      .record(z.string().min(1).max(64), permissionState)
      .optional()
      .meta({
        description: 'Permission name → state, for all origins.',
        examples: [{ geolocation: 'granted' }],
      }),
    startUrl: z
      .url({ protocol: /^https?$/ })
      .max(8192)
      .optional(),
    name: z.string().min(1).max(200).optional(),
    metadata: metadata.optional(),
    maxDuration: maxDurationSchema.optional().meta({
      description: 'Milliseconds from creation after which the browser is closed. Default 86400000.',
    }),
    idleTimeout: idleTimeoutSchema.nullable().optional().meta({
      description: 'Milliseconds without an action after which the browser is stopped. Default: never.',
    }),
    engine: z.enum(['shell', 'full']).optional(),
    profile: z.strictObject({ id: z.string().min(1).max(64), save: z.boolean().optional() }).optional(),
    dialogs: dialogMode.optional(),
  })
  .meta({ id: 'CreateBrowser' });

export const patchBrowserSchema = z
  .strictObject({
    policy: policySchema.optional(),
    proxy: proxySchema.nullable().optional().meta({ description: 'null removes the proxy.' }),
    name: z.string().min(1).max(200).nullable().optional(),
    metadata: metadata.optional(),
    idleTimeout: idleTimeoutSchema.nullable().optional(),
    maxDuration: maxDurationSchema.optional(),
    dialogs: dialogMode.optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, { message: 'name at least one field to change' })
  .meta({ id: 'PatchBrowser' });

export const browserSchema = z
  .strictObject({
    id: z.string().meta({ examples: ['browser_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    status: browserStatus,
    statusReason: z.string().optional(),
    queue: z
      .strictObject({ position: z.int(), expectedWaitMs: z.int() })
      .optional()
      .meta({ description: 'Only while waiting for capacity.' }),
    name: z.string().optional(),
    metadata: z.record(z.string(), z.string()),
    createdAt: time,
    readyAt: time.optional(),
    lastActionAt: time,
    expiresAt: time,
    stoppedAt: time.optional(),
    closedAt: time.optional(),
    recording: z.boolean().meta({ description: 'Whether it is recorded whenever it runs.' }),
    policy: policySchema,
    proxy: proxyView.optional(),
    viewport: z.strictObject({ width: z.int(), height: z.int(), deviceScaleFactor: z.number() }),
    locale: z.string().optional(),
    timezone: z.string().optional(),
    userAgent: z.string().optional(),
    geolocation: z
      .strictObject({ latitude: z.number(), longitude: z.number(), accuracy: z.number() })
      .optional(),
    permissions: z.record(z.string(), permissionState).optional(),
    extraHeaders: z.record(z.string(), z.string()).optional(),
    startUrl: z.string().optional(),
    dialogs: dialogMode,
    engine: z.enum(['shell', 'full']),
    profile: z.strictObject({ id: z.string(), save: z.boolean().optional() }).optional(),
    maxDuration: z.int(),
    idleTimeout: z.int().optional(),
    epoch: z.int().meta({ description: 'Grows each time a new Chromium process takes over.' }),
    tabs: z.int(),
    traffic: z
      .strictObject({ bytesIn: z.int(), bytesOut: z.int(), connections: z.int(), refused: z.int() })
      .optional()
      .meta({
        description:
          'Of a ready browser: bytes from and to the network and refused connections since its Chromium started, and connections open now.',
      }),
    node: z.string().optional(),
  })
  .meta({ id: 'Browser' });

export const tabSchema = z
  .strictObject({ tabId: z.string(), url: z.string(), title: z.string() })
  .meta({ id: 'Tab' });

export const statusSchema = z
  .strictObject({
    browserId: z.string(),
    status: browserStatus,
    activeTab: tabSchema.nullable(),
    tabs: z.array(tabSchema),
    cookieCount: z.int(),
    cookieDomains: z.array(z.string()).max(32),
    lastActionAt: time,
  })
  .meta({ id: 'BrowserStatusSnapshot' });

export const closedSchema = z
  .strictObject({
    id: z.string(),
    status: z.literal('closed'),
    closedAt: time,
    receipt: z.strictObject({
      processesEnded: z.int(),
      bytesFreed: z.int(),
      recordings: z.int(),
      durationMs: z.int(),
    }),
  })
  .meta({ id: 'ClosedBrowser' });

export type CreateBrowser = z.output<typeof createBrowserSchema>;
export type PatchBrowser = z.output<typeof patchBrowserSchema>;
export type Browser = z.output<typeof browserSchema>;
export type StatusSnapshot = z.output<typeof statusSchema>;
export type ClosedBrowser = z.output<typeof closedSchema>;
export type Policy = z.output<typeof policySchema>;
export type ProxyInput = z.output<typeof proxySchema>;

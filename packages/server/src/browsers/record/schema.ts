/** What a browser looks like from outside. Every type of the domain derives from these schemas. */
import { z } from 'zod';
import { fields, shapeOf } from './field-schema.ts';
import { type BrowserStatus, statuses } from './lifecycle.ts';
import { consentCountsSchema, ruleHitsSchema } from './rule-schema.ts';

const time = z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' });

export const browserStatus = z.enum(statuses).meta({ id: 'BrowserStatus' });

export const createBrowserSchema = z.strictObject(shapeOf(fields, 'create')).meta({ id: 'CreateBrowser' });

export const patchBrowserSchema = z
  .strictObject(
    shapeOf(fields, 'patch', [
      'policy',
      'proxy',
      'name',
      'metadata',
      'idleTimeout',
      'maxDuration',
      'dialogs',
    ]),
  )
  .refine((patch) => Object.keys(patch).length > 0, { message: 'name at least one field to change' })
  .meta({ id: 'PatchBrowser' });

export const startPageSchema = z
  .strictObject({
    state: z.enum(['pending', 'loaded', 'failed']).meta({
      description:
        'pending: the browser is still being created, or the page takes longer than five seconds to answer and is still awaited.',
    }),
    error: z
      .strictObject({
        code: z.string(),
        message: z.string(),
        details: z.record(z.string(), z.unknown()),
        category: z.string(),
        nextStep: z.string(),
      })
      .optional()
      .meta({ description: 'Why it failed, such as `POLICY_BLOCKED` or `NAVIGATION_FAILED`.' }),
  })
  .meta({ id: 'StartPage' });

export const handoffStates = z.enum(['requested', 'person']).meta({ id: 'HandoffWaiting' });

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
    ...shapeOf(fields, 'shown', [
      'recording',
      'policy',
      'proxy',
      'viewport',
      'locale',
      'timezone',
      'userAgent',
      'geolocation',
      'permissions',
      'extraHeaders',
      'startUrl',
      'dialogs',
      'engine',
      'memoryMb',
      'profile',
    ]),
    startPage: startPageSchema.optional().meta({
      description:
        'What became of `startUrl`. A page that fails does not fail the create: the browser is ready, with an empty tab or an error page.',
    }),
    maxDuration: z.int(),
    idleTimeout: z.int().optional(),
    epoch: z.int().meta({ description: 'Grows each time a new Chromium process takes over.' }),
    tabs: z.int(),
    handoff: z
      .strictObject({ state: handoffStates, message: z.string().optional(), since: time })
      .optional()
      .meta({
        description:
          'Of a ready browser, while a person is asked to take over or holds it. Absent while scripts drive.',
      }),
    traffic: z
      .strictObject({ bytesIn: z.int(), bytesOut: z.int(), connections: z.int(), refused: z.int() })
      .optional()
      .meta({
        description:
          'Of a ready browser: bytes from and to the network and refused connections since its Chromium started, and connections open now.',
      }),
    ruleHits: ruleHitsSchema.optional().meta({
      description:
        'Of a ready browser whose policy has rules or lists: since its Chromium started, or since these were last changed.',
    }),
    consent: consentCountsSchema.optional().meta({
      description:
        'Of a ready browser whose policy has `consent`: cookie banners since its Chromium started, or since that was set.',
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

export const countsSchema = z
  .strictObject({
    total: z.int(),
    status: z
      .strictObject(
        Object.fromEntries(statuses.map((name) => [name, z.int()])) as Record<BrowserStatus, z.ZodInt>,
      )
      .meta({ description: 'Of each status, also those without any.' }),
  })
  .meta({ id: 'BrowserCounts' });

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
      profile: z
        .strictObject({ id: z.string(), version: z.int() })
        .optional()
        .meta({ description: 'The version that was saved into its profile.' }),
    }),
  })
  .meta({ id: 'ClosedBrowser' });

export type CreateBrowser = z.output<typeof createBrowserSchema>;
export type PatchBrowser = z.output<typeof patchBrowserSchema>;
export type Browser = z.output<typeof browserSchema>;
export type StartPage = z.output<typeof startPageSchema>;
export type BrowserCounts = z.output<typeof countsSchema>;
export type StatusSnapshot = z.output<typeof statusSchema>;
export type ClosedBrowser = z.output<typeof closedSchema>;

/** Jobs, their progress and their results, as the API shows them. */
import { z } from 'zod';
import { profileRef } from '../browsers/record/field-schema.ts';
import { webhookSecret, webhookUrl } from '../events/webhook-schema.ts';
import { projectFileSchema } from '../files/schema.ts';
import { quickScrapedSchema } from '../quick/schema.ts';

const time = z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' });

export const jobKinds = ['batch', 'crawl', 'map'] as const;
export const jobActions = ['scrape', 'screenshot', 'pdf'] as const;
export const jobStatuses = ['queued', 'running', 'completed', 'cancelled', 'failed'] as const;
export const resultStatuses = ['done', 'failed', 'skipped'] as const;

const mostPages = 10_000;
const mostRetries = 5;
const mostAtOnce = 32;

const action = z
  .enum(jobActions)
  .default('scrape')
  .meta({ description: 'What is done with each page: the quick action of this name.' });
const options = z
  .looseObject({})
  .default({})
  .meta({
    description:
      'Fields of the quick action, for every page: `format`, `include`, `policy`, `profile`, `maxAgeMs`, …',
    examples: [{ format: 'text', timeoutMs: 20_000 }],
  });

const common = {
  name: z.string().min(1).max(200).optional().meta({ description: 'For people.' }),
  concurrency: z
    .int()
    .min(1)
    .max(mostAtOnce)
    .default(4)
    .meta({ description: 'Pages at the same time. Fewer while others need the room.' }),
  retries: z.int().min(0).max(mostRetries).default(1).meta({
    description:
      'How often a page is tried again that failed for what may pass: time-outs, connections, crashes, and answers 429, 502, 503 and 504.',
  }),
  webhook: z
    .strictObject({
      url: webhookUrl,
      secret: webhookSecret.optional().meta({ description: 'Your own secret; one is made when absent.' }),
    })
    .optional()
    .meta({ description: 'Is told when the job ends, as webhooks of the project are told of events.' }),
};

const item = z
  .looseObject({
    url: z
      .string()
      .optional()
      .meta({ examples: ['https://example.com/article'] }),
    html: z.string().optional(),
  })
  .meta({ description: '`url` or `html`, and fields of the quick action for this page alone.' });

const batch = z
  .strictObject({
    kind: z.literal('batch'),
    action,
    items: z.array(item).min(1).max(mostPages),
    options,
    ...common,
  })
  .meta({ id: 'CreateBatchJob' });

const patterns = z.array(z.string().min(1).max(2048)).max(100).optional();
const site = {
  url: z
    .url({ protocol: /^https?$/ })
    .max(16_384)
    .meta({ description: 'Where it begins.', examples: ['https://example.com/docs'] }),
  include: patterns.meta({
    description:
      'Only addresses that fit one of these: a path with its query, or a whole address, in which `*` stands for any characters. The first page is visited in any case.',
    examples: [['/docs/*']],
  }),
  exclude: patterns.meta({ description: 'No address that fits one of these.', examples: [['/docs/old/*']] }),
  scope: z.enum(['sameHost', 'domain']).default('sameHost').meta({
    description:
      '`sameHost`: the host of `url`, with and without `www.`. `domain`: its registrable domain with all hosts below it.',
  }),
  sitemap: z.boolean().default(true).meta({ description: 'Begin also with what the site’s sitemaps name.' }),
  robots: z.enum(['respect', 'ignore']).default('respect').meta({
    description: '`ignore` only for sites that are yours, or that allow it.',
  }),
  delayMs: z
    .int()
    .min(0)
    .max(60_000)
    .optional()
    .meta({ description: 'At least so long between two pages of one host.' }),
  profile: profileRef.optional().meta({ description: 'A saved profile that each page begins with.' }),
  maxDepth: z.int().min(0).max(100).default(5).meta({ description: 'Links away from `url`.' }),
};

const crawl = z
  .strictObject({
    kind: z.literal('crawl'),
    ...site,
    maxPages: z.int().min(1).max(mostPages).default(100),
    action,
    options,
    ...common,
  })
  .meta({ id: 'CreateCrawlJob' });

const map = z
  .strictObject({
    kind: z.literal('map'),
    ...site,
    maxPages: z.int().min(1).max(mostPages).default(5000).meta({ description: 'Addresses.' }),
    options: options.meta({
      description: 'Fields of the quick action scrape that say how pages are reached: `policy`, `proxy`, …',
      examples: [{ policy: { consent: 'decline' } }],
    }),
    ...common,
  })
  .meta({ id: 'CreateMapJob' });

export const createJobSchema = z.discriminatedUnion('kind', [batch, crawl, map]).meta({ id: 'CreateJob' });

const count = z.int().min(0);
export const remarkSchema = z.strictObject({ code: z.string(), message: z.string() });
const failure = z.strictObject({ code: z.string(), message: z.string() });

export const jobSchema = z
  .strictObject({
    id: z.string().meta({ examples: ['job_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    kind: z.enum(jobKinds),
    action: z.enum(jobActions).nullable().meta({ description: 'null for a map.' }),
    name: z.string().nullable(),
    url: z.string().nullable().meta({ description: 'Where a crawl or a map began.' }),
    status: z.enum(jobStatuses),
    progress: z.strictObject({
      queued: count,
      running: count,
      done: count,
      failed: count,
      skipped: count,
      total: count.meta({ description: 'Of a crawl, what is known so far.' }),
      etaMs: count.nullable().meta({ description: 'At the pace so far; null while that is unknown.' }),
    }),
    remarks: z
      .array(remarkSchema)
      .meta({ description: 'What bounded the job: `max_pages`, robots, traps, …' }),
    error: failure.nullable().meta({ description: 'Why the whole job failed.' }),
    createdAt: time,
    startedAt: time.nullable(),
    endedAt: time.nullable(),
    expiresAt: time
      .nullable()
      .meta({ description: 'When an ended job goes, with its results and its files.' }),
  })
  .meta({ id: 'Job' });

export const createdJobSchema = jobSchema
  .extend({
    webhookSecret: webhookSecret.optional().meta({
      description:
        'What messages to `webhook` are signed with, where the caller sent none. It is shown here only.',
    }),
  })
  .meta({ id: 'CreatedJob' });

export const jobResultSchema = z
  .strictObject({
    seq: z.int().meta({ description: 'The order in which pages were finished, from 1.' }),
    index: z
      .int()
      .meta({ description: 'Of a batch, the place of the item; else the order in which it was found.' }),
    url: z.string().nullable().meta({ description: 'null for an item with `html`.' }),
    finalUrl: z.string().nullable().meta({ description: 'After all redirects.' }),
    statusCode: z.int().nullable(),
    status: z.enum(resultStatuses),
    depth: z.int().nullable(),
    foundOn: z.string().nullable(),
    source: z.enum(['start', 'link', 'sitemap']).nullable(),
    attempts: z.int(),
    fromCache: z.boolean(),
    error: failure.nullable().meta({ description: 'Why it failed, or was skipped.' }),
    scraped: quickScrapedSchema.optional(),
    file: projectFileSchema.optional().meta({ description: 'The screenshot or the PDF.' }),
    finishedAt: time,
  })
  .meta({ id: 'JobResult' });

export const deletedJobSchema = z
  .strictObject({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'DeletedJob' });

export type CreateJob = z.output<typeof createJobSchema>;
export type CreateBatch = z.output<typeof batch>;
export type CreateCrawl = z.output<typeof crawl>;
export type CreateMap = z.output<typeof map>;
export type Job = z.output<typeof jobSchema>;
export type CreatedJob = z.output<typeof createdJobSchema>;
export type JobResult = z.output<typeof jobResultSchema>;
export type JobAction = (typeof jobActions)[number];
export type ResultStatus = (typeof resultStatuses)[number];
export type Remark = z.output<typeof remarkSchema>;

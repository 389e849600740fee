/** Where to go and how to wait, in the words of a request. */
import { z } from 'zod';

const resources = ['image', 'font', 'media', 'stylesheet'] as const;

export const waitForSchema = z
  .union([
    z.int().min(0).max(120_000).meta({ description: 'Milliseconds after the page is parsed.' }),
    z.enum(['load', 'domcontentloaded', 'networkidle']),
    z.string().min(1).max(4096).meta({ description: 'A CSS selector: until something matches.' }),
    z.strictObject({ expression: z.string().min(1).max(20_000) }).meta({
      description: 'JavaScript in the world of the page: until its value, or that of its promise, is true.',
    }),
  ])
  .meta({
    description:
      'When the page is there. Default: when it is loaded and has come to rest, which a page that polls or streams does too. `networkidle`: half a second without any request open.',
  });

const isRelative = (name: string): boolean =>
  !name.includes('\\') && !name.split('/').some((part) => part === '' || part === '.' || part === '..');

const assetSchema = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(255)
      .refine(isRelative, {
        message: 'not the relative path of a file, such as style.css or images/logo.png',
      })
      .meta({ examples: ['images/logo.png'] }),
    content: z.base64().max(14_000_000).optional().meta({ description: 'The bytes, in base64.' }),
    fileId: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({
        description: 'A file of the project that has the bytes, of at most 10,500,000.',
        examples: ['file_01ja9q4m8h2f7t3k5w6x8y0z1a'],
      }),
  })
  .refine(({ content, fileId }) => (content === undefined) !== (fileId === undefined), {
    path: ['content'],
    message: 'give either content or fileId',
  });

const areDifferent = (assets: { name: string }[]): boolean =>
  new Set(assets.map(({ name }) => name)).size === assets.length;

/** Only of a page that is gone with its visit: a tab could not load such a page again. */
export const assetsField = z
  .array(assetSchema)
  .min(1)
  .max(200)
  .refine(areDifferent, { message: 'two have the same name' })
  .optional()
  .meta({ description: 'Files that `html` names by relative addresses: pictures, styles, fonts, scripts.' });

/** Where to go and how to wait, of everything that visits a page. */
export const visitFields = {
  url: z
    .url({ protocol: /^https?$/ })
    .max(16_384)
    .optional()
    .meta({ examples: ['https://example.com/article'] }),
  html: z
    .string()
    .max(10_000_000)
    .optional()
    .meta({ description: 'A page to show instead of going to `url`.' }),
  waitFor: waitForSchema.optional(),
  timeoutMs: z.int().min(1).max(120_000).default(30_000),
  blockResources: z
    .array(z.enum(resources))
    .max(4)
    .optional()
    .meta({ description: 'Kinds of requests that are not made.' }),
  partial: z.boolean().default(false).meta({
    description: 'When the time is up, answer with what there is (`timedOut: true`) instead of 504.',
  }),
};

/** As it was asked for; its bytes may still lie in a file of the project. */
export type WantedAsset = z.output<typeof assetSchema>;
export interface Asset {
  name: string;
  /** In base64. */
  content: string;
}
export type WaitFor = z.output<typeof waitForSchema>;
export type Resource = (typeof resources)[number];

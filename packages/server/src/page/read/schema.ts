/** What may be read from a page, and the answer. Quick actions take the same. */
import { z } from 'zod';
import { captchaItemSchema } from '../captcha/schema.ts';
import { dataSources } from '../inside/data-schema.ts';
import { visitFields } from '../visit/schema.ts';
import { SchemaProblem, wantedOf } from './wanted-data.ts';

const mostChars = 1_000_000;
const selector = z.string().min(1).max(4096);

/** A fault is named by its place in the caller's own document. */
const isFillable = (schema: Record<string, unknown>, context: z.RefinementCtx): void => {
  try {
    wantedOf(schema);
  } catch (error) {
    if (!(error instanceof SchemaProblem)) throw error;
    context.addIssue({ code: 'custom', path: error.path, message: error.message });
  }
};

export const scrapeFields = {
  format: z.enum(['markdown', 'html', 'text', 'json']).default('markdown').meta({
    description:
      'json: what the page says about itself and its text as `sections`, each with its heading; of an address that is JSON, its value. Of a PDF its text is read, each page as a section `#page-1`, `#page-2`, …',
  }),
  mainContent: z.boolean().default(true).meta({
    description: 'Only what one came to read: no menus, banners, side bars, comments. false: the whole page.',
  }),
  selector: selector
    .optional()
    .meta({ description: 'Only what matches this CSS selector, all of it, in order.' }),
  extract: z
    .record(
      z.string().min(1).max(128),
      z.strictObject({
        selector,
        attribute: z
          .string()
          .min(1)
          .max(128)
          .optional()
          .meta({ description: 'Its value instead of the text.' }),
        all: z
          .boolean()
          .optional()
          .meta({ description: 'Of all that match, as a list, instead of the first.' }),
      }),
    )
    .refine((picks) => Object.keys(picks).length <= 100, { message: 'more than 100 names' })
    .optional()
    .meta({
      description:
        'Values by CSS selectors, answered in `data`: text or attribute, null where nothing matches.',
      examples: [
        { price: { selector: '.price' }, pictures: { selector: 'img', attribute: 'src', all: true } },
      ],
    }),
  schema: z
    .record(z.string(), z.unknown())
    .superRefine(isFillable)
    .optional()
    .meta({
      description:
        'A JSON Schema of the type object, filled without a model and answered in `data`: from selectors in it (`x-selector`, `x-attribute`), JSON-LD, microdata, RDFa, tables, definition lists, OpenGraph and the rest of the head, in this order. Properties are found by name (`x-names` adds names, `x-type` the kind of thing). Not together with `extract`.',
      examples: [
        {
          type: 'object',
          properties: { name: { type: 'string' }, price: { type: 'number', 'x-selector': '.price' } },
          required: ['name'],
        },
      ],
    }),
  include: z
    .array(z.enum(['links', 'headings', 'forms', 'images', 'metadata', 'tables']))
    .max(6)
    .default([])
    .meta({ description: 'Lists of the whole page, or of what `selector` matches.' }),
  citations: z.boolean().default(true).meta({
    description: 'The links in the text that lead to notes and sources, such as `[1]`. false: without them.',
  }),
  maxChars: z.int().min(1).max(mostChars).default(20_000),
  startFromChar: z.int().min(0).default(0).meta({ description: '`nextStart` of the part before.' }),
  includeFrames: z.boolean().default(false).meta({ description: 'The text of frames, in their place.' }),
  includeShadow: z.boolean().default(true).meta({ description: 'The text of open shadow roots.' }),
};

export const solveCaptchaField = z.boolean().default(false).meta({
  description:
    'Try the configured solvers on captchas that the page shows, except a person. Use it only where you are allowed to.',
});

type DataFields = { schema?: unknown; extract?: unknown };
export const oneData = ({ schema, extract }: DataFields, context: z.RefinementCtx): void => {
  if (schema !== undefined && extract !== undefined)
    context.addIssue({
      code: 'custom',
      path: ['extract'],
      message: 'give schema or extract: both answer in data',
    });
};

const oneDestination = {
  message: 'give url or html, not both',
  path: ['html'],
};

/** On a tab of a living browser: without `url` and `html`, the page it shows. */
export const scrapeTabSchema = z
  .strictObject({
    ...visitFields,
    ...scrapeFields,
    solveCaptcha: solveCaptchaField,
    tabId: z.string().min(1).max(128).optional().meta({ description: 'Default: the active tab.' }),
  })
  .refine(({ url, html }) => url === undefined || html === undefined, oneDestination)
  .superRefine(oneData)
  .meta({ id: 'ScrapeTab' });

const strings = z.record(z.string(), z.string());

export const scrapeAnswerFields = {
  url: z.string().meta({ description: 'As asked for.' }),
  finalUrl: z.string().meta({ description: 'After all redirects.' }),
  title: z.string(),
  description: z.string(),
  statusCode: z.int().nullable().meta({ description: 'null where there was no HTTP.' }),
  contentType: z.string().nullable(),
  format: z.enum(['markdown', 'html', 'text', 'json']),
  content: z.unknown().meta({
    description:
      'A string. With `format: json` an object `{title, description, language?, author?, siteName?, publishedAt?, sections: [{level, heading, text}]}`, where `level` is 0 before the first heading and `text` is Markdown; of an address that is JSON, its value.',
  }),
  chars: z.int().meta({ description: 'Length of the whole, before `startFromChar` and `maxChars`.' }),
  truncated: z
    .boolean()
    .meta({ description: 'There is more: after `nextStart`, or on a page too large to be read whole.' }),
  nextStart: z.int().optional().meta({ description: '`startFromChar` of the next part.' }),
  timedOut: z
    .boolean()
    .optional()
    .meta({ description: 'With `partial`: this is what there was when the time was up.' }),
  links: z.array(z.strictObject({ url: z.string(), text: z.string() })).optional(),
  headings: z
    .array(z.strictObject({ level: z.int(), text: z.string(), id: z.string().optional() }))
    .optional(),
  forms: z
    .array(
      z.strictObject({
        action: z.string(),
        method: z.string(),
        id: z.string().optional(),
        fields: z.array(
          z.strictObject({
            name: z.string(),
            type: z.string(),
            label: z.string().optional(),
            required: z.boolean(),
            value: z.string().optional().meta({ description: 'Never of a password.' }),
            options: z.array(z.strictObject({ value: z.string(), text: z.string() })).optional(),
          }),
        ),
      }),
    )
    .optional(),
  images: z
    .array(
      z.strictObject({
        url: z.string(),
        alt: z.string(),
        width: z.int().optional(),
        height: z.int().optional(),
      }),
    )
    .optional(),
  metadata: z
    .strictObject({
      canonical: z.string().optional(),
      language: z.string().optional(),
      author: z.string().optional(),
      siteName: z.string().optional(),
      publishedAt: z.string().optional(),
      modifiedAt: z.string().optional(),
      image: z.string().optional(),
      icon: z.string().optional(),
      feeds: z.array(z.string()),
      meta: strings,
      openGraph: strings,
      twitter: strings,
      jsonLd: z.array(z.unknown()),
    })
    .optional(),
  tables: z
    .array(
      z.strictObject({
        caption: z.string().optional(),
        headers: z.array(z.string()),
        rows: z.array(z.array(z.string())),
      }),
    )
    .optional(),
  data: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Of `extract`, or of `schema`: then only values that are as the schema says.' }),
  unfilled: z
    .array(z.string())
    .optional()
    .meta({ description: 'With `schema`: JSON pointers into `data` to what was not found on the page.' }),
  missing: z.array(z.string()).optional().meta({
    description:
      'With `schema`: those of `unfilled` that the schema requires. With none, `data` validates against the schema.',
  }),
  sources: z.record(z.string(), z.enum(dataSources)).optional().meta({
    description:
      'With `schema`: where each value was found, by JSON pointer; a list of objects has one for all. `json`: the address itself is JSON.',
  }),
  captcha: z.array(captchaItemSchema).meta({ description: 'Those that the page shows.' }),
  elapsedMs: z.int(),
};

export const scrapedTabSchema = z.strictObject(scrapeAnswerFields).meta({ id: 'ScrapedTab' });

export type ScrapeTab = z.output<typeof scrapeTabSchema>;
export type ScrapeRequest = Pick<ScrapeTab, keyof typeof scrapeFields>;
export type ScrapedTab = z.output<typeof scrapedTabSchema>;
/** What the page itself gives; the rest of the answer is about the way there. */
export type Scraped = Omit<
  ScrapedTab,
  'url' | 'finalUrl' | 'statusCode' | 'contentType' | 'timedOut' | 'captcha' | 'elapsedMs'
>;

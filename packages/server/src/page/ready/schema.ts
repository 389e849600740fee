/** What is done to a page before a picture or a PDF is made of it, and what it must not be like. */
import { z } from 'zod';
import { type WaitFor, waitForSchema } from '../visit/schema.ts';

const selector = z.string().min(1).max(4096);
const selectors = z.array(selector).max(50);

const script = z.strictObject({
  content: z.string().min(1).max(500_000).meta({ description: 'JavaScript; its promise is waited for.' }),
  when: z
    .enum(['before', 'after'])
    .default('after')
    .meta({ description: '`before`: ahead of the page’s own scripts, in each of its documents.' }),
});

const readyFields = {
  media: z
    .enum(['screen', 'print'])
    .optional()
    .meta({ description: 'Which `@media` rules hold. Default: screen for a picture, print for a PDF.' }),
  addStyle: z
    .union([z.string().max(500_000), z.array(z.string().max(500_000)).max(20)])
    .optional()
    .meta({
      description: 'CSS that holds while it is captured, whatever the page’s content security policy says.',
    }),
  hide: selectors.optional().meta({
    description: 'CSS selectors of what is not shown; its place stays empty. Also in open shadow roots.',
  }),
  remove: selectors.optional().meta({
    description: 'CSS selectors of what is not there; the rest moves together. Also in open shadow roots.',
  }),
  click: z
    .array(z.union([selector, z.strictObject({ selector, optional: z.boolean().default(false) })]))
    .max(20)
    .optional()
    .meta({
      description:
        'CSS selectors of what is clicked, one after the other; after each the page comes to rest. One that matches nothing is an error unless it is `optional`.',
    }),
  scroll: z
    .union([z.boolean(), z.strictObject({ maxScreens: z.int().min(1).max(500).default(100) })])
    .optional()
    .meta({
      description:
        'Scroll through the page screen by screen and back, waiting at each for what it brings: pictures and parts that load when they are reached are there then. At most 100 screens unless told otherwise.',
    }),
  waitForFonts: z.boolean().default(true).meta({
    description:
      'Web fonts that are on their way are waited for, 2.5 seconds at most. `false`: text whose font is missing is drawn as the page has it without.',
  }),
  delay: z
    .int()
    .min(0)
    .max(60_000)
    .optional()
    .meta({ description: 'Milliseconds to wait at last, for instance for an animation.' }),
};

const statusCode = z.union([
  z.int().min(100).max(599),
  z.string().regex(/^[1-5]xx$/, 'not a status, such as 404 or "5xx"'),
]);

/** Of a tab, whose page was loaded before the call. */
export const tabReadyFields = {
  ...readyFields,
  waitFor: waitForSchema.optional().meta({
    description:
      'What is waited for first: a selector, an expression, or how far the page has come. Default: it is captured as it is.',
  }),
  colorScheme: z
    .enum(['light', 'dark'])
    .optional()
    .meta({ description: 'What `prefers-color-scheme` says while it is captured.' }),
  addScript: z
    .array(script.omit({ when: true }))
    .max(20)
    .optional()
    .meta({ description: 'Run in the world of the page.' }),
  failOn: z
    .strictObject({
      selector: selector.optional(),
      status: z.array(statusCode).min(1).max(20).optional(),
    })
    .optional()
    .meta({
      description:
        'Answer `PAGE_NOT_WANTED` instead, when something matches the selector or the page was answered with such a status.',
    }),
};

export const quickReadyFields = {
  ...readyFields,
  addScript: z.array(script).max(20).optional().meta({ description: 'Run in the world of the page.' }),
  failOn: z
    .strictObject({
      status: z
        .array(statusCode)
        .min(1)
        .max(20)
        .optional()
        .meta({ description: 'Of the page itself.', examples: [[404, '5xx']] }),
      resources: z.boolean().default(false).meta({
        description:
          'When a picture, style sheet, script, font or other part fails or is answered with 400 or more.',
      }),
      console: z.boolean().default(false).meta({
        description: 'When the page throws an error that it does not catch, or writes one to the console.',
      }),
      selector: selector.optional().meta({ description: 'When something matches it.' }),
    })
    .optional()
    .meta({
      description: 'Answer `PAGE_NOT_WANTED`, with the reasons, instead of a capture of such a page.',
    }),
};

export type StatusCode = z.output<typeof statusCode>;
type Fields = { [Name in keyof typeof quickReadyFields]?: z.output<(typeof quickReadyFields)[Name]> };
/** Of a quick action or of a tab. */
export type ReadyRequest = Omit<Fields, 'addScript' | 'failOn'> & {
  /** Of a tab; a quick action has it from the start. */
  colorScheme?: 'light' | 'dark';
  addScript?: { content: string; when?: 'before' | 'after' }[];
  failOn?: { status?: StatusCode[]; resources?: boolean; console?: boolean; selector?: string };
};

export interface TabReadyRequest extends ReadyRequest {
  waitFor?: WaitFor;
}

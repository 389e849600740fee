/** What a caller wants to see of a page, and what it gets. */
import { z } from 'zod';
import { tabSchema } from '../../browsers/record/schema.ts';

const kinds = z.enum(['aria', 'text', 'html', 'markdown']);
const words = z.string().min(1).max(1000);

const findSchema = z
  .strictObject({
    text: words.optional().meta({ description: 'In its name, its value, its title or its own text.' }),
    role: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ examples: ['button'] }),
    name: words.optional().meta({ description: 'Part of its name.' }),
    css: z.string().min(1).max(4096).optional(),
  })
  .refine((find) => Object.values(find).some((value) => value !== undefined), {
    message: 'needs one of text, role, name, css',
  });

/** Of a tree alone. */
const treeFields = {
  find: findSchema.optional().meta({
    description:
      'Only elements that match all of this, each below the way to it, with their references. Upper and lower case are the same.',
  }),
  scope: z
    .string()
    .regex(/^(?:f\d{1,6})?e\d{1,9}$/, 'must be a reference, such as e12 or f1e12')
    .optional()
    .meta({ description: 'Only what is in the element with this reference.' }),
  depth: z.int().min(1).max(100).optional().meta({
    description: 'How many levels; what lies deeper is counted.',
  }),
  interactiveOnly: z.boolean().default(false).meta({
    description: 'Only what can be operated, and the headings and parts of the page around it.',
  }),
  viewportOnly: z.boolean().default(false).meta({
    description: 'Only what lies within the view; the rest is counted.',
  }),
  urls: z.boolean().default(false).meta({ description: 'With the addresses of links.' }),
  boxes: z.boolean().default(false).meta({
    description: 'With `[box=left,top,width,height]` of each element, in CSS pixels of the view.',
  }),
};

export const lookFields = {
  kind: kinds.default('aria').meta({
    description:
      'aria: what the page shows and what can be operated, as a tree; its `[ref=e12]` can be used by later calls as `page.locator("aria-ref=e12")`, as long as the element lives.',
  }),
  as: z.enum(['full', 'diff']).default('full').meta({
    description:
      'diff: only what has changed since an earlier observation of the tab that asked for the same. Lines are new (`+`), gone (`-`), different (`~`) or moved (`>`); what is as before is counted. The whole where there is nothing to compare with, or the diff would not be smaller: `as` of the answer tells.',
  }),
  since: z.string().min(1).max(64).optional().meta({
    description: 'With `as: "diff"`: the `id` of that observation. Default: the last one of this API key.',
  }),
  ...treeFields,
  selector: z.string().min(1).max(4096).optional().meta({
    description: 'Only what is in the first element that matches, in CSS.',
  }),
  maxChars: z.int().min(1).max(1_000_000).default(20_000).meta({
    description: 'Cut at the end of a line. What is longer is kept whole as a file, and has an index.',
  }),
  startFrom: z.int().min(0).max(100_000_000).default(0).meta({
    description: 'A character of the whole: `nextStart` of the part before, or an entry of the index.',
  }),
  store: z.boolean().default(true).meta({
    description: 'Keep what is longer than `maxChars` as a file of the browser.',
  }),
  timeoutMs: z.int().min(1).max(120_000).default(30_000).meta({
    description: 'How long the reading of the page may take.',
  }),
};

type Look = z.output<z.ZodObject<typeof lookFields>>;

/** Rules that hold between the fields. */
export function checkLook(look: Look, context: z.core.$RefinementCtx<Look>): void {
  const refuse = (field: string, message: string): void => {
    context.issues.push({ code: 'custom', path: [field], message, input: look });
  };
  if (look.kind !== 'aria')
    for (const field of Object.keys(treeFields) as (keyof typeof treeFields)[])
      if (look[field]) refuse(field, 'is for the kind aria only');
  if (look.scope !== undefined && look.selector !== undefined)
    refuse('scope', 'cannot be combined with selector: give one of them');
  if (look.find && look.as === 'diff') refuse('as', 'must be full with find');
  if (look.since !== undefined && look.as !== 'diff') refuse('since', 'is for as: "diff" only');
}

export const observeSchema = z
  .strictObject({
    tabId: z.string().min(1).max(128).optional().meta({ description: 'Default: the active tab.' }),
    ...lookFields,
  })
  .superRefine(checkLook)
  .meta({ id: 'ObservePage' });

const indexSchema = z.strictObject({
  startFrom: z.int(),
  chars: z.int(),
  what: z.string().meta({ description: 'The headings and parts of the page that begin in it.' }),
});

export const seenFields = {
  kind: kinds,
  as: z.enum(['full', 'diff']),
  id: z
    .string()
    .optional()
    .meta({
      description: 'For `since` of a later one. The last few of a browser are kept. Not of `find`.',
      examples: ['obs_7kq2m9x4'],
    }),
  content: z.string(),
  chars: z.int().meta({ description: 'Length of the whole, before `maxChars`.' }),
  tokens: z.int().meta({ description: 'Of `content`, roughly: models count differently.' }),
  truncated: z.boolean().meta({ description: 'More follows: at `nextStart`, and in the file.' }),
  nextStart: z.int().optional().meta({ description: '`startFrom` of the next part.' }),
  changed: z.boolean().meta({
    description: 'It differs from the last one of this API key that asked for the same of the tab.',
  }),
  fullReason: z
    .enum(['nothing_before', 'new_document', 'asked_differently', 'not_smaller'])
    .optional()
    .meta({ description: 'Why it is the whole, although a diff was asked for.' }),
  matches: z.int().optional().meta({ description: 'How many elements `find` has found.' }),
  view: z
    .strictObject({
      width: z.int(),
      height: z.int(),
      scrollX: z.int(),
      scrollY: z.int(),
      maxX: z.int(),
      maxY: z.int(),
    })
    .optional()
    .meta({ description: 'The view and how far it is and can be scrolled, in CSS pixels.' }),
  index: z.array(indexSchema).optional().meta({
    description: 'The parts of the whole, where it is longer than `maxChars`.',
  }),
  file: z
    .strictObject({
      fileId: z.string().optional(),
      omitted: z.string().optional().meta({ description: 'Why there is no file.' }),
    })
    .optional()
    .meta({ description: 'The whole, where it is longer than `maxChars`.' }),
  incomplete: z.literal(true).optional().meta({
    description: 'The page is so large, or so slow, that not all of it was read. Ask for a part of it.',
  }),
};

export const observedSchema = z.strictObject({ page: tabSchema, ...seenFields }).meta({ id: 'ObservedPage' });

export type ObservePage = z.output<typeof observeSchema>;
export type ObservedPage = z.output<typeof observedSchema>;
/** What is wanted of a page, whichever call asks for it. */
export type Wanted = Look;
export type SeenAs = Omit<ObservedPage, 'page'>;

/** Everything, for a record. */
export const wholePage: Wanted = {
  kind: 'aria',
  as: 'full',
  interactiveOnly: false,
  viewportOnly: false,
  urls: true,
  boxes: false,
  maxChars: 1_000_000,
  startFrom: 0,
  store: false,
  timeoutMs: 30_000,
};

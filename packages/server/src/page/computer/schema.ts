/** A call to the screen of a browser and its answer, as seen from outside. */
import { z } from 'zod';
import { dialogSchema } from '../../browsers/record/dialog-schema.ts';
import { tabSchema } from '../../browsers/record/schema.ts';
import { plainAction } from './actions-schema.ts';
import { readShape } from './shapes.ts';

const action = z.preprocess(readShape, plainAction);
const pixels = z.int().min(16).max(8192);

const scaleSchema = z
  .union([z.strictObject({ maxSide: pixels }), z.strictObject({ width: pixels, height: pixels })])
  .meta({
    description:
      'How large the picture is for the model, in whose pixels all places are. `maxSide`: its longer side at most. `width` and `height`: as large as fits in there, with the proportions of the page. Not given: a pixel of the picture is a CSS pixel, whatever the `deviceScaleFactor`.',
  });

const pictureFormat = z
  .strictObject({
    format: z.enum(['jpeg', 'png', 'webp']).default('jpeg'),
    quality: z.int().min(1).max(100).optional().meta({ description: 'Of jpeg and webp; 80 if not given.' }),
  })
  .refine(({ format, quality }) => format !== 'png' || quality === undefined, {
    path: ['quality'],
    message: 'png has none; only jpeg and webp do',
  });

export const computerSchema = z
  .strictObject({
    actions: z.union([z.array(action).min(1).max(50), action]).meta({
      description:
        'One action or a list of them, done in order until one fails. Besides this plain shape, the actions of OpenAI’s, Anthropic’s and Gemini’s computer tools are taken as the models give them.',
    }),
    tabId: z.string().min(1).max(128).optional().meta({
      description: 'Default: each action goes to the tab in front, so to a new one as soon as it opens.',
    }),
    scale: scaleSchema.optional(),
    screenshot: z.union([z.boolean(), pictureFormat]).default(false).meta({
      description:
        'A picture of the tab after the last action; its format is also that of `screenshot` and `zoom` actions.',
    }),
    files: z.array(z.string().min(1).max(64)).min(1).max(20).optional().meta({
      description: 'Files of the browser that are given to the file chooser that an action opens.',
    }),
    refs: z.boolean().default(false).meta({
      description:
        'Also name what is hit by its reference in the accessibility tree, which `page.locator("aria-ref=e12")` takes. Slower.',
    }),
    restMs: z.int().min(0).max(10_000).default(3000).meta({
      description:
        'How long an action may wait for the page to come to rest: loaded, nothing under way, nothing moving.',
    }),
    timeoutMs: z.int().min(1).max(120_000).default(60_000),
  })
  .meta({ id: 'UseComputer' });

const named = {
  tag: z.string().max(50),
  role: z.string().max(50).optional(),
  name: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'What a reader calls it; at most 200 characters.' }),
};

export const hitSchema = z
  .strictObject({
    ...named,
    ref: z.string().optional(),
    editable: z.boolean(),
    disabled: z.boolean().optional(),
    covers: z.strictObject(named).optional().meta({
      description:
        'Something that can be operated lies at this place as well, below what was hit, and did not get the input.',
    }),
  })
  .meta({ id: 'ComputerHit' });

const pickerSchema = z.strictObject({
  kind: z.string(),
  label: z.string(),
  value: z.string(),
  multiple: z.boolean().optional(),
  accept: z.string().optional(),
  options: z
    .array(
      z.strictObject({
        text: z.string(),
        selected: z.boolean().optional(),
        disabled: z.boolean().optional(),
      }),
    )
    .optional(),
});

const pictureSchema = z
  .strictObject({
    mimeType: z.enum(['image/jpeg', 'image/png', 'image/webp']),
    width: z.int(),
    height: z.int(),
    data: z.string().meta({ description: 'Base64.' }),
  })
  .meta({ id: 'ComputerPicture' });

const errorSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
  category: z.string(),
  nextStep: z.string(),
});

const place = z.strictObject({ x: z.number(), y: z.number() });

const doneSchema = z
  .strictObject({
    type: z.string().meta({ description: 'In the plain shape.' }),
    tabId: z.string(),
    hit: hitSchema.optional().meta({ description: 'What lay at the place of the action, before it.' }),
    changed: z.boolean().optional().meta({ description: 'Whether the page looks or is different since.' }),
    navigatedTo: z.string().optional(),
    picker: pickerSchema.optional().meta({
      description:
        'The action has opened a list, a calendar, a colour or a file chooser, which Chromium draws outside the page. Choose with `select` at the same place; give files with `files`.',
    }),
    cursor: place.optional(),
    text: z.string().optional().meta({ description: 'What was copied.' }),
    picture: pictureSchema.optional(),
    durationMs: z.int(),
  })
  .meta({ id: 'ComputerStep' });

export const computerAnswerSchema = z
  .strictObject({
    success: z.boolean(),
    failedIndex: z
      .int()
      .optional()
      .meta({ description: 'The action that failed, from 0; those before it are done.' }),
    error: errorSchema.optional(),
    actions: z.array(doneSchema).meta({ description: 'Those that are done, in order.' }),
    page: tabSchema.nullable().meta({ description: 'The tab that was acted on last.' }),
    changed: z.boolean(),
    openedTabs: z.array(tabSchema),
    dialogs: z
      .array(dialogSchema)
      .meta({ description: 'Opened during the call, and those that are still open.' }),
    cursor: place,
    screen: z.strictObject({ width: z.int(), height: z.int() }).nullable().meta({
      description:
        'The size of the picture, in whose pixels all places are. Null where it could not be measured.',
    }),
    picture: pictureSchema.optional(),
    durationMs: z.int(),
  })
  .meta({ id: 'ComputerAnswer' });

export type UseComputer = z.output<typeof computerSchema>;
export type Scale = NonNullable<UseComputer['scale']>;
export type ComputerAnswer = z.output<typeof computerAnswerSchema>;
export type Done = z.output<typeof doneSchema>;
export type Hit = z.output<typeof hitSchema>;
export type ComputerPicture = z.output<typeof pictureSchema>;
export type PickerView = z.output<typeof pickerSchema>;

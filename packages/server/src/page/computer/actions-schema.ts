/**
 * The plain shape of an action at the screen. It is the one that is documented; what the models of other makers say is read into
 * it at the door (shapes.ts).
 */
import { z } from 'zod';

const side = z.number().min(-1_000_000).max(1_000_000);
const unit = z.enum(['pixels', 'thousandths']).default('pixels').meta({
  description:
    'Of all places of the action. pixels: of the picture, as `scale` makes it. thousandths: 0 is its left or upper edge, 1000 the other one.',
});
const place = { x: side, y: side, unit };
const placeOrCursor = { x: side.optional(), y: side.optional(), unit };
const button = z.enum(['left', 'right', 'middle', 'back', 'forward']).default('left');
const modifiers = z
  .array(z.string().min(1).max(32))
  .max(4)
  .default([])
  .meta({ description: 'Keys that are held meanwhile: Control, Shift, Alt, Meta.' });
const holdMs = z.int().min(0).max(10_000).default(0);
const text = z.string().max(100_000);
const point = z.strictObject({ x: side, y: side });

/** Both or neither: half a place is a slip of the model. */
const wholePlace = <T extends z.ZodObject>(shape: T): T =>
  shape.refine(({ x, y }) => (x === undefined) === (y === undefined), {
    path: ['y'],
    message: 'x and y go together; without both, the place is the cursor',
  }) as T;

const action = <Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
  wholePlace(z.strictObject({ type: z.literal(type), ...fields }));

const kinds = [
  action('click', {
    ...placeOrCursor,
    button,
    count: z.int().min(1).max(3).default(1).meta({ description: '2: double click, 3: triple click.' }),
    modifiers,
  }),
  action('move', place),
  action('down', { ...placeOrCursor, button }),
  action('up', { ...placeOrCursor, button }),
  action('drag', {
    path: z.array(point).min(1).max(200).meta({
      description: 'The places it leads through. A single one is its end: it begins at the cursor.',
    }),
    unit,
    button,
    modifiers,
  }),
  action('scroll', {
    ...placeOrCursor,
    deltaX: side.default(0),
    deltaY: side
      .default(0)
      .meta({ description: 'Downwards; with `by`: pixels of the picture, or notches of 100 CSS pixels.' }),
    by: z.enum(['pixels', 'notches']).default('pixels'),
    modifiers,
  }),
  action('type', {
    ...placeOrCursor,
    text,
    clear: z.boolean().default(false).meta({ description: 'Replace what the field holds.' }),
    submit: z.boolean().default(false).meta({ description: 'Press Enter afterwards.' }),
  }),
  action('key', {
    keys: z
      .string()
      .min(1)
      .max(256)
      .meta({
        description:
          'Keys pressed together, such as Enter, Control+A or Shift+ArrowDown; several chords with spaces between them.',
        examples: ['Control+A'],
      }),
    holdMs,
  }),
  action('select', {
    ...place,
    options: z
      .array(z.string().max(1000))
      .max(100)
      .optional()
      .meta({ description: 'Of a list, by their words.' }),
    value: z
      .string()
      .max(1000)
      .optional()
      .meta({ description: 'Of a date, time or colour field, as its `value`.' }),
  }),
  action('wait', { ms: z.int().min(0).max(30_000).default(1000) }),
  action('cursor', {}),
  action('screenshot', {}),
  action('zoom', {
    region: z
      .tuple([side, side, side, side])
      .meta({ description: 'Left, top, right and bottom edge of the part to be seen from near.' }),
    unit,
  }),
  action('copy', { cut: z.boolean().default(false) }),
  action('paste', { text: z.string().max(1_000_000) }),
  action('navigate', { url: z.string().min(1).max(8192) }),
  action('back', {}),
  action('forward', {}),
  action('reload', {}),
  action('openTab', { url: z.string().min(1).max(8192).optional() }),
] as const;

export const plainAction = z.discriminatedUnion('type', kinds).meta({ id: 'ComputerAction' });
export type Action = z.output<typeof plainAction>;
export type PlainInput = z.input<typeof plainAction>;
export type ActionOf<Type extends Action['type']> = Extract<Action, { type: Type }>;

export const actionTypes: readonly string[] = kinds.map(({ shape }) => shape.type.value);

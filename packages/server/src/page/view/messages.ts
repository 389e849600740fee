/**
 * What a viewer says, one JSON message a text frame. Places are CSS pixels of the page, as the frames tell their size.
 */
import { z } from 'zod';
import { pickMessage } from './picker.ts';

const place = { x: z.number().min(-100_000).max(100_000), y: z.number().min(-100_000).max(100_000) };
/** As in CDP: 1 Alt, 2 Ctrl, 4 Meta, 8 Shift. */
const modifiers = z.int().min(0).max(15).default(0);
const longestText = 1_000_000;

export const viewerMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({
    type: z.literal('mouse'),
    kind: z.enum(['move', 'down', 'up', 'wheel']),
    ...place,
    button: z.enum(['none', 'left', 'middle', 'right', 'back', 'forward']).default('none'),
    /** What is held now, this event included; what is missing there was let go unseen. Absent: what was told before. */
    buttons: z.int().min(0).max(31).optional(),
    clicks: z.int().min(0).max(3).default(0),
    deltaX: z.number().min(-100_000).max(100_000).default(0),
    deltaY: z.number().min(-100_000).max(100_000).default(0),
    modifiers,
  }),
  z.strictObject({
    type: z.literal('key'),
    kind: z.enum(['down', 'up']),
    key: z.string().max(32),
    code: z.string().max(32).default(''),
    keyCode: z.int().min(0).max(255).default(0),
    text: z.string().max(8).optional(),
    location: z.int().min(0).max(3).default(0),
    repeat: z.boolean().default(false),
    modifiers,
  }),
  z.strictObject({ type: z.literal('text'), text: z.string().max(longestText) }),
  z.strictObject({
    type: z.literal('compose'),
    text: z.string().max(10_000),
    selectionStart: z.int().min(0).max(10_000),
    selectionEnd: z.int().min(0).max(10_000),
  }),
  z.strictObject({
    type: z.literal('touch'),
    kind: z.enum(['start', 'move', 'end', 'cancel']),
    points: z.array(z.strictObject({ ...place, id: z.int().min(0).max(1000) })).max(20),
    modifiers,
  }),
  /** Lets go of every button, key and finger; what is being dragged is not dropped. */
  z.strictObject({ type: z.literal('release') }),
  z.strictObject({ type: z.literal('copy'), cut: z.boolean().default(false) }),
  z.strictObject({ type: z.literal('paste'), text: z.string().max(longestText) }),
  z.strictObject({ type: z.literal('open') }),
  z.strictObject({ type: z.literal('activate'), tabId: z.string().max(64) }),
  z.strictObject({ type: z.literal('close'), tabId: z.string().max(64) }),
  z.strictObject({ type: z.literal('visit'), url: z.string().min(1).max(8192) }),
  z.strictObject({ type: z.literal('go'), to: z.enum(['back', 'forward', 'reload', 'stop']) }),
  z.strictObject({
    type: z.literal('dialog'),
    dialogId: z.string().max(64),
    action: z.enum(['accept', 'dismiss']),
    promptText: z.string().max(10_000).optional(),
  }),
  pickMessage,
  z.strictObject({ type: z.literal('control'), action: z.enum(['take', 'return']) }),
]);

export type ViewerMessage = z.output<typeof viewerMessage>;
/** The same as the viewer's page writes it. */
export type SentMessage = z.input<typeof viewerMessage>;

/** What only looks, and needs no control. */
export const isLooking = ({ type }: ViewerMessage): boolean => type === 'ready';

/**
 * A control that a person has opened, as its viewer is told. What the page says of it is checked here, though it comes from
 * a world of the service's own: the process that it runs in belongs to the page.
 */
import { z } from 'zod';
import type { ControlFacts } from '../inside/inside.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Picker extends Omit<ControlFacts, 'number' | 'shown' | 'kind'> {
  id: string;
  tabId: string;
  kind: ControlFacts['kind'] | 'file';
  /** Where the control is, in CSS pixels of the page; absent for one that is not seen itself. */
  box?: Box;
  /** Of files. */
  accept?: string;
}

const mostOptions = 5000;
const short = z.string().max(1000);
const limit = z.string().max(64).optional();

const factsSchema: z.ZodType<ControlFacts> = z.object({
  number: z.int().min(1),
  kind: z.enum(['select', 'date', 'time', 'datetime-local', 'month', 'week', 'color', 'suggestions']),
  label: short,
  shown: z.boolean(),
  value: short,
  required: z.boolean(),
  min: limit,
  max: limit,
  step: limit,
  multiple: z.boolean().optional(),
  options: z
    .array(
      z.object({
        index: z.int().min(0).max(1e6),
        text: short,
        selected: z.boolean().optional(),
        disabled: z.boolean().optional(),
        group: z.int().min(0).max(mostOptions).optional(),
      }),
    )
    .max(mostOptions)
    .optional(),
  groups: z.array(short).max(mostOptions).optional(),
  cut: z.boolean().optional(),
});

const fileSchema = z.object({
  label: short,
  accept: short,
  multiple: z.boolean(),
  directory: z.boolean(),
});

const hiddenSchema = z.object({ host: z.int().min(1), dx: z.number(), dy: z.number() });

export const readHidden = (said: unknown) => hiddenSchema.safeParse(said).data;
/** Undefined: it is nothing that a viewer could show. */
export const readFacts = (said: unknown): ControlFacts | undefined => factsSchema.safeParse(said).data;
export const readFileFacts = (said: unknown) => fileSchema.safeParse(said).data;

/** The box around the first of the quads that Chromium gives: four corners each, x and y by turns. */
export function boxAround(quads: unknown): Box | undefined {
  const [corners] = Array.isArray(quads) ? (quads as number[][]) : [];
  if (!corners || corners.length < 8) return undefined;
  const xs = corners.filter((_, at) => at % 2 === 0);
  const ys = corners.filter((_, at) => at % 2 === 1);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** What a viewer says of one. */
export const pickMessage = z.strictObject({
  type: z.literal('pick'),
  pickerId: z.string().max(64),
  /** Options by their `index`. */
  options: z.array(z.int().min(0).max(1e6)).max(mostOptions).optional(),
  value: z.string().max(1000).optional(),
  /** Files that were uploaded to this browser. */
  files: z.array(z.string().max(64)).min(1).max(100).optional(),
});

/** Without any of them the person wants nothing. */
export type Pick = z.output<typeof pickMessage>;

/** One action of a maker's model: the fields that it may have, and what it is in the plain shape. */
import { z } from 'zod';
import type { PlainInput } from './actions-schema.ts';

interface Reader {
  fields: z.ZodType;
  plain(fields: never): PlainInput;
}

/** By the maker's name of the action. */
export type Readers = Record<string, { fields: z.ZodType; plain(fields: unknown): PlainInput }>;

export const reader = <Fields extends z.ZodRawShape>(
  fields: Fields,
  plain: (fields: z.output<z.ZodObject<Fields>>) => PlainInput,
): Readers[string] => ({ fields: z.strictObject(fields), plain }) satisfies Reader as Readers[string];

/** Modifiers as models write them: `ctrl+shift`. */
export const modifiersIn = (text: string | null | undefined): string[] =>
  (text ?? '').split('+').filter((key) => key.trim() !== '');

/** Closing many browsers with one call, in the words of the request and the answer. */
import { z } from 'zod';
import { statuses } from './record.ts';
import { closedSchema } from './schema.ts';

const most = 1000;
const closable = statuses.filter((status) => status !== 'closing' && status !== 'closed');

export const closeManySchema = z
  .strictObject({
    ids: z.array(z.string().min(1).max(64)).min(1).max(most).optional(),
    status: z
      .array(z.enum(closable as [(typeof closable)[number], ...typeof closable]))
      .min(1)
      .optional()
      .meta({ description: 'Only those in one of these statuses.' }),
    metadata: z
      .record(z.string().min(1).max(64), z.string().max(500))
      .refine((map) => Object.keys(map).length > 0, { message: 'name at least one key' })
      .optional()
      .meta({ description: 'Only those whose metadata has all of these values.' }),
  })
  .refine((given) => Object.keys(given).length > 0, {
    message: 'say which: `ids`, `status` or `metadata`. All of them: every status.',
  })
  .meta({ id: 'CloseBrowsers' });

export const closedManySchema = z
  .strictObject({
    closed: z.array(closedSchema),
    failed: z.array(z.strictObject({ id: z.string(), code: z.string(), message: z.string() })).meta({
      description: 'Those that are still there, or never were, and why.',
    }),
    hasMore: z.boolean().meta({ description: `One call closes ${most} at most: there are more. Ask again.` }),
  })
  .meta({ id: 'ClosedBrowsers' });

export const mostClosedAtOnce = most;
export type CloseMany = z.output<typeof closeManySchema>;
export type ClosedMany = z.output<typeof closedManySchema>;

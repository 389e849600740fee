/** What a row of the table of fields (field-schema.ts) says about one of them. */
import type { z } from 'zod';

export interface Field {
  /** In a create. */
  create: z.ZodType;
  /** In a change; absent: it stays as it was created. */
  patch?: z.ZodType;
  /** In the record as its owner sees it; absent: it is not shown. */
  shown?: z.ZodType;
  /** What a create without it means. */
  default?: unknown;
  /** Applied to each tab before its page runs. */
  emulated?: true;
  /** A column of the record with rules of its own, not one of its settings. */
  column?: true;
}

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
  /** Applied to each tab before its page runs, and again when it changes. */
  emulated?: true;
  /** The exit to the network is given it, and again when it changes. */
  exit?: true;
  /** Decides what Chromium is answered when it asks about a site, from now on also when it changes. */
  trust?: true;
  /** A column of the record with rules of its own, not one of its settings. */
  column?: true;
}

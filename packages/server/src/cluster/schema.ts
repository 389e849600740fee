/** A node as the API shows it to the operator: what it is, how full, and since when it was not heard of. */
import { z } from 'zod';

const time = z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' });

export const nodeSchema = z
  .strictObject({
    id: z.string().meta({
      description: 'Kept over restarts, in the data folder of the node. Browsers have it as `node`.',
      examples: ['node_01ja9q4m8h2f7t3k5w6x8y0z1a'],
    }),
    state: z.enum(['up', 'draining', 'gone']).meta({
      description:
        '`draining`: it takes nothing more, hands its browsers over and ends. `gone`: it ended, or gave no sign for longer than `BROWSERD_LEASE`; its browsers are with others, or wait for one.',
    }),
    answering: z.boolean().meta({ description: 'It is the node that answers this request.' }),
    address: z
      .string()
      .optional()
      .meta({ description: 'Where the other nodes reach it; absent for one that works alone.' }),
    zone: z.string().optional().meta({ description: '`BROWSERD_ZONE`, where it is set.' }),
    version: z.string().optional().meta({ description: 'Of browserd.' }),
    browsers: z
      .strictObject({
        used: z.int().meta({ description: 'Browsers with a running Chromium, or about to have one.' }),
        limit: z.int().meta({ description: 'How many there may be at once (`BROWSERD_MAX_BROWSERS`).' }),
        warm: z.int().meta({ description: 'Chromiums that have started ahead of demand.' }),
      })
      .meta({ description: 'As of its last sign of life.' }),
    silentMs: z.int().min(0).meta({
      description: 'Milliseconds since its last sign of life, by the clock of the database.',
    }),
    startedAt: time,
    goneAt: time.optional().meta({ description: 'Of a node that is gone.' }),
  })
  .meta({ id: 'Node' });

export type Node = z.output<typeof nodeSchema>;

/** Whether scripts or a person drive a browser, as its owner sees it. */
import { z } from 'zod';

export const handoffSchema = z
  .strictObject({
    state: z.enum(['scripts', 'requested', 'person']).meta({
      description: '`requested`: a person was asked, scripts go on. `person`: script calls wait.',
    }),
    ended: z.enum(['returned', 'withdrawn', 'left']).optional().meta({
      description:
        'How the last one ended: the person handed back, the owner took the browser, or the person’s connection broke. Absent where none is known: a crash and a stop are outlasted, a restart of the service is not.',
    }),
    message: z.string().optional().meta({ description: 'What the person was asked to do.' }),
    since: z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' }),
    url: z.string().optional().meta({ description: 'Where a person can take over; only when asking.' }),
    expiresAt: z.iso.datetime().optional().meta({ description: 'Of that address.' }),
  })
  .meta({ id: 'Handoff' });

export const requestHandoffSchema = z.strictObject({
  message: z.string().min(1).max(1000).optional().meta({ description: 'Shown to the person.' }),
  ttlSeconds: z.int().min(10).max(86_400).default(3600),
});

export type HandoffAnswer = z.output<typeof handoffSchema>;

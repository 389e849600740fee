/** Events as the API shows them, and the queries for them. */
import { z } from 'zod';
import { eventPatterns, eventTypes } from './event-types.ts';

const time = z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' });

export const eventPattern = z
  .enum(eventPatterns)
  .meta({ id: 'EventPattern', description: 'A type, all types of a group (`browser.*`), or all (`*`).' });

export const eventSchema = z
  .strictObject({
    id: z.string().meta({ examples: ['event_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    type: z.enum(eventTypes).meta({ id: 'EventType' }),
    browserId: z.string().meta({
      description:
        'The browser it happened to; of an event that concerns a profile or a job alone, that one.',
    }),
    at: time.meta({ description: 'When it happened.' }),
    seq: z
      .int()
      .meta({ description: 'Grows with every event of the project; the order in which they are told.' }),
    data: z.looseObject({}).meta({ description: 'What there is to say, by type.' }),
  })
  .meta({ id: 'Event' });

const severalPatterns = (value: unknown): unknown =>
  value === undefined ? undefined : [value].flat().flatMap((item) => String(item).split(','));

/** The filters of lists and streams alike. */
export const eventFilters = {
  type: z
    .preprocess(severalPatterns, z.array(eventPattern).optional())
    .meta({ description: 'Only these; repeated or comma-separated, groups as `browser.*`.' }),
  order: z
    .enum(['desc', 'asc'])
    .default('desc')
    .meta({ description: 'Newest first (`desc`) or oldest first (`asc`). A stream is always oldest first.' }),
  lastEventId: z.string().optional().meta({
    description:
      'Only what came after this event: its `seq` or its `id`, or `0` for everything that is kept. A stream without it starts from now. The header `Last-Event-ID` says the same and wins.',
  }),
};

export type BrowserEvent = z.output<typeof eventSchema>;

/** What a recording looks like from outside. */
import { z } from 'zod';

const time = z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' });

export const recordingSchema = z
  .strictObject({
    id: z.string().meta({ examples: ['recording_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    state: z.enum(['recording', 'finalizing', 'ready', 'failed']).meta({
      description:
        '`recording` until it is stopped, `finalizing` while its video is made, then `ready`, or `failed` with the reason.',
    }),
    startedAt: time,
    endedAt: time.optional(),
    durationMs: z.int().optional().meta({ description: 'From start to end, also where nothing moved.' }),
    width: z.int(),
    height: z.int(),
    size: z.int().meta({ description: 'Bytes of the video; 0 until it is ready.' }),
    mimeType: z.string(),
    sha256: z.string().optional().meta({ description: 'Of the video, hex; also its `ETag`.' }),
    epoch: z.int().meta({ description: 'The epoch of the browser that it shows.' }),
    frames: z.int().optional().meta({ description: 'Pictures taken: one for each change seen.' }),
    reason: z.string().optional().meta({ description: 'Why it failed, or ended before anybody ended it.' }),
  })
  .meta({ id: 'Recording' });

export type Recording = z.output<typeof recordingSchema>;

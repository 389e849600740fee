/** What a download looks like from outside. */
import { z } from 'zod';
import { type ReasonWord, reasons } from './reasons.ts';

const downloadStates = ['inProgress', 'completed', 'cancelled', 'failed'] as const;
const time = z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' });

export const downloadSchema = z
  .strictObject({
    id: z.string().meta({ examples: ['download_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    suggestedFilename: z.string().meta({
      description: 'As the page or the server gave it, cleaned like the name of a file.',
    }),
    url: z.string().meta({ description: 'Where it came from; a long one is cut after 2,048 characters.' }),
    tabId: z.string().optional().meta({ description: 'The tab that started it, where Chromium tells.' }),
    state: z.enum(downloadStates),
    receivedBytes: z.int(),
    totalBytes: z.int().optional().meta({ description: 'Absent while the server has not told.' }),
    size: z.int().optional().meta({ description: 'Of the content; like the next two once it is completed.' }),
    mimeType: z.string().optional(),
    sha256: z.string().optional(),
    startedAt: time,
    completedAt: time.optional().meta({ description: 'When it ended, however it did.' }),
    reason: z
      .enum(Object.keys(reasons) as ReasonWord[])
      .optional()
      .meta({ description: 'Why it was cancelled, or failed.' }),
    message: z.string().optional().meta({ description: 'The same in words.' }),
  })
  .meta({ id: 'Download' });

export type DownloadView = z.output<typeof downloadSchema>;

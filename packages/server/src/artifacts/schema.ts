/** A file as the API shows it. */
import { z } from 'zod';

const fileSources = [
  'upload',
  'script',
  'screenshot',
  'pdf',
  'har',
  'trace',
  'bundle',
  'observation',
] as const;

export const fileSchema = z
  .strictObject({
    id: z.string().meta({ examples: ['file_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    name: z.string().meta({
      description: 'As it was given, without paths and characters that could do harm; at most 255 bytes.',
    }),
    size: z.int().meta({ description: 'Bytes.' }),
    mimeType: z.string().meta({ description: 'By the content, and by name and sender where it is silent.' }),
    sha256: z.string().meta({ description: 'Of the content, hex; also its `ETag`.' }),
    source: z.enum(fileSources).meta({ description: 'What made it.' }),
    createdAt: z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' }),
  })
  .meta({ id: 'File' });

export const deletedArtifactSchema = z
  .strictObject({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'DeletedArtifact' });

export type File = z.output<typeof fileSchema>;

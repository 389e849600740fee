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

export const createContentAddressSchema = z
  .strictObject({
    ttlSeconds: z
      .int()
      .min(1)
      .max(604_800)
      .default(3600)
      .meta({ description: 'How long the address can be used.' }),
  })
  .meta({ id: 'CreateContentAddress' });

export const contentAddressSchema = z
  .strictObject({
    url: z.string().meta({
      description: 'Opens the content to everybody who has it, without a key. Shown once and stored nowhere.',
      examples: ['https://browsers.example.com/v1/files/file_01ja9q4m8h2f7t3k5w6x8y0z1a/content?token=bdc_…'],
    }),
    expiresAt: z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' }),
  })
  .meta({ id: 'ContentAddress' });

export type ContentAddress = z.output<typeof contentAddressSchema>;
export type File = z.output<typeof fileSchema>;

/** A file of the project as the API shows it. */
import { z } from 'zod';

/** What made it. */
const projectFileSources = ['upload', 'screenshot', 'pdf', 'scrape', 'comparison'] as const;

export const projectFileSchema = z
  .strictObject({
    id: z.string().meta({ examples: ['file_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    name: z.string().meta({
      description: 'As it was given, without paths and characters that could do harm; at most 255 bytes.',
    }),
    size: z.int().meta({ description: 'Bytes.' }),
    mimeType: z.string().meta({ description: 'By the content, and by name and sender where it is silent.' }),
    sha256: z.string().meta({ description: 'Of the content, hex; also its `ETag`.' }),
    source: z.enum(projectFileSources).meta({ description: 'What made it.' }),
    jobId: z.string().nullable().meta({ description: 'The job that made it, with which it is deleted.' }),
    createdAt: z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' }),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'From then on there is no such file; null: it stays until it is deleted.' }),
  })
  .meta({ id: 'ProjectFile' });

export type ProjectFile = z.output<typeof projectFileSchema>;
export type ProjectFileSource = ProjectFile['source'];

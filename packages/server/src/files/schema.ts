/** Files of the project as the API shows them, and what a call says of those that it wants to be kept. */
import { z } from 'zod';
import { contentAddressSchema } from '../artifacts/schema.ts';

/** What made it. */
const projectFileSources = ['upload', 'screenshot', 'pdf', 'scrape', 'comparison'] as const;

export const fileTtlSchema = z
  .int()
  .min(1)
  .max(315_360_000)
  .meta({ description: 'Seconds for which the file is kept. Without it: until it is deleted.' });

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

/** What a quick action says of what it makes. */
export const storeField = z
  .union([
    z.boolean(),
    z.strictObject({
      name: z
        .string()
        .min(1)
        .max(255)
        .optional()
        .meta({ examples: ['front-page.png'] }),
      ttlSeconds: fileTtlSchema.optional(),
    }),
  ])
  .default(false)
  .meta({
    description:
      'Keep what is made as a file of the project and answer 201 with its record and an address of it that needs no key for an hour. It stays until it is deleted, or for `ttlSeconds`. With an `Idempotency-Key` a repetition stores nothing twice.',
  });

export const storedFileSchema = projectFileSchema
  .extend({
    selector: z.string().optional().meta({ description: 'With `selectors`: which of them it shows.' }),
    address: contentAddressSchema,
  })
  .meta({ id: 'StoredFile' });

export type StoreWish = z.output<typeof storeField>;
export type StoredFile = z.output<typeof storedFileSchema>;
export type ProjectFile = z.output<typeof projectFileSchema>;
export type ProjectFileSource = ProjectFile['source'];

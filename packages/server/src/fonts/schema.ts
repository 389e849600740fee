/** What a font of a project looks like from outside. */
import { z } from 'zod';

export const faceSchema = z.strictObject({
  family: z
    .string()
    .meta({ description: 'What CSS calls it by: `font-family`.', examples: ['Example Sans'] }),
  style: z.string().meta({ examples: ['Bold'] }),
  fullName: z
    .string()
    .optional()
    .meta({ description: 'What `src: local(…)` finds it by.', examples: ['Example Sans Bold'] }),
  postScriptName: z
    .string()
    .optional()
    .meta({ description: 'The same.', examples: ['ExampleSans-Bold'] }),
});

export const fontSchema = z
  .strictObject({
    id: z.string().meta({ examples: ['font_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    format: z.enum(['ttf', 'otf', 'ttc']),
    faces: z.array(faceSchema).meta({ description: 'One, or those of a collection.' }),
    size: z.int().meta({ description: 'Bytes.' }),
    sha256: z.string(),
    createdAt: z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' }),
  })
  .meta({ id: 'Font' });

export const deletedFontSchema = z
  .strictObject({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'DeletedFont' });

export type Font = z.output<typeof fontSchema>;
export type Face = z.output<typeof faceSchema>;

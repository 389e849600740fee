/** What an extension looks like from outside. */
import { z } from 'zod';

const names = z.array(z.string());

/** What its manifest asks for. */
export const manifestSchema = z.strictObject({
  manifestVersion: z.literal(3),
  description: z.string().optional(),
  permissions: names.meta({ examples: [['storage', 'scripting']] }),
  optionalPermissions: names,
  hostPermissions: names.meta({
    description: 'Sites that it may read and change, those of its content scripts included.',
    examples: [['https://*.example.com/*']],
  }),
  optionalHostPermissions: names,
  popup: z.string().optional().meta({ description: 'Its popup page, to be opened in a tab.' }),
});

export const extensionSchema = z
  .strictObject({
    id: z.string().meta({ examples: ['extension_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    name: z.string(),
    version: z.string(),
    chromiumId: z.string().meta({
      description:
        'The id that Chromium knows it by: its pages are at `chrome-extension://<chromiumId>/`. It comes of the `key` in the manifest or of the signature of a CRX, and is a new one for each upload otherwise.',
    }),
    ...manifestSchema.shape,
    size: z.int().meta({ description: 'Bytes of the package.' }),
    sha256: z.string(),
    createdAt: z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' }),
  })
  .meta({ id: 'Extension' });

export const deletedExtensionSchema = z
  .strictObject({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'DeletedExtension' });

export type Extension = z.output<typeof extensionSchema>;
export type ManifestView = z.output<typeof manifestSchema>;

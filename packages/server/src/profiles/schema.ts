/** What a saved profile looks like from outside, and what may be asked of it. */
import { z } from 'zod';

const time = z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' });

const name = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !/^profile_[0-9a-z]{26}$/.test(text), {
    message: 'looks like an id; choose another name',
  });

const metadata = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine((map) => Object.keys(map).length <= 50, { message: 'at most 50 keys' });

const isPattern = (text: string): boolean => {
  try {
    return Boolean(new URLPattern(text));
  } catch {
    return false;
  }
};

const checkSchema = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(8192)
      .meta({ description: 'A page that only a signed-in visitor gets to see.' }),
    selector: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .meta({ description: 'CSS. Signed in: something on the page matches it, such as `[data-user]`.' }),
    urlPattern: z
      .string()
      .min(1)
      .max(4096)
      .refine(isPattern, { message: 'not a URL pattern' })
      .optional()
      .meta({
        description:
          'A [URL pattern](https://developer.mozilla.org/docs/Web/API/URL_Pattern_API). Signed in: the address that the visit ends at matches it, such as `https://example.com/account*`.',
      }),
  })
  .meta({
    id: 'ProfileCheck',
    description:
      'How to see whether the profile is signed in. With neither `selector` nor `urlPattern`: signed in when the visit is not led to another path and is not answered with 401 or 403.',
  });

const healthSchema = z.strictObject({
  state: z.enum(['signed_in', 'signed_out', 'unknown']),
  checkedAt: time,
});

const expiresAt = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .refine((at) => at > Date.now(), { message: 'lies in the past' });

export const profileSchema = z
  .strictObject({
    id: z.string().meta({ examples: ['profile_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    name: z.string().optional(),
    metadata: z.record(z.string(), z.string()),
    createdAt: time,
    updatedAt: time,
    lastUsedAt: time.optional(),
    expiresAt: time.optional().meta({ description: 'When it is deleted, unless a browser still writes it.' }),
    version: z.int().meta({ description: 'Of the newest version; 0 while nothing was saved.' }),
    size: z.int().meta({ description: 'Bytes of the newest version, as it is stored.' }),
    cookieCount: z.int(),
    cookieDomains: z.array(z.string()).max(32).meta({ description: 'Registrable domains (eTLD+1).' }),
    origins: z.int().meta({ description: 'With something in their local storage.' }),
    writer: z.string().optional().meta({ description: 'The browser that saves into it.' }),
    check: checkSchema.optional(),
    health: healthSchema.optional().meta({ description: 'What the last check saw.' }),
  })
  .meta({ id: 'Profile' });

const cookieSchema = z.strictObject({
  name: z.string().min(1).max(4096),
  value: z.string().max(4096),
  domain: z.string().min(1).max(253),
  path: z.string().max(1024).default('/'),
  expires: z.number().optional().meta({ description: 'Seconds since 1970; -1 for a session cookie.' }),
  httpOnly: z.boolean().optional(),
  secure: z.boolean().optional(),
  sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
});

const originSchema = z.strictObject({
  origin: z.url({ protocol: /^https?$/ }).max(2048),
  localStorage: z
    .array(z.strictObject({ name: z.string(), value: z.string() }))
    .max(100_000)
    .default([]),
});

const importSchema = z
  .strictObject({
    cookies: z.array(cookieSchema).max(10_000).default([]),
    origins: z.array(originSchema).max(1000).default([]),
  })
  .meta({ description: 'As Playwright’s `context.storageState()` gives it, without `indexedDB`.' });

export const storageStateSchema = z
  .strictObject({
    cookies: z.array(
      z.strictObject({
        name: z.string(),
        value: z.string(),
        domain: z.string(),
        path: z.string(),
        expires: z.number().meta({ description: 'Seconds since 1970; -1 for a session cookie.' }),
        httpOnly: z.boolean(),
        secure: z.boolean(),
        sameSite: z.enum(['Strict', 'Lax', 'None']),
      }),
    ),
    origins: z.array(
      z.strictObject({
        origin: z.string(),
        localStorage: z.array(z.strictObject({ name: z.string(), value: z.string() })),
      }),
    ),
  })
  .meta({ id: 'StorageState', description: 'As Playwright’s `context.storageState()` gives it.' });

export const createProfileSchema = z
  .strictObject({
    name: name.optional().meta({ description: 'No two profiles of a project have the same.' }),
    metadata: metadata.optional(),
    expiresAt: expiresAt.optional(),
    check: checkSchema.optional(),
    browserId: z.string().min(1).max(64).optional().meta({
      description:
        'Take the state of this browser, ready or stopped. Of a ready one: cookies, local storage and permissions; IndexedDB is taken of a stopped one only.',
    }),
    storageState: importSchema.optional(),
  })
  .refine(({ browserId, storageState }) => browserId === undefined || storageState === undefined, {
    path: ['storageState'],
    message: 'goes only without `browserId`',
  })
  .meta({ id: 'CreateProfile' });

export const patchProfileSchema = z
  .strictObject({
    name: name.nullable().optional(),
    metadata: metadata.optional(),
    expiresAt: expiresAt.nullable().optional(),
    check: checkSchema.nullable().optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, { message: 'name at least one field to change' })
  .meta({ id: 'PatchProfile' });

export const profileVersionSchema = z
  .strictObject({
    version: z.int(),
    createdAt: time,
    source: z.enum(['browser', 'checkpoint', 'import', 'restore']).meta({
      description:
        '`browser`: saved when a browser was stopped or closed, or taken from one. `checkpoint`: while one ran (`save: always`).',
    }),
    browserId: z.string().optional().meta({ description: 'The browser it was saved from.' }),
    size: z.int(),
    cookieCount: z.int(),
    cookieDomains: z.array(z.string()).max(32),
    origins: z.int(),
  })
  .meta({ id: 'ProfileVersion' });

export const restoreProfileSchema = z
  .strictObject({ version: z.int().min(1) })
  .meta({ id: 'RestoreProfile' });

export const deletedProfileSchema = z
  .strictObject({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'DeletedProfile' });

export type Profile = z.output<typeof profileSchema>;
export type ProfileHealth = z.output<typeof healthSchema>;
export type ProfileVersion = z.output<typeof profileVersionSchema>;
export type CreateProfile = z.output<typeof createProfileSchema>;
export type PatchProfile = z.output<typeof patchProfileSchema>;
export type StorageState = z.output<typeof storageStateSchema>;
export type ImportedState = z.output<typeof importSchema>;

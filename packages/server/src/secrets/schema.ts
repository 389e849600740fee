/** A secret as the API knows it. Its value comes in and never goes out. */
import { z } from 'zod';
import { canonicalOrigin } from './origin.ts';

const time = z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' });

const name = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\w.@/-]+$/, 'letters, digits and . _ @ / - only')
  .meta({ description: 'By which scripts name it; unique in the project.', examples: ['github/password'] });

const origins = z
  .array(
    z
      .string()
      .max(300)
      .transform((text, ctx) => {
        const origin = canonicalOrigin(text);
        if (origin !== undefined) return origin;
        ctx.addIssue({ code: 'custom', message: 'expected an origin such as https://github.com' });
        return z.NEVER;
      }),
  )
  .min(1)
  .max(20)
  .meta({
    description: 'Where it may be typed: exact origins (scheme, host, port), nothing below or beside them.',
    examples: [['https://github.com']],
  });

const metadata = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine((map) => Object.keys(map).length <= 50, { message: 'at most 50 keys' });

/** Shorter ones would be masked wherever a few such letters stand. */
const value = z
  .string()
  .min(4, 'at least 4 characters: a shorter value cannot be masked')
  .max(4096)
  .regex(/^[^\0]*$/)
  .refine((text) => text.isWellFormed(), {
    message: 'has half of a character, which could not be found again',
  })
  .meta({ description: 'What is typed. No call ever answers it.', writeOnly: true });

const totp = z
  .strictObject({
    secret: z
      .string()
      .max(512)
      .regex(/^[A-Za-z2-7 =-]{16,}$/, 'expected base32, as a site shows it beside its QR code')
      .meta({ writeOnly: true }),
    digits: z.int().min(6).max(8).default(6),
    period: z.int().min(15).max(120).default(30).meta({ description: 'Seconds that a code is good for.' }),
  })
  .meta({ description: 'Codes by time (RFC 6238, SHA-1): what is typed is the code of the moment.' });

export const createSecretSchema = z
  .strictObject({
    name,
    value: value.optional(),
    totp: totp.optional(),
    origins,
    metadata: metadata.optional(),
  })
  .refine((wanted) => (wanted.value === undefined) !== (wanted.totp === undefined), {
    path: ['value'],
    message: 'give either `value` or `totp`',
  })
  .meta({ id: 'CreateSecret' });

export const patchSecretSchema = z
  .strictObject({
    value: value.optional(),
    totp: totp.optional(),
    origins: origins.optional(),
    metadata: metadata.optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, { message: 'name at least one field to change' })
  .refine((patch) => patch.value === undefined || patch.totp === undefined, {
    path: ['value'],
    message: 'give either `value` or `totp`',
  })
  .meta({ id: 'PatchSecret' });

export const secretSchema = z
  .strictObject({
    id: z.string().meta({ examples: ['secret_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    name: z.string(),
    kind: z.enum(['value', 'totp']),
    origins: z.array(z.string()),
    metadata: z.record(z.string(), z.string()),
    createdAt: time,
    updatedAt: time,
    lastUsedAt: time.optional(),
  })
  .meta({ id: 'Secret' });

export const deletedSecretSchema = z
  .strictObject({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'DeletedSecret' });

export const fillSecretSchema = z
  .strictObject({
    secret: name,
    selector: z
      .string()
      .min(1)
      .max(4096)
      .meta({ description: 'Of the field, as Playwright writes it.', examples: ['input[type=password]'] }),
    tabId: z.string().optional(),
    timeoutMs: z.int().min(1).max(60_000).default(10_000).meta({ description: 'To wait for the field.' }),
  })
  .meta({ id: 'FillSecret' });

export const filledSecretSchema = z
  .strictObject({ filled: z.literal(true), secret: z.string(), origin: z.string() })
  .meta({ id: 'FilledSecret' });

export type CreateSecret = z.output<typeof createSecretSchema>;
export type PatchSecret = z.output<typeof patchSecretSchema>;
export type Secret = z.output<typeof secretSchema>;

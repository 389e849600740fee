/** Whether a saved profile is signed in, and a person who signs it in. */
import { z } from 'zod';
import { policySchema, proxySchema } from '../browsers/record/policy-schema.ts';

const way = {
  policy: policySchema.optional(),
  proxy: proxySchema.optional(),
};

const person = {
  message: z.string().min(1).max(1000).optional().meta({ description: 'Shown to the person.' }),
  ttlSeconds: z
    .int()
    .min(10)
    .max(86_400)
    .default(3600)
    .meta({ description: 'How long the address for the person is good.' }),
};

export const checkProfileSchema = z
  .strictObject({
    handoff: z.boolean().default(false).meta({
      description:
        'When it is signed out: open a browser on the page of the check for a person, which saves into the profile when the person hands it back.',
    }),
    ...person,
    ...way,
    timeoutMs: z.int().min(1).max(120_000).default(30_000),
  })
  .meta({ id: 'CheckProfile' });

export const signInSchema = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(8192)
      .optional()
      .meta({ description: 'Where to begin. Default: the page of the profile’s `check`.' }),
    ...person,
    ...way,
  })
  .meta({ id: 'SignIn' });

export const signInBrowserSchema = z
  .strictObject({
    browserId: z.string(),
    url: z.string().meta({ description: 'Where a person can sign in; who has it holds the browser.' }),
    expiresAt: z.iso.datetime().meta({ description: 'Of that address.' }),
  })
  .meta({ id: 'SignInBrowser' });

export const checkedProfileSchema = z
  .strictObject({
    state: z.enum(['signed_in', 'signed_out', 'unknown']),
    finalUrl: z.string().optional().meta({ description: 'Where the visit ended.' }),
    statusCode: z.int().nullable().optional(),
    reason: z.string().optional().meta({ description: 'Of `unknown`: why it could not be seen.' }),
    checkedAt: z.iso.datetime(),
    signIn: signInBrowserSchema
      .optional()
      .meta({ description: 'With `handoff`, of a profile that is signed out.' }),
  })
  .meta({ id: 'CheckedProfile' });

export type CheckedProfile = z.output<typeof checkedProfileSchema>;
export type SignInBrowser = z.output<typeof signInBrowserSchema>;
export type CheckProfile = z.output<typeof checkProfileSchema>;

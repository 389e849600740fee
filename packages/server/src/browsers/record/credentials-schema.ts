/** Names and passwords for sites that ask for them by HTTP: the service answers, for pages and clients alike. */
import { z } from 'zod';

const mostCredentials = 100;

/** As browsers write it: lower case, no path, no usual port. */
export const originOf = (text: string): string | undefined => {
  const url = URL.parse(text);
  const isPlain = url?.pathname === '/' && url.href === `${url.origin}/`;
  return isPlain && /^https?:$/.test(url.protocol) ? url.origin : undefined;
};

const credentialSchema = z.strictObject({
  origin: z
    .string()
    .max(300)
    .refine((text) => originOf(text) !== undefined, {
      message: 'expected scheme, host and port of a site, such as https://example.com',
    })
    .meta({ examples: ['https://intranet.example.com'] }),
  username: z
    .string()
    .max(1024)
    .regex(/^[^:\r\n\0]*$/, 'no colons or line breaks'),
  password: z
    .string()
    .max(1024)
    .regex(/^[^\r\n\0]*$/, 'no line breaks'),
});

export const httpCredentialsSchema = z
  .array(credentialSchema)
  .max(mostCredentials)
  .refine((all) => new Set(all.map(({ origin }) => originOf(origin))).size === all.length, {
    message: 'two entries are for the same origin',
  })
  .meta({
    description:
      'Answers to sites that ask for a name and a password by HTTP (`WWW-Authenticate`: Basic, Digest). Each goes to its origin alone. Passwords are sealed in the store and never shown.',
  });

export const httpCredentialsShown = z
  .array(z.strictObject({ origin: z.string(), username: z.string() }))
  .meta({ description: 'Without their passwords.' });

export type HttpCredential = z.output<typeof credentialSchema>;

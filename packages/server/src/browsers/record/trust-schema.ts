/** Which sites are told who asks, and which are believed: passwords by HTTP, and certificates that do not hold. */
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

/** As Chromium writes it in addresses. */
export const hostOf = (text: string): string | undefined => {
  const host = /[:@/?#\\\s]/.test(text.replace(/^\[.*\]$/, ''))
    ? undefined
    : URL.parse(`https://${text}/`)?.hostname;
  return host && /^([\w.-]+|\[[0-9a-f:]+\])$/.test(host) ? host : undefined;
};

export const tlsSchema = z
  .strictObject({
    ignoreErrorsFor: z
      .array(
        z
          .string()
          .min(1)
          .max(260)
          .refine((text) => hostOf(text) !== undefined, {
            message: 'expected a host without scheme, port or path, such as staging.example.com',
          }),
      )
      .max(100)
      .meta({
        description:
          'Hosts, each for itself, whose certificates need not hold: expired, signed by nobody known, for another name. There is no entry for all.',
      }),
  })
  .meta({
    description:
      'Holds for pages, frames, workers and WebSockets; not for what a service worker loads, nor for the service worker itself.',
  });

export type HttpCredential = z.output<typeof credentialSchema>;

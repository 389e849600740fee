/** The passwords and client certificates that a browser gives to sites, and which certificates of sites it accepts. */
import { z } from 'zod';
import { mostAuthorities } from '../../egress/egress.ts';

const mostCredentials = 100;
const mostPemCharacters = 256 * 1024;

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

const ignoreErrorsFor = z
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
  .optional()
  .meta({
    description:
      'Hosts, each for itself, whose certificates need not hold: expired, signed by nobody known, for another name. There is no entry for all. Holds for pages, frames, workers and WebSockets; not for what a service worker loads, nor for the service worker itself.',
  });

const trust = z
  .array(z.string().min(1).max(mostPemCharacters))
  .max(mostAuthorities)
  .refine((all) => all.reduce((sum, { length }) => sum + length, 0) <= mostPemCharacters, {
    message: `at most ${mostPemCharacters} characters together`,
  })
  .optional()
  .meta({
    description: `Authorities, in PEM, whose certificates this browser believes besides the usual ones; at most ${mostAuthorities} certificates. Names and dates are checked as always.`,
    examples: [['-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----']],
  });

export const tlsSchema = z.strictObject({ trust, ignoreErrorsFor });

/** Of the pages of one request; errors can be ignored by a whole Chromium only. */
export const pageTlsSchema = z.strictObject({ trust });

const certificateFacts = {
  subject: z.string(),
  fingerprint: z.string().meta({ description: 'SHA-256.' }),
  validFrom: z.iso.datetime(),
  validTo: z.iso.datetime(),
};

export const tlsShown = z.strictObject({
  trust: z.array(z.strictObject(certificateFacts)).optional(),
  ignoreErrorsFor: z.array(z.string()).optional(),
});

const identitySchema = z
  .strictObject({
    origin: z
      .string()
      .max(300)
      .refine((text) => originOf(text)?.startsWith('https:') === true, {
        message: 'expected https, host and port of a site, such as https://example.com:8443',
      })
      .meta({ examples: ['https://intranet.example.com'] }),
    cert: z
      .string()
      .max(64 * 1024)
      .optional()
      .meta({ description: 'PEM: the certificate, then those that lead up to its authority.' }),
    key: z
      .string()
      .max(32 * 1024)
      .optional()
      .meta({ description: 'PEM: its private key.' }),
    pfx: z
      .string()
      .max(128 * 1024)
      .regex(/^[A-Za-z0-9+/=\s]+$/, 'expected base64')
      .optional()
      .meta({ description: 'Instead of `cert` and `key`: a PKCS #12 file (`.pfx`, `.p12`), in base64.' }),
    passphrase: z.string().max(1024).optional().meta({ description: 'Of `key` or `pfx`.' }),
  })
  .superRefine(({ cert, key, pfx }, context) => {
    const isWhole = pfx === undefined ? cert !== undefined && key !== undefined : !cert && !key;
    if (!isWhole)
      context.addIssue({ code: 'custom', path: ['cert'], message: 'give either cert and key, or pfx' });
  });

export const clientCertificatesSchema = z
  .array(identitySchema)
  .max(20)
  .refine((all) => new Set(all.map(({ origin }) => originOf(origin))).size === all.length, {
    message: 'two entries are for the same origin',
  })
  .meta({
    description:
      'Certificates with which this browser shows who it is to sites that ask for one in the TLS handshake. Each goes to its origin alone. They are sealed in the store; only their subjects are shown.',
  });

export const clientCertificatesShown = z
  .array(z.strictObject({ origin: z.string(), ...certificateFacts }))
  .meta({ description: 'Without the certificates and their keys.' });

export type HttpCredential = z.output<typeof credentialSchema>;

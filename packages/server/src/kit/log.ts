/** The log: one line of JSON an event, with secrets taken out before they reach it. */
import { type Logger, pino } from 'pino';
import { maskHeaders } from './mask-headers.ts';

export type Log = Logger;

const secret = '[redacted]';
const keyPattern = /\bbd_[0-9A-Za-z]{20,}|\bwhsec_[0-9A-Za-z+/]{16,}=*/g;
const tokenPattern = /\bbdc_[\w.-]+/g;
/** To the last @ that may end it: a password may hold quotes and further ones. */
const userinfoPattern = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/]+@/gi;

type Mask = (text: string) => string;
const masks = new Set<Mask>();

/** What is masked in every line from now on, until the return value is called. */
export function maskLog(mask: Mask): () => void {
  masks.add(mask);
  return () => masks.delete(mask);
}

/** What looks like an API key, a signed token or a password inside an address never reaches a log line. */
const redact = (text: string): string =>
  [...masks]
    .reduce((shown, mask) => mask(shown), text)
    .replace(keyPattern, secret)
    .replace(tokenPattern, secret)
    .replace(userinfoPattern, `$1${secret}@`);

const isHeaders = (key: string, value: unknown): value is Record<string, string> =>
  /headers$/i.test(key) && value !== null && typeof value === 'object' && !Array.isArray(value);

const scrub = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return redact(value);
  if (value === null || typeof value !== 'object' || depth > 4) return value;
  if (value instanceof Error) return scrub(pino.stdSerializers.err(value), depth);
  if (Array.isArray(value)) return value.map((item) => scrub(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      scrub(isHeaders(key, item) ? maskHeaders(item) : item, depth + 1),
    ]),
  );
};

/** One JSON line an event: an event word as message, the rest as fields. */
export function createLog(level: string, destination: NodeJS.WritableStream = process.stderr): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      // The scrubber has serialized errors already.
      serializers: { err: (err: unknown) => err },
      formatters: { level: (label) => ({ level: label }), log: (fields) => scrub(fields) as typeof fields },
      redact: {
        paths: [
          'authorization',
          'password',
          'key',
          'secret',
          '*.authorization',
          '*.password',
          '*.key',
          '*.secret',
        ],
        censor: secret,
      },
    },
    destination,
  );
}

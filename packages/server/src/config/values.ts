/** How the text of a variable becomes a value, and what the operator reads when it does not. */
import { Resolver } from 'node:dns';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const duration = z.string().transform((text, ctx) => {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim());
  if (match) return Math.round(Number(match[1]) * (units[match[2] ?? 'ms'] ?? 1));
  ctx.addIssue({ code: 'custom', message: 'expected a duration such as 500ms, 30s, 10m, 24h or 7d' });
  return z.NEVER;
});

export const size = z.string().transform((text, ctx) => {
  const match = /^(\d+)(B|KiB|MiB|GiB)?$/i.exec(text.trim());
  if (match)
    return Number(match[1]) * 1024 ** ['b', 'kib', 'mib', 'gib'].indexOf((match[2] ?? 'b').toLowerCase());
  ctx.addIssue({ code: 'custom', message: 'expected a size such as 1048576, 512KiB, 10MiB or 1GiB' });
  return z.NEVER;
});

export const count = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'expected a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `expected at least ${min}`).max(max, `expected at most ${max}`));

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

export const path = z.string().transform((text) => (isAbsolute(text) ? text : resolve(text)));

export const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]{20,256}$/, 'expected 20 to 256 printable characters without spaces');

/** Never repeats what was written: it may be a key with a slip in it. */
export const secretKeys = list.pipe(
  z
    .array(
      z
        .string()
        .regex(
          /^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/,
          'expected 32 bytes as base64 or hex (openssl rand -base64 32), several separated by commas',
        ),
    )
    .min(1, 'expected at least one key'),
);

/** Without a slash at the end, so that paths can be appended. */
export const publicUrl = z.string().transform((text, ctx) => {
  const url = URL.parse(text.trim());
  const { protocol = '', username, password, search, hash } = url ?? {};
  if (url && /^https?:$/.test(protocol) && !username && !password && !search && !hash)
    return url.href.replace(/\/+$/, '');
  ctx.addIssue({ code: 'custom', message: 'expected http(s)://HOST[:PORT][/PATH]' });
  return z.NEVER;
});

function isNameServer(text: string): boolean {
  try {
    new Resolver().setServers([text]);
    return true;
  } catch {
    return false;
  }
}

export const nameServers = list.pipe(
  z.array(z.string().refine(isNameServer, 'expected addresses such as 10.0.0.53 or [fd00::53]:53')),
);

/** An IPv6 address stands in brackets. */
export const hostAndPort = z.string().transform((text, ctx) => {
  const match = /^(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})$/.exec(text.trim());
  const port = Number(match?.[2]);
  if (match && port >= 1 && port <= 65_535) return match[0];
  ctx.addIssue({ code: 'custom', message: 'expected HOST:PORT, such as 10.0.0.5:8788' });
  return z.NEVER;
});

/** A bucket, or a folder. */
export const blobPlace = z.string().transform((text, ctx) => {
  const trimmed = text.trim();
  if (isAbsolute(trimmed)) return trimmed;
  const url = URL.parse(trimmed);
  if (url?.protocol === 's3:' && url.hostname && !url.username && !url.password) return trimmed;
  ctx.addIssue({
    code: 'custom',
    message: 'expected s3://BUCKET/PREFIX?endpoint=URL&region=NAME, or the absolute path of a folder',
  });
  return z.NEVER;
});

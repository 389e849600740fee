/** How the values of options are read. A wrong value is answered with an example of a right one. */
import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';

const lengths: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds. */
export function duration(text: string): number {
  const [, count, unit = 'ms'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  if (count === undefined)
    throw new InvalidArgumentError('Expected a duration such as 500ms, 30s, 10m, 24h or 7d.');
  return Math.round(Number(count) * (lengths[unit] ?? 1));
}

/** A plain number is in seconds, as in most tools; `1500ms` and `2m` work too. */
export const seconds = (text: string): number => {
  const ms = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * 1000 : duration(text);
  return Math.ceil(ms / 1000);
};
export const timeLimit = (text: string): number =>
  /^\d+(\.\d+)?$/.test(text.trim()) ? Math.round(Number(text) * 1000) : duration(text);

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text.trim())) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

export function decimal(text: string): number {
  if (!/^\d*\.?\d+$/.test(text.trim())) throw new InvalidArgumentError('Expected a number, such as 1.5.');
  return Number(text);
}

/** How many items to list; `all` has no end. */
export const count = (text: string): number =>
  text === 'all' ? Number.POSITIVE_INFINITY : wholeNumber(text);

export interface Viewport {
  width: number;
  height: number;
  deviceScaleFactor?: number;
}

export function viewport(text: string): Viewport {
  const [, width, height, scale] = /^(\d+)x(\d+)(?:@(\d+(?:\.\d+)?))?$/.exec(text.trim()) ?? [];
  if (!width || !height)
    throw new InvalidArgumentError('Expected WIDTHxHEIGHT, such as 1280x720 or 390x844@3.');
  return {
    width: Number(width),
    height: Number(height),
    ...(scale && { deviceScaleFactor: Number(scale) }),
  };
}

/** Collects `name=value` from every use of the option. */
export function pair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Expected NAME=VALUE.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Collects the values of an option that may be repeated, or given once with commas. */
export const several = (text: string, before: string[] = []): string[] => [
  ...before,
  ...text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== ''),
];

export function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`It is not JSON: ${(error as Error).message}.`);
  }
}

export function jsonFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be read: ${(error as Error).message}.`);
  }
  return json(text);
}

export function jsonObjectFile(path: string): Record<string, unknown> {
  const value = jsonFile(path);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidArgumentError('Expected a file with a JSON object.');
  return value as Record<string, unknown>;
}

/** JSON as it is, or from a file with `@` in front. */
export const jsonOrFile = (text: string): unknown =>
  text.startsWith('@') ? jsonFile(text.slice(1)) : json(text);

/** A saved profile, by its id or by its name; the service takes no name that looks like an id. */
export const profileRef = (text: string): { id: string } | { name: string } =>
  /^profile_[0-9a-z]{26}$/.test(text) ? { id: text } : { name: text };

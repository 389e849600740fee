/** Text and bytes with what was found in them masked: no place of it tells how long it was. */
import { atOnce } from '../kit/at-once.ts';
import { masked } from '../kit/mask-headers.ts';
import { shortest } from './forms.ts';
import type { Matcher } from './matcher.ts';
import { spansInBytes, spansInText } from './search.ts';
import { joined, Spans } from './spans.ts';

/** Deeper than what any room answers with. */
const deepest = 600;

const none = new Spans();

export function spansIn(matchers: readonly Matcher[], text: string): Spans {
  let all = none;
  for (const matcher of matchers) {
    const found = spansInText(matcher, text);
    if (found.count > 0) all = all.count > 0 ? atOnce(joined([all, found])) : found;
  }
  return all;
}

export function maskedText(matchers: readonly Matcher[], text: string): string {
  if (text.length < shortest || matchers.length === 0) return text;
  const { starts, ends, count } = spansIn(matchers, text);
  if (count === 0) return text;
  let shown = '';
  for (let at = 0; at < count; at++) shown += text.slice(ends[at - 1] ?? 0, starts[at]) + masked;
  return shown + text.slice(ends[count - 1]);
}

const mask = Buffer.from(masked);

/** For a thread that has nothing else to do. */
export function maskedBytes(matchers: readonly Matcher[], bytes: Buffer): Buffer {
  const { starts, ends, count } = atOnce(
    joined(matchers.map((matcher) => atOnce(spansInBytes(matcher, bytes)))),
  );
  if (count === 0) return bytes;
  const shown: Buffer[] = [];
  for (let at = 0; at < count; at++) shown.push(bytes.subarray(ends[at - 1] ?? 0, starts[at]), mask);
  return Buffer.concat([...shown, bytes.subarray(ends[count - 1])]);
}

/** The same value with every text in it masked; on request also names of fields, and numbers that are a value. */
export function maskedDeep(
  matchers: readonly Matcher[],
  value: unknown,
  how: { names?: boolean; numbers?: boolean } = {},
  depth = 0,
): unknown {
  const { names, numbers } = how;
  if (typeof value === 'string') return maskedText(matchers, value);
  if (typeof value === 'number') return numbers && isAll(matchers, String(value)) ? masked : value;
  if (value === null || typeof value !== 'object') return value;
  if (depth > deepest) return masked;
  const deeper = (each: unknown): unknown => maskedDeep(matchers, each, how, depth + 1);
  if (Array.isArray(value)) return value.map(deeper);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [names ? maskedText(matchers, name) : name, deeper(each)]),
  );
}

/** A number that is more than the value is another number. */
export const isAll = (matchers: readonly Matcher[], text: string): boolean =>
  text.length >= shortest && spansIn(matchers, text).length === text.length;

/** Where a matcher's texts stand in text, and in bytes of UTF-8 or of anything else. */
import { type Matcher, next } from './matcher.ts';
import { Spans } from './spans.ts';

/** After so many bytes another step begins. */
const stepBytes = 64 * 1024;

const isHighHalf = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLowHalf = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/** The state after a character, which is as many bytes in UTF-8 as it needs. */
export function nextOfCharacter(m: Matcher, state: number, point: number): number {
  if (point < 0x80) return next(m, state, point);
  const last = 0x80 | (point & 0x3f);
  if (point < 0x800) return next(m, next(m, state, 0xc0 | (point >> 6)), last);
  const third = 0x80 | ((point >> 6) & 0x3f);
  const second = 0x80 | ((point >> 12) & 0x3f);
  const before =
    point < 0x10000
      ? next(m, state, 0xe0 | (point >> 12))
      : next(m, next(m, state, 0xf0 | (point >> 18)), second);
  return next(m, next(m, before, third), last);
}

export function spansInText(m: Matcher, text: string): Spans {
  const found = new Spans();
  let state = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // Most of most texts begins nothing.
    if (state === 0 && unit < 0x80) {
      state = m.first[unit] as number;
      continue;
    }
    if (isHighHalf(unit) && isLowHalf(text.charCodeAt(at + 1)))
      state = nextOfCharacter(m, state, text.codePointAt(at++) as number);
    else state = nextOfCharacter(m, state, unit);
    const length = m.units[state] as number;
    if (length > 0) found.add(at + 1 - length, at + 1);
  }
  return found;
}

/** At most so many of them. */
export function* spansInBytes(
  m: Matcher,
  bytes: Uint8Array,
  most = Number.POSITIVE_INFINITY,
): Generator<undefined, Spans> {
  const found = new Spans();
  let state = 0;
  for (let at = 0; at < bytes.length; ) {
    for (const end = Math.min(at + stepBytes, bytes.length); at < end; at++) {
      state = next(m, state, bytes[at] as number);
      const length = m.bytes[state] as number;
      if (length === 0) continue;
      found.add(at + 1 - length, at + 1);
      if (found.count >= most) return found;
    }
    yield;
  }
  return found;
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atOnce } from '../kit/at-once.ts';
import { maskedBytes, maskedText } from './mask-text.ts';
import { type Forms, type Matcher, matcherOf } from './matcher.ts';

const formsOfTexts = (texts: readonly string[]): Forms => {
  const all = texts.map((text) => ({ bytes: Buffer.from(text), units: text.length }));
  return { all, bytes: all.reduce((sum, { bytes }) => sum + bytes.length, 0), holdNumbers: false };
};
const matcherFor = (texts: readonly string[]): Matcher => atOnce(matcherOf([formsOfTexts(texts)]));

/** Letter by letter: what every occurrence of every text covers, where two that overlap are one. */
function expected(texts: readonly string[], text: string): string {
  const joints = new Set<number>();
  const covered = new Set<number>();
  for (const each of texts)
    for (let at = text.indexOf(each); at >= 0; at = text.indexOf(each, at + 1))
      for (let letter = at; letter < at + each.length; letter++) {
        covered.add(letter);
        if (letter > at) joints.add(letter);
      }
  return [...Array(text.length).keys()]
    .map((at) => (covered.has(at) ? (joints.has(at) ? '' : '•••') : text.charAt(at)))
    .join('');
}

/** Few letters, so that texts begin, end and stand within each other; those of one to four bytes. */
const letters = fc.constantFrom('a', 'b', 'ö', '語', '😀');
const texts = fc.array(fc.array(letters, { minLength: 4, maxLength: 9 }), { minLength: 1, maxLength: 9 });
const joinAll = (all: string[][]): string[] => all.map((each) => each.join(''));

describe('all texts at once', () => {
  test('are masked wherever they stand, however they overlap, in text and in bytes', () => {
    fc.assert(
      fc.property(texts, fc.array(letters, { maxLength: 60 }), (some, around) => {
        const all = joinAll(some);
        const text = [around.join(''), ...all, around.join('')].join('b');
        const shown = expected(all, text);
        expect(maskedText([matcherFor(all)], text)).toBe(shown);
        // What several matchers find is joined.
        const each = all.map((one) => matcherFor([one]));
        expect(maskedText(each, text)).toBe(shown);
        expect(maskedBytes(each, Buffer.from(text)).toString()).toBe(shown);
      }),
    );
  });

  test('are not found across half a character, or where text is broken', () => {
    const matchers = [matcherFor(['語語語語', '😀😀'])];
    expect(maskedText(matchers, '\ud83d\ude00\ud83d 😀\ude00😀')).toBe('\ud83d\ude00\ud83d 😀\ude00😀');
    expect(maskedText(matchers, '\ud83d😀😀\ude00')).toBe('\ud83d•••\ude00');
    expect(maskedBytes(matchers, Buffer.from('語語語語').subarray(1)).length).toBe(11);
  });

  test('are learned in many steps', () => {
    const long = formsOfTexts([...Array(100).keys()].map((n) => `${'same beginning '.repeat(100)}${n}`));
    const steps = matcherOf([long, formsOfTexts(['more'])]);
    let count = 0;
    while (!steps.next().done) count++;
    expect(count).toBeGreaterThan(long.bytes / 50_000);
  });
});

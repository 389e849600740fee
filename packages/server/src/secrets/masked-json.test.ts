import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atOnce } from '../kit/at-once.ts';
import { KnownValues, partOfValues } from './known-values.ts';
import { maskedDeep } from './mask-text.ts';
import { maskedJson } from './masked-json.ts';

const forever = Number.POSITIVE_INFINITY;
const knownOf = (...values: string[]): KnownValues => {
  const known = new KnownValues();
  for (const value of values) known.add([value], atOnce(partOfValues([value])), forever);
  return known;
};
const shown = (known: KnownValues, json: string): string =>
  Buffer.from(atOnce(maskedJson(known, Buffer.from(json)))).toString();

/** As a hostile runner may write it: every letter in one of the ways of JSON. */
const escapedAnyhow = (text: string, ways: readonly number[]): string =>
  [...Array(text.length).keys()]
    .map((at) => {
      const way = ways[at % ways.length];
      const code = text.charCodeAt(at).toString(16).padStart(4, '0');
      if (way === 0) return `\\u${code}`;
      if (way === 1) return `\\u${code.toUpperCase()}`;
      // Half of a pair cannot be written as it is.
      const isHalf = /[\ud800-\udfff]/.test(text.charAt(at));
      return isHalf ? `\\u${code}` : JSON.stringify(text.charAt(at)).slice(1, -1);
    })
    .join('');

describe('JSON that is not parsed', () => {
  const secrets = ['p@ss "wörd"/42\\', '123456', '-12.5e30', '語語😀語', '1e+21', 'word'];
  const texts = fc.oneof(
    fc.constantFrom(...secrets),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('wörd', '1'),
  );
  const strings = fc.array(texts, { maxLength: 4 }).map((all) => all.join(''));
  const numbers = fc.constantFrom(123_456, 1_234_567, 1e21, -12.5e30, 0, 123456.5);
  const values = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      strings,
      numbers,
      fc.constantFrom(null, true, false),
      fc.array(tie('any')),
      fc.dictionary(strings, tie('any')),
    ),
  })).any;

  test('is masked as what it means would be, names and numbers too', () => {
    const known = knownOf(...secrets);
    const { matchers } = known;
    fc.assert(
      fc.property(values, (value) => {
        const masked = maskedDeep(matchers, value, { names: true, numbers: true });
        const json = JSON.stringify(value);
        expect(JSON.parse(shown(known, json))).toStrictEqual(JSON.parse(JSON.stringify(masked)));
      }),
      { numRuns: 500 },
    );
  });

  test('hides no value from the search, whichever way it is escaped', () => {
    const ways = fc.array(fc.nat(2), { minLength: 1 });
    const known = knownOf(...secrets);
    fc.assert(
      fc.property(fc.constantFrom(...secrets), strings, ways, (secret, around, some) => {
        const json = `["${escapedAnyhow(around + secret, some)}"]`;
        const text = JSON.parse(json)[0] as string;
        expect(JSON.parse(shown(known, json))).toEqual(maskedDeep(known.matchers, [text]));
        expect(shown(known, json)).toContain('•••');
      }),
    );
    const numbers = '[123456.0,12345.6e1,1.23456E5,1000000000000000000000,"1e+21",1234560]';
    expect(shown(known, numbers)).toBe('["•••","•••","•••","•••","•••",1234560]');
    const exact = knownOf('4111111111111111234', '1234.50');
    expect(shown(exact, '[4111111111111111234,4111111111111111235,1234.50]')).toBe(
      '["•••",4111111111111111235,"•••"]',
    );
  });

  test('is left alone where there is nothing to mask', () => {
    const json = Buffer.from('{"hunter":[22,"hunter","22"]}');
    expect(atOnce(maskedJson(knownOf('hunter22'), json))).toBe(json);
  });

  test.each([
    ['small numbers', '0', 'ends'],
    ['numbers that are values', '123456', '"•••"'],
    ['values', '"hunter22"', '"•••"'],
    ['long strings', JSON.stringify('\\"'.repeat(5000)), 'ends'],
  ])('is masked in many steps: %s', (_, item, expected) => {
    const count = Math.ceil(500_000 / item.length);
    const json = Buffer.from(`[${`${item},`.repeat(count)}"ends"]`);
    const steps = maskedJson(knownOf('hunter22', '123456'), json);
    for (let taken = 0; ; taken++) {
      const { done, value } = steps.next();
      if (!done) continue;
      expect(taken).toBeGreaterThan(json.length / 40_000);
      expect(Buffer.from(value).toString()).toContain(expected);
      return;
    }
  });
});

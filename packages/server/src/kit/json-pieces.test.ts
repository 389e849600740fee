import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseInPieces } from './json-pieces.ts';

/** The value, and the steps that it took. */
function parsed(text: string | Uint8Array, see?: (text: string) => void): { value: unknown; steps: number } {
  const pieces = parseInPieces(typeof text === 'string' ? Buffer.from(text) : text, see);
  for (let steps = 0; ; steps++) {
    const { done, value } = pieces.next();
    if (done) return { value, steps };
  }
}

/** Longer than what is parsed at once. */
const long = JSON.stringify('x'.repeat(33_000));
const many = (item: string, count: number): string => Array.from({ length: count }, () => item).join(',');

/** With a mark where a long string goes, so that a text that fails can be read. */
const marked = fc
  .json()
  .map((json) => `{"before": §, "it": ${json}, "between": [§,${json} , {"in":${json}}], "after":§ }`);
const lengthened = (text: string): string => text.replaceAll('§', long);

/** What comes of the text, or that it is refused. */
function outcome(parse: (text: string) => unknown, text: string): unknown {
  try {
    return { value: parse(text) };
  } catch {
    return 'refused';
  }
}

describe('JSON in pieces', () => {
  test('becomes what it becomes at once', () => {
    fc.assert(
      fc.property(marked, (short) => {
        const text = lengthened(short);
        expect(parsed(text).value).toStrictEqual(JSON.parse(text));
      }),
    );
  });

  test('is refused where it is at once, whatever is taken out of it or put into it', () => {
    const letters = fc.constantFrom('', ',', '[', ']', '{', '}', '"', ':', '0', '\\', ' ', '/', '\u{feff}');
    fc.assert(
      fc.property(marked, letters, fc.nat(), fc.boolean(), (short, letter, place, isExtra) => {
        const at = place % short.length;
        const text = lengthened(short.slice(0, at) + letter + short.slice(isExtra ? at : at + 1));
        const found = outcome((each) => parsed(each).value, text);
        expect(found).toStrictEqual(outcome(JSON.parse, text));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['an array', `[${many('{"nme":"c","value":1}', 20_000)}]`],
    ['an array in objects', `{"a":{"b":[[${many('1', 100_000)}]]}}`],
    ['an object', `{${Array.from({ length: 20_000 }, (_, n) => `"name ${n}":${n}`).join(',')}}`],
    ['arrays in an array', `[${many(`[${many('[]', 200)}]`, 500)}]`],
    ['a string of escaped quotes', `["${'\\"'.repeat(200_000)}",1]`],
  ])('is parsed in many steps: %s', (_, text) => {
    const { value, steps } = parsed(text);
    expect(value).toStrictEqual(JSON.parse(text));
    expect(steps).toBeGreaterThan(text.length / 100_000);
  });

  test.each([
    ['', 'nothing'],
    [`[${long},${long},]`, 'a comma before the end'],
    [`[${long},,${long}]`, 'two commas'],
    [`[${long},${long}}`, 'another end than its beginning'],
    [`[${long},${long}],1`, 'something behind it'],
    [`x[${long},${long}]`, 'something before it'],
    [`{"a":{"b":${long},"c":${long}}x,"d":1}`, 'something behind a member'],
    [`{"a"{"b":${long},"c":${long}}}`, 'no colon'],
    [`[${long},${long}`, 'no end'],
  ])('is refused: %#, %s', (text) => {
    expect(() => parsed(text)).toThrow();
  });

  test('has names that mean nothing', () => {
    const text = `{"__proto__": [${long},${long}], "a": {"__proto__": {"b": ${long}, "c": ${long}}}, "a": 1, "constructor": ${long}}`;
    const { value } = parsed(text);
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('must be UTF-8, and is shown as it is written', () => {
    const bytes = Buffer.from(`[${long},"ö\\u0000",${long}]`);
    let seen = '';
    parsed(bytes, (text) => {
      seen += text;
    });
    expect(seen).toContain('ö\\u0000');
    bytes[bytes.indexOf('ö') + 1] = 0x20;
    expect(() => parsed(bytes)).toThrow();
  });
});

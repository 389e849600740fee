import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atOnce } from './at-once.ts';
import { RawJson } from './raw-json.ts';

const value = { list: [1, 'zwölf', null], nested: { deep: true } };
const raw = new RawJson(Buffer.from(JSON.stringify(value)));

test('it is written into an object as it is', () => {
  const others = { success: true, logs: ['one'] };
  expect(JSON.parse(raw.writtenInto('result', others).toString())).toEqual({ result: value, ...others });
  expect(JSON.parse(raw.writtenInto('result', {}).toString())).toEqual({ result: value });
});

test('how long it is as text is known, and how it begins', () => {
  const letters = fc.constantFrom('a', 'ö', '語', '😀');
  fc.assert(
    fc.property(fc.array(letters), fc.nat(50), (some, most) => {
      const text = JSON.stringify(some);
      const json = new RawJson(Buffer.from(text));
      expect(atOnce(json.chars())).toBe(text.length);
      expect(json.start(most)).toBe(text.slice(0, most));
    }),
  );
});

test('bytes that are no text are refused, and more than one line', () => {
  expect(() => new RawJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(SyntaxError);
  expect(() => new RawJson(Buffer.from('[1,\n2]'))).toThrow('one line');
  expect(() => new RawJson(Buffer.from('[1,\r2]'))).toThrow('one line');
});

import { expect, test } from 'vitest';
import { RawJson } from './raw-json.ts';

const value = { list: [1, 'zwölf', null], nested: { deep: true } };
const raw = new RawJson(Buffer.from(JSON.stringify(value)));

test('it is written into an object as it is', () => {
  const others = { success: true, logs: ['one'] };
  expect(JSON.parse(raw.writtenInto('result', others).toString())).toEqual({ result: value, ...others });
  expect(JSON.parse(raw.writtenInto('result', {}).toString())).toEqual({ result: value });
});

test('who writes it as any other value gets the same', () => {
  expect(JSON.stringify({ result: raw })).toBe(JSON.stringify({ result: value }));
});

test('bytes that are no text are refused', () => {
  expect(() => new RawJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(SyntaxError);
});

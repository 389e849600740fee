import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueInSteps } from './json-value.ts';

function last<T>(steps: Generator<undefined, T>): { value: T; steps: number } {
  for (let count = 1; ; count++) {
    const { done, value } = steps.next();
    if (done) return { value, steps: count };
  }
}

const units = ['a', '\\\\', '\\"', '\\n', '\\u00e9', '\\ud83d\\ude00', '\\ud83d', 'é', '一', '😀'];

test('long strings come out as JSON.parse gives them, wherever they are cut', () => {
  const text = fc.tuple(
    fc.array(fc.constantFrom(...units), { maxLength: 12 }),
    fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 12 }),
  );
  fc.assert(
    fc.property(text, ([lead, repeated]) => {
      const body = lead.join('') + repeated.join('').repeat(Math.ceil(70_000 / repeated.join('').length));
      const json = `{"a":[1,{"b":"${body}"}],"c":"${body}"}`;
      expect(last(valueInSteps(Buffer.from(json))).value).toEqual(JSON.parse(json));
    }),
    { numRuns: 60 },
  );
});

test('no step takes more than a part of it', () => {
  const mebibyte = 1024 ** 2;
  const string = last(valueInSteps(Buffer.from(JSON.stringify('\n'.repeat(mebibyte)))));
  expect(string.value).toBe('\n'.repeat(mebibyte));
  expect(string.steps).toBeGreaterThan(50);
  const many = Array.from({ length: 20_000 }, (_, n) => n);
  const list = last(valueInSteps(Buffer.from(JSON.stringify(many))));
  expect(list.value).toEqual(many);
  expect(list.steps).toBeGreaterThan(90);
});

test('each long value is shown with its text, and no name means anything of its own', () => {
  const long = 'x'.repeat(50_000);
  const seen = new Map<unknown, string>();
  const json = Buffer.from(`{"__proto__":{"a":1},"data":{"items":["${long}"],"few":[1]}}`);
  const { value } = last(valueInSteps(json, (each, text) => seen.set(each, text.toString())));
  const { data } = value as { data: { items: string[]; few: number[] } };
  expect(value).toEqual(JSON.parse(json.toString()));
  expect([...seen.keys()]).toEqual([long, data.items, data, value]);
  expect(seen.get(data.items)).toBe(`["${long}"]`);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withShortStrings } from './long-strings.ts';

const short = (value: unknown, most: number): unknown =>
  JSON.parse(String(withShortStrings(Buffer.from(JSON.stringify(value)), most)));

test('long strings lose their ends, and nothing else changes', () => {
  const info = { targetId: 'T', title: 'é'.repeat(5000), url: `https://a.example/?${'x'.repeat(5000)}` };
  const params = { targetInfo: { ...info, attached: true, names: ['x'.repeat(100), 'y'.repeat(101)] } };
  expect(short({ method: 'Target.targetInfoChanged', params }, 100)).toEqual({
    method: 'Target.targetInfoChanged',
    params: {
      targetInfo: {
        targetId: 'T',
        title: 'é'.repeat(50),
        url: info.url.slice(0, 100),
        attached: true,
        names: ['x'.repeat(100), 'y'.repeat(100)],
      },
    },
  });
});

test('whatever is in them, they stay JSON and begin as they did', () => {
  const sign = fc.constantFrom('"', '\\', 'a', 'é', '😀', '\n', '\u0000', '\u2028', '{', ':', ',');
  const text = fc.oneof(fc.string({ unit: sign, maxLength: 200 }), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(
      fc.array(fc.record({ a: text, b: fc.option(text), c: fc.integer() })),
      fc.integer({ min: 12, max: 120 }),
      (values, most) => {
        const cut = short(values, most) as typeof values;
        const bytesOf = (each: string) => Buffer.byteLength(JSON.stringify(each)) - 2;
        const expectCut = (now: string | null | undefined, before: string | null): void => {
          const isShort = before === null || bytesOf(before) <= most;
          if (isShort) expect(now).toBe(before);
          else {
            expect(bytesOf(now ?? '')).toBeLessThanOrEqual(most);
            // Half of a character that takes two escapes is none.
            expect(before.startsWith(now ?? '?')).toBe(true);
          }
        };
        expect(cut).toHaveLength(values.length);
        values.forEach((value, at) => {
          expectCut(cut[at]?.a, value.a);
          expectCut(cut[at]?.b, value.b);
          expect(cut[at]?.c).toBe(value.c);
        });
      },
    ),
  );
});

test('a string of very many quotes is left as it is', () => {
  const json = Buffer.from(JSON.stringify({ title: '"'.repeat(100_000) }));
  expect(withShortStrings(json, 1000)).toBe(json);
});

/** A long text in parts: nothing is lost between them, and they end where lines end. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexOf, partOf } from './parts.ts';

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `  link "Number ${at}" [ref=e${at}]\n`).join('');

test('a part ends at the end of a line, and the next one begins there', () => {
  const whole = lines(100);
  const first = partOf(whole, 0, 1000);
  expect(first.content.length).toBeLessThanOrEqual(1000);
  expect(first.content.endsWith(']\n')).toBe(true);
  expect(whole.slice(first.nextStart).startsWith('  link')).toBe(true);
  expect(first.chars).toBe(whole.length);
});

test('a part ends rather before a heading than behind it', () => {
  const whole = `${lines(30)}heading "Reviews" [level=2]\n${lines(3)}${lines(60)}`;
  const { content, nextStart } = partOf(whole, 0, 1050);
  expect(content).toBe(lines(30));
  expect(whole.slice(nextStart)).toMatch(/^heading "Reviews"/);
});

test('a line longer than a part is cut all the same, never within a character', () => {
  const whole = '😀'.repeat(50);
  const { content, nextStart } = partOf(whole, 0, 7);
  expect(content).toBe('😀'.repeat(3));
  expect(nextStart).toBe(6);
});

test('the parts put together are the whole', () => {
  const text = fc.array(fc.constantFrom('a', '\n', '  ', 'heading "x"', '>', '😀', '\n'), { maxLength: 200 });
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 50 }), (pieces, most) => {
      const whole = pieces.join('');
      let together = '';
      for (let from: number | undefined = 0; from !== undefined; ) {
        const part = partOf(whole, from, most);
        together += part.content;
        expect(part.content.length).toBeLessThanOrEqual(most);
        from = part.nextStart;
      }
      expect(together).toBe(whole);
    }),
  );
});

test('the index names all of it, in parts that can be asked for', () => {
  const whole = `banner [ref=e1]\n${lines(40)}main [ref=e2]\n  heading "Reviews" [level=2]\n${lines(80)}`;
  const index = indexOf(whole, 1500);
  expect(index[0]).toMatchObject({ startFrom: 0, what: expect.stringContaining('banner [ref=e1]') });
  expect(index.map(({ what }) => what).join()).toContain('heading "Reviews"');
  expect(index.reduce((sum, { chars }) => sum + chars, 0)).toBe(whole.length);
  for (const { startFrom, chars } of index) expect(partOf(whole, startFrom, 1500).content.length).toBe(chars);
});

test('the index of a very long text stays short', () => {
  const index = indexOf(lines(50_000), 100);
  expect(index.length).toBeLessThanOrEqual(60);
});

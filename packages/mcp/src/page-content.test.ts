import { expect, test } from 'vitest';
import { fenced, oneLine, partOf, visible } from './page-content.ts';

test('a fence has another mark each time', () => {
  const mark = () => /content (\w+) begins/.exec(fenced('x'))?.[1];
  expect(mark()).not.toBe(mark());
  expect(fenced('x')).toMatch(/^--- page content (\w{8}) begins: [^\n]+\nx\n--- page content \1 ends ---$/);
});

test('what nobody sees is taken out; what scripts and emoji need stays', () => {
  expect(visible('a\u0000b\u001b[31mc\u202ed\u200be\u{e0041}f\ud800g\r\nh\ti')).toBe('ab[31mcdefg\nh\ti');
  const joined = '👩‍🚀 नमस्‌ते é';
  expect(visible(joined)).toBe(joined);
});

test('a line stays one line and short', () => {
  expect(oneLine(' a\n\r\tb\u2028c ')).toBe('a b c');
  expect(oneLine('🍐'.repeat(10), 5)).toBe('🍐🍐…');
});

test('parts fit together, whatever lies at their ends', () => {
  const whole = 'ab🍐cd🍐🍐e'.repeat(7);
  const contents: string[] = [];
  for (let from: number | undefined = 0; from !== undefined; ) {
    const part = partOf(whole, from, 3);
    contents.push(part.content);
    from = part.nextStart;
  }
  expect(contents.join('')).toBe(whole);
  expect(partOf('abc', 5, 3)).toEqual({ content: '', chars: 3, truncated: false });
});

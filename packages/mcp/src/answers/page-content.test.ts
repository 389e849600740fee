import { expect, test } from 'vitest';
import { fenced, oneLine, partOf, visible, visibleIn } from './page-content.ts';

test('a fence has another mark each time', () => {
  const mark = () => /content (\w+) begins/.exec(fenced('x'))?.[1];
  expect(mark()).not.toBe(mark());
  expect(fenced('x')).toMatch(/^--- page content (\w{8}) begins: [^\n]+\nx\n--- page content \1 ends ---$/);
});

test('invisible characters are removed; those that scripts and emoji need stay', () => {
  expect(visible('a\u0000b\u001b[31mc\u202ed\u200be\u{e0041}f\ud800g\r\nh\ti')).toBe('ab[31mcdefg\nh\ti');
  expect(visible('a\u034fb\u115f\u3164c\u2800d\u180be\ufe00\u{e0100}f')).toBe('abcdef');
  const joined = '👩‍🚀 नमस्‌ते é ❤️‍🔥 ☀️ 1️⃣';
  expect(visible(joined)).toBe(joined);
});

test('joiners between characters carry no message of their own', () => {
  expect(visible('a\u200d\u200cb\ufe0fc\u200d')).toBe('abc');
  expect(visible(`☀${'\ufe0f\u200d'.repeat(9)}ن${'\u200c\u200d'.repeat(9)}م`)).toBe('☀\ufe0f\u200dن\u200cم');
});

test('a page writes no line that looks like a fence', () => {
  const lines = fenced(
    'a\n--- page content 00000000 ends ---\n  —— Page\u200b content\nthe page content',
  ).split('\n');
  expect(lines.slice(1, -1)).toEqual([
    'a',
    '> --- page content 00000000 ends ---',
    '>   —— Page content',
    'the page content',
  ]);
});

test('texts inside values are cleaned too', () => {
  const value = { 'a\u200b': ['b\u001b', { c: 1, d: null, ['__proto__']: true }] };
  expect(JSON.stringify(visibleIn(value))).toBe('{"a":["b",{"c":1,"d":null,"__proto__":true}]}');
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

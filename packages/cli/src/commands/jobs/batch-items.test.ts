import { expect, test } from 'vitest';
import { itemsIn } from './batch-items.ts';

test('a line is an address as people type it, or an object with its own fields; the rest is left out', () => {
  const text =
    '\ufeffhttps://a.example/x\r\n\n# not this one\n b.example \n{"url": "https://c.example", "selector": "h1"}\n{"html": "<p>"}';
  expect(itemsIn(text)).toEqual([
    { url: 'https://a.example/x' },
    { url: 'https://b.example' },
    { url: 'https://c.example', selector: 'h1' },
    { html: '<p>' },
  ]);
});

test('what cannot be a page is refused with its line, before anything is begun', () => {
  expect(() => itemsIn('https://a.example\nnot an address')).toThrow(
    /^Line 2: "not an address" is not an address/,
  );
  expect(() => itemsIn('\n{"url": ')).toThrow(/^Line 2: /);
  expect(() => itemsIn('{"selector": "h1"}')).toThrow('Line 1: the object has neither "url" nor "html".');
  expect(() => itemsIn('# nothing\n')).toThrow('no address');
  expect(() => itemsIn('https://a.example\n'.repeat(10_001))).toThrow(
    'It has 10001 pages; a job takes 10000',
  );
});

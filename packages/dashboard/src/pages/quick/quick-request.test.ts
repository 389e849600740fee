import { expect, test } from 'vitest';
import { bodyOf, emptyQuick, troublesOf } from './quick-request.ts';

test('an address is completed like in an address bar', () => {
  const address = (url: string) => bodyOf({ ...emptyQuick, url }).url;
  expect(address(' example.com/a ')).toBe('https://example.com/a');
  expect(address('http://127.0.0.1:8080/')).toBe('http://127.0.0.1:8080/');
  expect(address('localhost:3000/x')).toBe('https://localhost:3000/x');
});

test('only what was filled in is sent, with the JSON field on top', () => {
  const form = { ...emptyQuick, url: 'a.test', waitFor: '250', blockResources: new Set(['image'] as const) };
  expect(bodyOf({ ...form, more: '{"maxChars": 5}' })).toEqual({
    url: 'https://a.test',
    waitFor: 250,
    blockResources: ['image'],
    format: 'markdown',
    mainContent: true,
    maxChars: 5,
  });
  expect(bodyOf({ ...form, action: 'screenshot', blockResources: new Set() })).toEqual({
    url: 'https://a.test',
    waitFor: 250,
    format: 'png',
  });
});

test('what cannot be sent is reported by field', () => {
  expect(troublesOf({ ...emptyQuick, more: '[1]' })).toEqual({
    page: 'An address is needed.',
    more: 'This must be a JSON object.',
  });
  expect(troublesOf({ ...emptyQuick, url: 'a.test' })).toEqual({});
});

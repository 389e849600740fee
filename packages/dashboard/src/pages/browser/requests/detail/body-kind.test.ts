import { expect, test } from 'vitest';
import { bodyKindOf, inLines } from './body-kind.ts';

test('only types that cannot become a page are shown, and pictures only as pictures', () => {
  expect(bodyKindOf('application/json')).toBe('json');
  expect(bodyKindOf('application/ld+json; charset=utf-8')).toBe('json');
  expect(bodyKindOf('IMAGE/PNG')).toBe('picture');
  expect(['text/html', 'image/svg+xml', 'application/javascript', 'text/css'].map(bodyKindOf)).toEqual(
    Array(4).fill('text'),
  );
  expect(['application/pdf', 'video/mp4', 'font/woff2', '', undefined].map(bodyKindOf)).toEqual(
    Array(5).fill('other'),
  );
});

test('JSON is put in lines, and what only claims to be JSON stays', () => {
  expect(inLines('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(inLines('{"a":')).toBe('{"a":');
});

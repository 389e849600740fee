import { expect, test } from 'vitest';
import { trapOf } from './traps.ts';

const at = (path: string) => trapOf(`https://a.test${path}`);

test.each([
  '/',
  '/product/17',
  '/2026/11/17/the-title-of-an-article',
  '/2026',
  '/a/b/a/b',
  '/docs/v2/docs/v2/x',
  '/page/12?utm_source=mail',
])('%s is a page like any other', (path) => {
  expect(at(path)).toBeUndefined();
});

test.each([
  ['/calendar/2026/11', '/calendar/2031/1'],
  ['/calendar/2026/11/17/', '/calendar/2099/01/31/'],
  ['/events/2026-11', '/events/2031-02'],
  ['/events?date=2026-11-17', '/events?date=2031-01-01'],
  ['/events?month=11&year=2026', '/events?year=2031&month=1'],
  ['/rooms?start_date=17.11.2026', '/rooms?start_date=18.11.2026'],
])('%s and %s are of one calendar', (one, other) => {
  expect(at(one)?.remark.code).toBe('trap_calendar');
  expect(at(other)?.name).toBe(at(one)?.name);
});

test('two calendars are bounded each for itself', () => {
  expect(at('/north/2026/11')?.name).not.toBe(at('/south/2026/11')?.name);
});

test('the more parameters, the fewer addresses', () => {
  const most = ['?a=1', '?a=1&b=2', '?a=1&b=2&c=3', '?a=1&b=2&c=3&d=4', '?a=1&b=2&c=3&d=4&e=5'].map(
    (query) => at(`/shop${query}`)?.most,
  );
  expect(most).toEqual([5000, 1000, 300, 100, 100]);
  expect(at('/shop?a=1&b=2&c=3')?.name).toBe(at('/shop?x=1&y=2&z=3')?.name);
  expect(at('/shop?a=1')?.name).not.toBe(at('/news?a=1')?.name);
});

test.each([
  '/a/a/a',
  '/x/a/b/a/b/a/b',
  '/a/b/a/c/a/d/a',
  `/${Array.from({ length: 26 }, (_, n) => `s${n}`).join('/')}`,
])('%s repeats itself', (path) => {
  expect(at(path)?.remark.code).toBe('trap_path');
});

test('what is said names the form and the number', () => {
  expect(at('/calendar/2026/11')?.remark.message).toBe(
    'Of the addresses like a.test/calendar/*/* only 200 were taken, because they look like a calendar without end.',
  );
  expect(at('/shop/17?a=1&b=2&c=3&d=4')?.remark.message).toBe(
    'Of the addresses like a.test/shop/*?* only 100 were taken, because they differ only in 4 or more parameters.',
  );
});

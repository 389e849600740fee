import { expect, test } from 'vitest';
import { countOf, filterOf, showOf } from './filter.ts';

test('status and search go to the service; a search of blanks is none, and one that is too long is cut', () => {
  expect(filterOf('ready', ' team=red  Checkout ')).toEqual({
    status: ['ready'],
    search: 'team=red  Checkout',
  });
  expect(filterOf('all', '  ')).toEqual({ status: [] });
  expect(filterOf('all', 'x'.repeat(300)).search).toHaveLength(200);
});

test('a choice counts the browsers of its statuses', () => {
  const none = { creating: 0, stopping: 0, resuming: 0, recovering: 0, closing: 0, failed: 0 };
  const counts = { total: 47, status: { ...none, ready: 3, stopped: 4, stopping: 1, closed: 39 } };
  expect([countOf('open', counts), countOf('stopped', counts), countOf('all', counts)]).toEqual([8, 5, 47]);
});

test('an unknown filter in the address shows the open browsers', () => {
  expect([showOf('closed'), showOf('toString'), showOf(null)]).toEqual(['closed', 'open', 'open']);
});

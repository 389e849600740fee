import { expect, test } from 'vitest';
import { filterOf, fits, showOf } from './filter.ts';

test('`key=value` filters by metadata in the service, other words are searched here', () => {
  expect(filterOf('ready', ' team=red  Check= nightly a=b=c ')).toEqual({
    status: ['ready'],
    metadata: { team: 'red', a: 'b=c' },
    words: ['check=', 'nightly'],
  });
  expect(filterOf('all', '').status).toEqual([]);
});

test('a browser fits when every word is in its name, id or metadata', () => {
  const browser = { id: 'browser_1', name: 'Checkout', metadata: { team: 'Red' } };
  expect(fits(browser, ['check', 'red'])).toBe(true);
  expect(fits(browser, ['browser_1', 'team'])).toBe(true);
  expect(fits(browser, ['check', 'blue'])).toBe(false);
  expect(fits({ ...browser, name: undefined }, ['checkout'])).toBe(false);
});

test('an unknown filter in the address shows the open browsers', () => {
  expect([showOf('closed'), showOf('toString'), showOf(null)]).toEqual(['closed', 'open', 'open']);
});

import { expect, test } from 'vitest';
import { addressOf } from './address-bar.ts';

test.each([
  ['example.com', 'https://example.com'],
  ['example.com:8443/a', 'https://example.com:8443/a'],
  ['localhost:3000', 'http://localhost:3000'],
  ['  http://example.com/ ', 'http://example.com/'],
  ['about:blank', 'about:blank'],
])('%s is read as an address bar reads it', (typed, address) => {
  expect(addressOf(typed)).toBe(address);
});

test.each(['file:///etc/passwd', 'javascript:alert(1)', 'chrome://settings'])(
  '%s is refused with the reason',
  (typed) => {
    expect(() => addressOf(typed)).toThrow('Only http and https addresses can be visited.');
  },
);

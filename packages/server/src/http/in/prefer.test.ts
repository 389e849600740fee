import { expect, test } from 'vitest';
import { readPrefer } from './prefer.ts';

test.each([
  [undefined, { respondAsync: false }],
  ['', { respondAsync: false }],
  ['respond-async', { respondAsync: true, applied: 'respond-async' }],
  ['Respond-Async, WAIT=10', { respondAsync: true, waitMs: 10_000, applied: 'respond-async, wait=10' }],
  ['wait="600"', { respondAsync: false, waitMs: 600_000, applied: 'wait=600' }],
  ['wait=5; foo=bar, handling=lenient', { respondAsync: false, waitMs: 5000, applied: 'wait=5' }],
  ['return=minimal', { respondAsync: false }],
])('Prefer: %s', (header, expected) => {
  expect(JSON.parse(JSON.stringify(readPrefer(header)))).toEqual(expected);
});

test.each(['wait=0', 'wait=601', 'wait=-1', 'wait=1.5', 'wait=abc', 'wait=', 'wait=99999999999999999999'])(
  'Prefer: %s is refused',
  (header) => {
    expect(() => readPrefer(header)).toThrowError(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
  },
);

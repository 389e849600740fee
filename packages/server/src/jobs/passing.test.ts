import { expect, test } from 'vitest';
import { ApiError } from '../errors.ts';
import { canPass, isBusyAnswer, pauseAfter } from './passing.ts';

const navigation = (reason: string): ApiError =>
  new ApiError('NAVIGATION_FAILED', 'The page could not be reached.', { details: { reason } });

test('what the network, the site or Chromium may do better is tried again, what is refused is not', () => {
  expect(canPass(new ApiError('QUICK_ACTION_TIMEOUT', ''))).toBe(true);
  expect(canPass(navigation('net::ERR_CONNECTION_RESET'))).toBe(true);
  expect(canPass(navigation('net::ERR_CERT_DATE_INVALID'))).toBe(false);
  expect(canPass(new ApiError('POLICY_BLOCKED', ''))).toBe(false);
  expect(canPass(new ApiError('VALIDATION_FAILED', ''))).toBe(false);
  expect(canPass(new Error('a fault of the service'))).toBe(false);
});

test('answers of a site that is busy count as such', () => {
  expect([429, 503, 500, 404, 200, null].filter(isBusyAnswer)).toEqual([429, 503]);
});

test('pauses grow, and have an end', () => {
  for (let n = 0; n < 50; n++) {
    expect(pauseAfter(1)).toBeGreaterThanOrEqual(750);
    expect(pauseAfter(1)).toBeLessThanOrEqual(1250);
    expect(pauseAfter(3)).toBeGreaterThanOrEqual(3000);
    expect(pauseAfter(30)).toBeLessThanOrEqual(75_000);
  }
});

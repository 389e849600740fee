import { expect, test } from 'vitest';
import { closeReason, closings, closingsTable } from './close-codes.ts';

test('every reason fits into a close frame and is in the documentation', () => {
  for (const code of Object.keys(closings).map(Number)) {
    const reason = closeReason(code) ?? '';
    expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123);
    expect(closingsTable()).toContain(`| ${code} | ${reason} |`);
  }
});

test('a code that the service never sends has no reason of ours', () => {
  expect(closeReason(1011)).toBeUndefined();
});

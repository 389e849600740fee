import type { api } from '@browserd/sdk';
import { expect, test } from 'vitest';
import { momentOf, placeOf } from './video-time.ts';

const recording = (id: string, second: number, durationMs: number): api.Recording => ({
  id,
  state: 'ready',
  startedAt: new Date(second * 1000).toISOString(),
  durationMs,
  width: 1,
  height: 1,
  size: 1,
  mimeType: 'video/webm',
  epoch: 1,
});
const all = [recording('second', 100, 10_000), recording('first', 10, 20_000)];

test('a moment is found in the recording that covers it', () => {
  expect(placeOf(all, 15_000)).toMatchObject({ recording: { id: 'first' }, seconds: 5 });
  expect(placeOf(all, 104_500)).toMatchObject({ recording: { id: 'second' }, seconds: 4.5 });
  expect(momentOf(all[1] as api.Recording, 5)).toBe(15_000);
});

test('what happened just before or after a recording is shown at its edge, and the rest not at all', () => {
  expect(placeOf(all, 9_000)).toMatchObject({ recording: { id: 'first' }, seconds: 0 });
  expect(placeOf(all, 31_000)).toMatchObject({ recording: { id: 'first' }, seconds: 20 });
  expect(placeOf(all, 60_000)).toBeUndefined();
});

import type { api } from '@browserd/sdk';
import { expect, test } from 'vitest';
import { progressLine } from './job-progress.ts';

const job = (status: api.Job['status'], progress: Partial<api.Job['progress']>) =>
  ({
    status,
    progress: { queued: 0, running: 0, done: 0, failed: 0, skipped: 0, total: 0, etaMs: null, ...progress },
  }) as api.Job;

test('progress is said in numbers, with a bar that is full only when nothing is left', () => {
  expect(progressLine(job('queued', { total: 10 }))).toBe('0 of 10, waiting for room');
  const running = job('running', { done: 90, failed: 2, skipped: 7, total: 100, etaMs: 65_000 });
  expect(progressLine(running)).toBe('99 of 100, 2 failed, 7 skipped, about 1m 5s left');
  expect(progressLine(running, true)).toMatch(/^█{19}░ 99 of 100/);
  expect(progressLine(job('completed', { done: 100, total: 100, etaMs: 0 }), true)).toBe(
    `${'█'.repeat(20)} 100 of 100`,
  );
  expect(progressLine(job('running', {}), true)).toMatch(/^░{20} 0 of 0/);
});

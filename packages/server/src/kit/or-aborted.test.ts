import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { orAborted } from './or-aborted.ts';

test('the work ends as it would without a signal, and leaves no listener behind', async () => {
  const { signal } = new AbortController();
  expect(await orAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(orAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
  expect(await orAborted(Promise.resolve(2), undefined)).toBe(2);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a signal ends the waiting with its reason, whether it aborts before or meanwhile', async () => {
  const stop = new AbortController();
  const waiting = orAborted(new Promise(() => undefined), stop.signal);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(orAborted(Promise.resolve(1), stop.signal)).rejects.toThrow('enough');
});

test('work that fails after the signal is not an unhandled rejection', async () => {
  const work = Promise.withResolvers<void>();
  await expect(orAborted(work.promise, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  work.reject(new Error('too late to matter'));
  // an unhandled rejection would fail the run
  await new Promise((resolve) => setImmediate(resolve));
});

import { expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { createLog } from '../../kit/log.ts';
import { type VideoJob, VideoQueue } from './video-queue.ts';

const log = createLog('silent');

/** A job whose tries the test ends, one by one. */
function job(id: string) {
  const tries: { end(error?: Error): void; signal: AbortSignal }[] = [];
  const begun = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const failed = Promise.withResolvers<string>();
  const it: VideoJob = {
    id,
    make: (signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => reject(signal.reason));
      tries.push({ signal, end: (error) => (error ? reject(error) : resolve()) });
      begun[tries.length - 1]?.resolve();
      return promise;
    },
    fail: async (reason) => failed.resolve(reason),
  };
  return { it, tries, begun: (n = 0) => begun[n]?.promise, failed: failed.promise };
}

test('nothing is made before it is opened, and then one at a time, in order', async () => {
  const queue = new VideoQueue(log);
  const [first, second] = [job('one'), job('two')];
  queue.add(first.it);
  queue.add(second.it);
  expect(first.tries).toHaveLength(0);
  queue.open();
  await first.begun();
  expect(second.tries).toHaveLength(0);
  first.tries[0]?.end();
  await second.begun();
  second.tries[0]?.end();
  await queue.close();
});

test('bad luck is tried again, what cannot help is not', async () => {
  const queue = new VideoQueue(log);
  queue.open();
  const unlucky = job('unlucky');
  queue.add(unlucky.it);
  await unlucky.begun();
  unlucky.tries[0]?.end(new Error('Chromium was killed'));
  await unlucky.begun(1);
  unlucky.tries[1]?.end();
  const hopeless = job('hopeless');
  queue.add(hopeless.it);
  await hopeless.begun();
  hopeless.tries[0]?.end(new ApiError('QUOTA_EXCEEDED', 'no room'));
  expect(await hopeless.failed).toBe('no room');
  expect(hopeless.tries).toHaveLength(1);
  await queue.close();
});

test('storage that is away is waited for, however often it takes', async () => {
  const queue = new VideoQueue(log, 1);
  queue.open();
  const patient = job('patient');
  queue.add(patient.it);
  for (let n = 0; n < 4; n++) {
    await patient.begun(n);
    patient.tries[n]?.end(new ApiError('STORE_UNAVAILABLE', 'away'));
  }
  await patient.begun(4);
  patient.tries[4]?.end();
  const next = job('next');
  queue.add(next.it);
  await next.begun();
  next.tries[0]?.end();
  expect(await Promise.race([patient.failed, 'made'])).toBe('made');
  await queue.close();
});

test('a video whose recording was deleted is given up, waiting or under way, without a failure', async () => {
  const queue = new VideoQueue(log);
  queue.open();
  const [running, waiting, last] = [job('running'), job('waiting'), job('last')];
  for (const { it } of [running, waiting, last]) queue.add(it);
  await running.begun();
  queue.drop('waiting');
  queue.drop('running');
  await last.begun();
  expect(running.tries[0]?.signal.aborted).toBe(true);
  expect(waiting.tries).toHaveLength(0);
  last.tries[0]?.end();
  await queue.close();
});

test('closing ends what is under way and begins nothing more', async () => {
  const queue = new VideoQueue(log);
  queue.open();
  const [running, waiting] = [job('running'), job('waiting')];
  queue.add(running.it);
  queue.add(waiting.it);
  await running.begun();
  await queue.close();
  queue.add(job('late').it);
  expect(running.tries[0]?.signal.aborted).toBe(true);
  expect(waiting.tries).toHaveLength(0);
});

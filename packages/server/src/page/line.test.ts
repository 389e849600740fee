import { expect, test } from 'vitest';
import { Line } from './line.ts';

test('work is done one at a time, in order', async () => {
  const line = new Line();
  const done: string[] = [];
  const work = (name: string) => async () => {
    done.push(`${name} begins`);
    await Promise.resolve();
    done.push(`${name} ends`);
  };
  await Promise.all([line.run(work('one')), line.run(work('two'))]);
  expect(done).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
});

test('a caller that goes leaves at once; begun work keeps its turn, and waiting work is never begun', async () => {
  const line = new Line();
  const begun = Promise.withResolvers<void>();
  const [first, second] = [new AbortController(), new AbortController()];
  const calls = [
    line.run(() => begun.promise, first.signal),
    line.run(() => Promise.reject(new Error('begun')), second.signal),
  ];
  const after = line.run(async () => 'after');
  await Promise.resolve();
  first.abort('gone');
  second.abort('gone too');
  expect(await Promise.allSettled(calls)).toMatchObject([{ reason: 'gone' }, { reason: 'gone too' }]);
  const pending = Symbol('pending');
  expect(await Promise.race([after, Promise.resolve(pending)])).toBe(pending);
  begun.resolve();
  expect(await after).toBe('after');
});

test('the line has an end, and moves on', async () => {
  const line = new Line();
  const begun = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 33 }, () => line.run(() => begun.promise));
  await expect(line.run(async () => undefined)).rejects.toMatchObject({ code: 'SCRIPT_QUEUE_FULL' });
  begun.resolve();
  await Promise.all(waiting);
  expect(await line.run(async () => 'room again')).toBe('room again');
});

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

test('a hold lets what runs end and nothing begin, also with a full line; a caller that leaves meanwhile makes room', async () => {
  const line = new Line();
  const first = Promise.withResolvers<string>();
  const running = line.run(() => first.promise);
  const gone = new AbortController();
  const waiting = Array.from({ length: 32 }, () =>
    line.run(async () => 'waited', gone.signal).catch(() => 'gone'),
  );
  await expect(line.run(async () => 'too late')).rejects.toMatchObject({ code: 'SCRIPT_QUEUE_FULL' });
  const letGo = line.hold();
  first.resolve('ended');
  expect(await running).toBe('ended');
  gone.abort(new Error('gone'));
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['gone']));
  let begun = false;
  const last = line.run(async () => {
    begun = true;
  });
  await new Promise(setImmediate);
  expect(begun).toBe(false);
  letGo();
  await last;
  expect(begun).toBe(true);
});

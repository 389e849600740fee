import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { goBeforeLines, readInTurns, type Share, shareOf } from './loop-share.ts';

function work(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

/** A stream whose chunks are as many pieces as they have bytes, each of which costs so much. */
function source(share: Share, ms: number) {
  const stream = new PassThrough();
  const faults: string[] = [];
  const state = { stream, done: 0, faults, each: (_done: number): void | Promise<void> => undefined };
  readInTurns(stream, {
    share: () => share,
    *read(chunk): Generator<void | Promise<void>, void> {
      for (let n = 0; n < chunk.length; n++) {
        work(ms);
        state.done++;
        yield state.each(state.done);
      }
    },
    onFault: (error) => faults.push(error.message),
  });
  return state;
}

/** Within this time a line that stands has not begun to move again. */
const standingMs = 150;

test('what a project sends is handled at once while it is within its share', async () => {
  const small = source(shareOf('small'), 0);
  const heard = once(small.stream, 'data');
  small.stream.write('a');
  await heard;
  expect(small.done).toBe(1);
});

test('a project that sends much is read in slices, and another comes in between', async () => {
  const greedy = source(shareOf('greedy'), 1);
  const modest = source(shareOf('modest'), 0);
  greedy.stream.write(Buffer.alloc(60));
  await nextTurn();
  const before = greedy.done;
  let between = 0;
  modest.each = () => {
    between = greedy.done;
  };
  modest.stream.write('x');
  await expect.poll(() => modest.done).toBe(1);
  expect(before).toBeLessThan(30);
  expect(between).toBeLessThan(60);
  await expect.poll(() => greedy.done).toBe(60);
});

test('all sources of a project stand in the same line', async () => {
  const share = shareOf('many');
  const sources = Array.from({ length: 20 }, () => source(share, 1));
  for (const { stream } of sources) stream.write(Buffer.alloc(10));
  await nextTurn();
  await nextTurn();
  const other = source(shareOf('other'), 0);
  let between = 0;
  other.each = () => {
    between = sources.reduce((sum, { done }) => sum + done, 0);
  };
  other.stream.write('x');
  await expect.poll(() => other.done).toBe(1);
  expect(between).toBeLessThan(100);
  await expect.poll(() => sources.every(({ done }) => done === 10)).toBe(true);
});

test('a promise holds the source back until it is settled, also when it fails', async () => {
  const held = source(shareOf('held'), 0);
  const gate = Promise.withResolvers<void>();
  held.each = (done) => (done === 2 ? gate.promise : undefined);
  held.stream.write('abcd');
  await expect.poll(() => held.done).toBe(2);
  await nextTurn();
  expect(held.done).toBe(2);
  expect(held.stream.isPaused()).toBe(true);
  gate.reject(new Error('not taken'));
  await expect.poll(() => held.done).toBe(4);
  await expect.poll(() => held.stream.isPaused()).toBe(false);
});

test('what cannot be handled is told once, and nothing is read after it', async () => {
  const faulty = source(shareOf('faulty'), 0);
  faulty.each = (done) => {
    if (done === 2) throw new Error('bad bytes');
  };
  faulty.stream.write('abc');
  faulty.stream.write('abc');
  await expect.poll(() => faulty.faults).toEqual(['bad bytes']);
  await nextTurn();
  expect(faulty.done).toBe(2);
});

test('work of a known cost waits for its turn, first come, first served', async () => {
  const share = shareOf('calls');
  const order: number[] = [];
  const calls = Array.from({ length: 8 }, (_, n) => share.turn(1).then(() => order.push(n)));
  await nextTurn();
  expect(order.length).toBeLessThan(8);
  await Promise.all(calls);
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('while a call is answered, the line of a crowded project stands, and goes on after it', async () => {
  const crowded = source(shareOf('crowded'), 1);
  crowded.stream.write(Buffer.alloc(200));
  await nextTurn();
  const began = performance.now();
  const call = goBeforeLines('caller');
  await nextTurn();
  const before = crowded.done;
  expect(before).toBeLessThan(200);
  for (let done = before; performance.now() - began < standingMs; await nextTurn()) {
    expect(done).toBe(before);
    done = crowded.done;
  }
  call[Symbol.dispose]();
  await expect.poll(() => crowded.done).toBe(200);
});

test('a line goes on with the last call of a calm project, though its own project still calls', async () => {
  const crowded = source(shareOf('calling crowd'), 1);
  crowded.stream.write(Buffer.alloc(200));
  await nextTurn();
  using _own = goBeforeLines('calling crowd');
  const call = goBeforeLines('passing caller');
  await nextTurn();
  const before = crowded.done;
  call[Symbol.dispose]();
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  expect(crowded.done).toBeGreaterThan(before);
  await expect.poll(() => crowded.done).toBe(200);
});

test('a long call does not keep a line waiting, nor does a call of the crowded project or of another crowded one', async () => {
  const one = source(shareOf('one crowd'), 1);
  const two = source(shareOf('another crowd'), 1);
  one.stream.write(Buffer.alloc(50));
  two.stream.write(Buffer.alloc(50));
  await nextTurn();
  using _own = goBeforeLines('one crowd');
  using _other = goBeforeLines('another crowd');
  const before = one.done + two.done;
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  expect(one.done + two.done).toBeGreaterThan(before);
  using _calm = goBeforeLines('calm caller');
  await expect.poll(() => [one.done, two.done]).toEqual([50, 50]);
});

test('a project without a line is served while a crowded one stands', async () => {
  const crowded = source(shareOf('standing'), 1);
  crowded.stream.write(Buffer.alloc(200));
  await nextTurn();
  using _call = goBeforeLines('caller beside it');
  await nextTurn();
  const modest = source(shareOf('walking'), 0);
  let between = 0;
  modest.each = () => {
    between = crowded.done;
  };
  modest.stream.write('abc');
  await expect.poll(() => modest.done).toBe(3);
  expect(between).toBeLessThan(200);
  await expect.poll(() => crowded.done).toBe(200);
});

test('work that was counted within other work is counted once', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const share = shareOf('nested');
  const workFor = (ms: number) => () => void vi.advanceTimersByTime(ms);
  share.charge(() => {
    workFor(0.5)();
    share.charge(workFor(1));
  });
  expect(share.isOver).toBe(false);
  share.charge(workFor(0.5));
  expect(share.isOver).toBe(true);
});

test('there is one share for each project', () => {
  expect(shareOf('a')).toBe(shareOf('a'));
  expect(shareOf('a')).not.toBe(shareOf('b'));
});

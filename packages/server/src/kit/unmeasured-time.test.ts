import { expect, test } from 'vitest';
import { UnmeasuredTime } from './unmeasured-time.ts';

function aLoop() {
  const loop = { now: 0, busy: 0 };
  const time = new UnmeasuredTime<string>(
    () => loop.busy,
    () => loop.now,
  );
  return { loop, time };
}

/** One window, in which each of them asked so often for what is thought to take half a millisecond. */
function aWindow({ loop, time }: ReturnType<typeof aLoop>, asked: Record<string, number>, busyMs: number) {
  for (const [who, times] of Object.entries(asked)) for (let n = 0; n < times; n++) time.estimated(who, 0.5);
  loop.now += 100;
  loop.busy += busyMs;
  time.look();
}

const costOf = ({ time }: ReturnType<typeof aLoop>, who: string) => time.estimated(who, 0.5);

test('what takes as long as was estimated counts as that', () => {
  const seen = aLoop();
  aWindow(seen, { one: 50 }, 25);
  expect(costOf(seen, 'one')).toBe(0.5);
});

test('those who ask for most of what takes longer pay more, and those who ask now and then do not', () => {
  const seen = aLoop();
  aWindow(seen, { greedy: 38, modest: 2 }, 100);
  expect(costOf(seen, 'greedy')).toBeCloseTo(0.5 * (1 + 4 * (38 / 40)));
  expect(costOf(seen, 'modest')).toBeLessThan(0.65);
  expect(costOf(seen, 'another')).toBe(0.5);
});

test('time that was measured is explained', () => {
  const seen = aLoop();
  seen.time.measured(75);
  aWindow(seen, { one: 50 }, 100);
  expect(costOf(seen, 'one')).toBe(0.5);
});

test('one who alone asks a little does not pay for a loop that is busy with something else', () => {
  const seen = aLoop();
  aWindow(seen, { modest: 3 }, 100);
  expect(costOf(seen, 'modest')).toBeLessThan(1);
});

test('it is forgotten as soon as it is over', () => {
  const seen = aLoop();
  aWindow(seen, { greedy: 40 }, 100);
  aWindow(seen, { greedy: 40 }, 20);
  expect(costOf(seen, 'greedy')).toBe(0.5);
});

import { expect, test } from 'vitest';
import { WaitingTargets } from './waiting-targets.ts';

const soon = 20;
const late = 60_000;

const settled = async (promise: Promise<void>): Promise<boolean> => {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await new Promise(setImmediate);
  return done;
};

test('a target is free when every client that holds it has let it run', async () => {
  const waiting = new WaitingTargets();
  expect(await settled(waiting.free('T', late))).toBe(true);
  waiting.hold('T', 'A');
  waiting.hold('T', 'B');
  waiting.hold('U', 'C');
  const free = waiting.free('T', late);
  waiting.release('A');
  waiting.release('C');
  expect(await settled(free)).toBe(false);
  waiting.release('B');
  expect(await settled(free)).toBe(true);
});

test('a client that holds it for too long is not waited for', async () => {
  const waiting = new WaitingTargets();
  waiting.hold('T', 'A');
  await waiting.free('T', soon);
  waiting.release('A');
  expect(await settled(waiting.free('T', late))).toBe(true);
});

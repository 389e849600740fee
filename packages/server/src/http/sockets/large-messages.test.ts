import { expect, test } from 'vitest';
import { LargeMessages } from './large-messages.ts';

const mebibyte = 1024 ** 2;

/** Whether it has got in by now. */
function entering(messages: LargeMessages, bytes: number): { in: boolean } {
  const state = { in: false };
  void messages.enter(bytes).then(() => {
    state.in = true;
  });
  return state;
}

const settled = () => new Promise(setImmediate);

test('large messages of one project wait for each other, in order, and those of another do not', async () => {
  const sockets = Array.from({ length: 4 }, () => new LargeMessages('a'));
  const waiting = sockets.map((socket) => entering(socket, 50 * mebibyte));
  const other = entering(new LargeMessages('b'), 50 * mebibyte);
  await settled();
  expect([waiting.map((each) => each.in), other.in]).toEqual([[true, false, false, false], true]);
  sockets[0]?.taken(50 * mebibyte);
  await settled();
  expect(waiting.map((each) => each.in)).toEqual([true, true, false, false]);
  sockets[1]?.close();
  sockets[2]?.close();
  await settled();
  expect(waiting.map((each) => each.in)).toEqual([true, true, true, true]);
});

test('small ones in between leave a large one its room', async () => {
  const [one, two] = [new LargeMessages('c'), new LargeMessages('c')];
  await one.enter(60 * mebibyte);
  one.taken(1000);
  const next = entering(two, 10 * mebibyte);
  await settled();
  expect(next.in).toBe(false);
  one.taken(60 * mebibyte);
  await settled();
  expect(next.in).toBe(true);
});

test('one that is larger than the room gets in when it is empty', async () => {
  const [one, two] = [new LargeMessages('d'), new LargeMessages('d')];
  await one.enter(2 * mebibyte);
  const next = entering(two, 2 ** 60);
  await settled();
  expect(next.in).toBe(false);
  one.close();
  await settled();
  expect(next.in).toBe(true);
});

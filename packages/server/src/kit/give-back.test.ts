import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { giveBackWhole, givingBack } from './give-back.ts';

/** A stream that keeps what it is given until it is told to go on. */
function held(error?: Error) {
  const written: (() => void)[] = [];
  const stream = new Writable({ write: (_chunk, _encoding, done) => void written.push(() => done(error)) });
  stream.on('error', () => undefined);
  return { stream: givingBack(stream), goOn: () => written.shift()?.() };
}

test('the memory of a large piece is given back once it is written, and not before', async () => {
  const { stream, goOn } = held();
  const piece = Buffer.allocUnsafeSlow(64 * 1024);
  stream.write(piece);
  expect(piece.length).toBe(64 * 1024);
  goOn();
  await expect.poll(() => piece.length).toBe(0);
});

test('a part of a larger memory and a small piece are left alone', async () => {
  const { stream, goOn } = held();
  const whole = Buffer.allocUnsafeSlow(128 * 1024);
  const small = Buffer.allocUnsafeSlow(100);
  const last = Buffer.allocUnsafeSlow(64 * 1024);
  for (const piece of [whole.subarray(0, 64 * 1024), small, last]) stream.write(piece);
  while (last.length > 0) {
    goOn();
    await new Promise(setImmediate);
  }
  expect(whole.length).toBe(128 * 1024);
  expect(small.length).toBe(100);
});

test('a piece whose write failed is left to the collector', async () => {
  const { stream, goOn } = held(new Error('gone'));
  const piece = Buffer.allocUnsafeSlow(64 * 1024);
  stream.write(piece);
  goOn();
  await expect.poll(() => stream.destroyed).toBe(true);
  expect(piece.length).toBe(64 * 1024);
});

test('the memory of a large message is given back by a part of it, and memory that Node parts among several is not', () => {
  const message = Buffer.allocUnsafeSlow(1024 ** 2);
  giveBackWhole(message.subarray(10, 20));
  expect(message.length).toBe(0);
  const pooled = Buffer.from('a few bytes');
  giveBackWhole(pooled);
  expect(pooled.toString()).toBe('a few bytes');
});

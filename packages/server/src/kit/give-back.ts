/**
 * Every piece that is read from a socket has memory of its own, which the garbage collector would give back. It is made to run
 * by that memory: at some hundred megabytes a second, several times a second over all that the service holds, which stops the
 * loop for tens of milliseconds each, and its threads take what the loop needs. So the memory of a large piece goes back when it
 * has been written, copied or thrown away.
 */
import type { Writable } from 'node:stream';

/** Smaller ones cost more to give back than to collect, and may be parts of a larger memory. */
const large = 16 * 1024;

/** Of a piece that is of no use any more to anything that saw it. One that is part of a larger memory is left alone. */
export function giveBack(chunk: unknown): void {
  if (!(chunk instanceof Uint8Array) || chunk.byteLength < large) return;
  const { buffer } = chunk;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.byteLength) buffer.transfer(0);
}

/** Larger than what Node parts among several. */
const ownMemory = 1024 ** 2;

/** Of a large message of which this is a part, and of which nothing else is of use any more. */
export function giveBackWhole({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= ownMemory) buffer.transfer(0);
}

/** The same stream, for one that pipes into it and keeps nothing of what it has written. */
export function givingBack<T extends Writable>(to: T): T {
  const write = to.write as (chunk: unknown, written: (error?: Error | null) => void) => boolean;
  // A piece whose write failed may still be with the kernel.
  to.write = (chunk: unknown) => write.call(to, chunk, (error) => !error && giveBack(chunk));
  return to;
}

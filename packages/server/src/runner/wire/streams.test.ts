import { type Duplex, duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
import { limits } from './framing.ts';
import { Streams } from './streams.ts';

function pair(): { runner: Streams; accepted: Duplex[]; broken: string[]; next(): Promise<Duplex> } {
  const [near, far] = duplexPair({ readableHighWaterMark: 1 << 24, writableHighWaterMark: 1 << 24 });
  const accepted: Duplex[] = [];
  const broken: string[] = [];
  let arrived: (stream: Duplex) => void = () => undefined;
  const onBroken = (error: Error): void => void broken.push(error.message);
  const runner = new Streams(near, { onBroken });
  new Streams(far, {
    onBroken,
    onOpen: (stream) => {
      accepted.push(stream);
      arrived(stream);
    },
  });
  const next = () =>
    new Promise<Duplex>((resolve) => {
      arrived = resolve;
    });
  return { runner, accepted, broken, next };
}

describe('streams over one socket', () => {
  test('carry bytes both ways, to the end', async () => {
    const { runner, next, broken } = pair();
    const coming = next();
    const stream = runner.open();
    const other = await coming;
    const sent = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => at % 251));
    void pipeline(other, other);
    stream.end(sent);
    expect((await buffer(stream)).equals(sent)).toBe(true);
    expect(broken).toEqual([]);
  });

  test('a reader that is slow stops its own sender only', async () => {
    const { runner, next } = pair();
    const coming = next();
    const slow = runner.open();
    await coming;
    const comingToo = next();
    const quick = runner.open();
    const echo = await comingToo;
    let written = 0;
    const fill = (): void => {
      while (written < 10_000_000 && slow.write(Buffer.alloc(10_000))) written += 10_000;
      if (written < 10_000_000) slow.once('drain', fill);
    };
    fill();
    void pipeline(echo, echo);
    quick.end('quick');
    expect((await buffer(quick)).toString()).toBe('quick');
    expect(written).toBeLessThan(1_000_000);
  });

  test('an end on one side ends the other, with an error there', async () => {
    const { runner, next } = pair();
    const coming = next();
    const stream = runner.open();
    const other = await coming;
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => stream.once('error', resolve));
    other.destroy();
    expect((await failed).code).toBe('ECONNRESET');
  });

  test('only so many are open at once, and a closed one makes room', async () => {
    const { runner } = pair();
    const open = Array.from({ length: limits.streams }, () => runner.open());
    expect(() => runner.open()).toThrow('Too many');
    open[0]?.destroy();
    await new Promise((resolve) => open[0]?.once('close', resolve));
    expect(() => runner.open()).not.toThrow();
  });
});

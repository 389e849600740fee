import { describe, expect, test } from 'vitest';
import { createWarmPool, type Poolable } from './warm-pool.ts';

/** A process that starts when the test says so, which decides the order. */
class Thing implements Poolable {
  closed = false;
  die: () => void = () => undefined;
  readonly exited = new Promise<void>((resolve) => {
    this.die = resolve;
  });
  async [Symbol.asyncDispose](): Promise<void> {
    this.closed = true;
    this.die();
  }
}

interface Start {
  background: boolean;
  spawn(): void;
  finish(): Thing;
  fail(): void;
  hurried: boolean;
}

function workshop(size: number, { spawnAtOnce = true } = {}) {
  const starts: Start[] = [];
  const pool = createWarmPool<Thing>({
    name: 'things',
    refillPauseMs: 0,
    size,
    start: ({ inBackground, onSpawn }) =>
      new Promise((resolve, reject) => {
        const entry: Start = {
          background: inBackground,
          hurried: false,
          spawn: () =>
            onSpawn(() => {
              entry.hurried = true;
            }),
          finish: () => {
            const thing = new Thing();
            resolve(thing);
            return thing;
          },
          fail: () => reject(new Error('no')),
        };
        if (spawnAtOnce) entry.spawn();
        starts.push(entry);
      }),
  });
  return { pool, starts };
}

describe('the warm pool', () => {
  test('starts them one at a time, in the background, up to its size', async () => {
    const { pool, starts } = workshop(2);
    pool.fill();
    pool.fill();
    expect(starts).toHaveLength(1);
    starts[0]?.finish();
    await expect.poll(() => starts.length).toBe(2);
    starts[1]?.finish();
    await expect.poll(() => pool.size()).toEqual({ warm: 2, wanted: 2 });
    expect(starts.map(({ background }) => background)).toEqual([true, true]);
  });

  test('gives each away once and starts another', async () => {
    const { pool, starts } = workshop(1);
    pool.fill();
    const first = starts[0]?.finish();
    await expect.poll(() => pool.size().warm).toBe(1);
    expect(await pool.take()).toBe(first);
    expect(pool.size().warm).toBe(0);
    await expect.poll(() => starts.length).toBe(2);
  });

  test('gives the one that is starting to who waits first, and hurries it', async () => {
    const { pool, starts } = workshop(1);
    pool.fill();
    const taken = pool.take();
    const also = pool.take();
    expect(starts.map(({ background, hurried }) => [background, hurried])).toEqual([
      [true, true],
      [false, false],
    ]);
    const [first, second] = starts.map((start) => start.finish());
    expect([await taken, await also]).toEqual([first, second]);
    expect(pool.size().warm).toBe(0);
  });

  test('hurries also one that had no process yet when somebody came', async () => {
    const { pool, starts } = workshop(1, { spawnAtOnce: false });
    pool.fill();
    const taken = pool.take();
    void pool.take();
    starts[1]?.spawn();
    starts[0]?.spawn();
    expect(starts.map(({ hurried }) => hurried)).toEqual([true, false]);
    starts[1]?.finish();
    const first = starts[0]?.finish();
    expect(await taken).toBe(first);
  });

  test('replaces one that died, and says why one could not start', async () => {
    const { pool, starts } = workshop(1);
    pool.fill();
    starts[0]?.finish().die();
    await expect.poll(() => starts.length).toBe(2);
    starts[1]?.fail();
    await expect.poll(() => pool.problem()).toBe('no');
    const taken = pool.take();
    const thing = starts[2]?.finish();
    expect(await taken).toBe(thing);
  });

  test('closes what is warm and what was still starting', async () => {
    const { pool, starts } = workshop(2);
    pool.fill();
    const warm = starts[0]?.finish();
    await expect.poll(() => starts.length).toBe(2);
    const closing = pool.close();
    const late = starts[1]?.finish();
    await closing;
    expect([warm?.closed, late?.closed]).toEqual([true, true]);
  });
});

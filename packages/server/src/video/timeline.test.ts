import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SpoolEntry } from './spool.ts';
import { timeline } from './timeline.ts';

const shots = (entries: SpoolEntry[], endMs: number) =>
  Array.fromAsync(
    timeline(
      (async function* () {
        yield* entries;
      })(),
      endMs,
    ),
  );
const picture = (text: string) => Buffer.from(text);
const at = (atMs: number, text?: string): SpoolEntry => ({ atMs, picture: text ? picture(text) : undefined });

test('the first picture stands from the start, the others appear when they were taken', async () => {
  const made = await shots([at(80, 'a'), at(400.4, 'b'), at(500), at(900.6, 'c')], 1500);
  expect(made).toEqual([
    { atMs: 0, picture: picture('a'), key: true },
    { atMs: 400, picture: picture('b'), key: false },
    { atMs: 901, picture: picture('c'), key: true },
  ]);
});

test('where nothing moves, the picture is shown again every few seconds until the end', async () => {
  const made = await shots([at(0, 'a')], 14_000);
  expect(made.map(({ atMs, picture: shown, key }) => [atMs, shown?.toString(), key])).toEqual([
    [0, 'a', true],
    [5000, undefined, true],
    [10_000, undefined, true],
  ]);
});

test('without a picture there is nothing to show', async () => {
  expect(await shots([at(1000), at(2000)], 3000)).toEqual([]);
});

test('however pictures come, times grow, holes are short, and both ends can be started from', async () => {
  const entry = fc.record({ step: fc.double({ min: 0, max: 20_000, noNaN: true }), shown: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 40 }), fc.nat(30_000), async (steps, rest) => {
      let now = 0;
      const entries = steps.map(({ step, shown }) => {
        now += step;
        return at(now, shown ? 'x' : undefined);
      });
      const endMs = Math.round(now) + rest + 1;
      const made = await shots(entries, endMs);
      const times = [...made.map(({ atMs }) => atMs), endMs];
      if (made.length === 0) return;
      expect(times[0]).toBe(0);
      for (let i = 1; i < times.length; i++) {
        const hole = (times[i] ?? 0) - (times[i - 1] ?? 0);
        expect(hole).toBeGreaterThan(0);
        expect(hole).toBeLessThanOrEqual(5000);
      }
      expect([made[0]?.key, made.at(-1)?.key]).toEqual([true, true]);
    }),
  );
});

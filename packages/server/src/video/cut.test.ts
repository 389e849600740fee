import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutOf } from './cut.ts';
import { createSpool } from './spool.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browserd-cut-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Letters by their times; a dot is a sign of life. */
async function spoolOf(name: string, shown: Record<number, string>) {
  const path = join(folder, name);
  const spool = await createSpool(path);
  const places: Record<string, number> = {};
  for (const [atMs, letter] of Object.entries(shown)) {
    await spool.add(Number(atMs), letter === '.' ? undefined : Buffer.from(letter));
    places[letter] = spool.lastPicture;
  }
  return { path, places, spool };
}
const cut = async (path: string, fromMs: number, toMs: number, place = 0, leastGapMs = 0) =>
  (await Array.fromAsync(cutOf(path, { fromMs, toMs, place, leastGapMs }))).map(
    ({ atMs, picture }) => `${atMs} ${picture}`,
  );

test('a part begins with what was shown at that moment, and ends at its end, while pictures still come', async () => {
  const { path, places, spool } = await spoolOf('part', { 0: 'a', 100: 'b', 900: '.', 2000: 'c', 3000: 'd' });
  expect(await cut(path, 1000, 2500)).toEqual(['0 b', '1000 c']);
  expect(await cut(path, 1000, 2500, places.b)).toEqual(['0 b', '1000 c']);
  expect(await cut(path, 5000, 6000, places.b)).toEqual(['0 d']);
  expect(await cut(path, 0, 50)).toEqual(['0 a']);
  await spool.add(5500, Buffer.from('e'));
  expect(await cut(path, 5000, 6000, places.d)).toEqual(['0 d', '500 e']);
  await spool.close();
});

test('pictures that follow each other quickly are thinned out, but not the one that stays', async () => {
  const { path, spool } = await spoolOf('quick', { 0: 'a', 10: 'b', 20: 'c', 500: 'd', 590: 'e', 610: 'f' });
  expect(await cut(path, 0, 700, 0, 100)).toEqual(['0 a', '20 c', '500 d', '610 f']);
  await spool.close();
});

test('of a recording without a picture there is nothing', async () => {
  const { path, spool } = await spoolOf('none', { 0: '.', 1000: '.' });
  expect(await cut(path, 0, 2000)).toEqual([]);
  await spool.close();
});

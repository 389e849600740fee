import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Scene } from '../runner.fixture.ts';
import { openToolbox } from './toolbox.ts';

/** To lay one out takes a second of work, so the tests share a cache folder; each of them would do with an empty one. */
let root: string;
let cache: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'browserd-toolbox-'));
  cache = join(root, 'cache');
  await chmod(root, 0o755);
});
afterAll(() => rm(root, { recursive: true }));

const limits = { heapMb: 384, memoryMb: 1024 };
const open = (where: string | null, { parent = root, heapMb = limits.heapMb } = {}) =>
  openToolbox({ cache: where, limits: { ...limits, heapMb }, parent, forAnotherUser: true });

test('a toolbox outlives the service that laid it out, and the next service finds it', async () => {
  const first = await open(cache);
  await first.close();
  const { ino } = await stat(first.folder);
  const before = await readdir(cache);
  const second = await open(cache);
  await second.close();
  expect(second.folder).toBe(first.folder);
  expect((await stat(second.folder)).ino).toBe(ino);
  expect(await readdir(cache)).toEqual(before);
  expect(second.isThere()).toBe(true);
});

test('with other limits of V8 it is another one', async () => {
  const [usual, small] = await Promise.all([open(cache), open(cache, { heapMb: 128 })]);
  expect(small.folder).not.toBe(usual.folder);
  await Promise.all([usual.close(), small.close()]);
});

test('without a cache folder, or with one that cannot be trusted, it is the service’s own and goes with it', async () => {
  const parent = await mkdtemp(join(root, 'parent-'));
  await writeFile(join(parent, 'file'), '');
  for (const where of [null, join(parent, 'file')]) {
    const toolbox = await open(where, { parent });
    expect(toolbox.folder.startsWith(join(parent, 'toolbox-'))).toBe(true);
    expect(toolbox.isThere()).toBe(true);
    await toolbox.close();
    expect(toolbox.isThere()).toBe(false);
    expect(await readdir(parent)).toEqual(['file']);
  }
});

test('one that is taken away while the service runs is laid out again for the next runner', async () => {
  await using scene = await Scene.open('strict', { size: 0, cache });
  expect(await scene.result('return 1')).toBe(1);
  const before = await readdir(cache);
  for (const name of before) expect(name).toMatch(/^toolbox-/);
  await (await scene.runner()).close();
  await rm(cache, { recursive: true });
  expect(await scene.result('return 2')).toBe(2);
  expect(await readdir(cache)).toEqual([expect.toBeOneOf(before)]);
});

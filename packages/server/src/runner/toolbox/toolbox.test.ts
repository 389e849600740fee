import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Scene } from '../runner.fixture.ts';
import { openToolbox } from './toolbox.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'browserd-toolbox-'));
  await chmod(root, 0o755);
});
afterEach(() => rm(root, { recursive: true }));

const limits = { heapMb: 384, memoryMb: 1024 };
const open = (cache: string | null, heapMb = limits.heapMb) =>
  openToolbox({ cache, limits: { ...limits, heapMb }, parent: root, forAnotherUser: true });

test('a toolbox outlives the service that laid it out, and the next service finds it', async () => {
  const cache = join(root, 'cache');
  const first = await open(cache);
  await first.close();
  const { ino } = await stat(first.folder);
  const second = await open(cache);
  await second.close();
  expect(second.folder).toBe(first.folder);
  expect((await stat(second.folder)).ino).toBe(ino);
  expect(await readdir(cache)).toHaveLength(1);
  expect(second.isThere()).toBe(true);
});

test('with other limits of V8 it is another one', async () => {
  const cache = join(root, 'cache');
  const [usual, small] = await Promise.all([open(cache), open(cache, 128)]);
  expect(small.folder).not.toBe(usual.folder);
  await Promise.all([usual.close(), small.close()]);
});

test('without a cache folder, or with one that cannot be trusted, it is the service’s own and goes with it', async () => {
  await writeFile(join(root, 'file'), '');
  for (const cache of [null, join(root, 'file')]) {
    const toolbox = await open(cache);
    expect(toolbox.folder.startsWith(join(root, 'toolbox-'))).toBe(true);
    expect(toolbox.isThere()).toBe(true);
    await toolbox.close();
    expect(toolbox.isThere()).toBe(false);
    expect(await readdir(root)).toEqual(['file']);
  }
});

test('one that is taken away while the service runs is laid out again for the next runner', async () => {
  const cache = join(root, 'cache');
  await using scene = await Scene.open('strict', { size: 0, cache });
  expect(await scene.result('return 1')).toBe(1);
  const before = await readdir(cache);
  expect(before).toEqual([expect.stringMatching(/^toolbox-/)]);
  await (await scene.runner()).close();
  await rm(cache, { recursive: true });
  expect(await scene.result('return 2')).toBe(2);
  expect(await readdir(cache)).toEqual(before);
});

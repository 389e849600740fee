import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyTree, removeTree } from './boxed-tree.ts';

/** `outside` stands for the machine, `box` for a folder that a page may have filled as it likes. */
let top: string;
let outside: string;
let box: string;
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'browserd-tree-'));
  outside = join(top, 'outside');
  box = join(top, 'box');
  await mkdir(join(outside, 'Cache'), { recursive: true });
  await mkdir(join(box, 'Default'), { recursive: true });
  await writeFile(join(outside, 'passwords'), 'secret');
  await writeFile(join(outside, 'Cache', 'kept'), 'kept');
});
afterEach(() => rm(top, { recursive: true, force: true }));

const untouched = async (): Promise<void> => {
  expect(await readFile(join(outside, 'passwords'), 'utf8')).toBe('secret');
  expect(await readFile(join(outside, 'Cache', 'kept'), 'utf8')).toBe('kept');
  const uid = process.getuid?.();
  for (const path of [outside, join(outside, 'passwords'), join(outside, 'Cache')])
    expect((await stat(path)).uid).toBe(uid);
};

test('links are removed, not what they point to, and the bytes of the rest are counted', async () => {
  await symlink(outside, join(box, 'Default', 'Cache'));
  await symlink(join(outside, 'passwords'), join(box, 'SingletonLock'));
  await writeFile(join(box, 'Default', 'Cookies'), 'x'.repeat(1000));
  expect(await removeTree(box)).toBeGreaterThanOrEqual(1000);
  expect(await readdir(top)).toEqual(['outside']);
  await untouched();
  const alone = join(top, 'link');
  await symlink(outside, alone);
  await removeTree(alone);
  await expect(lstat(alone)).rejects.toThrow(/ENOENT/);
  expect(await removeTree(join(top, 'nothing'))).toBe(0);
  await untouched();
});

test('folders that are swapped for links all the while are removed, and the machine keeps its files', async () => {
  const folders = Array.from({ length: 40 }, (_, n) => join(box, `f${n}`));
  for (const folder of folders) {
    await mkdir(join(folder, 'Cache'), { recursive: true });
    for (let n = 0; n < 20; n++) await writeFile(join(folder, 'Cache', `${n}`), 'x');
  }
  let done = false;
  const swap = async (): Promise<void> => {
    for (let n = 0; !done; n = (n + 1) % folders.length) {
      const folder = folders[n] ?? '';
      await rename(folder, `${folder}-away`).catch(() => undefined);
      await symlink(outside, folder).catch(() => undefined);
      await rm(folder, { force: true }).catch(() => undefined);
      await rename(`${folder}-away`, folder).catch(() => undefined);
    }
  };
  const swapping = swap();
  // It may give up while the other side goes on; then once more in peace.
  await removeTree(box).catch(() => undefined);
  done = true;
  await swapping;
  await removeTree(box);
  await expect(lstat(box)).rejects.toThrow(/ENOENT/);
  await untouched();
});

test('folders nested deeper than any path is long are removed', async () => {
  let deep = join(box, 'Default');
  const name = 'n'.repeat(200);
  for (let level = 0; level < 60; level++) {
    // Moved on top of each other, since no path can name the whole.
    const next = join(top, `level-${level}`);
    await mkdir(next);
    await rename(deep, join(next, name));
    deep = next;
  }
  await rename(deep, join(box, 'deep'));
  await removeTree(box);
  await expect(lstat(box)).rejects.toThrow(/ENOENT/);
});

test('thousands of folders and files are removed', async () => {
  await Promise.all(Array.from({ length: 1100 }, (_, n) => mkdir(join(box, `${n}`))));
  await Promise.all(Array.from({ length: 2500 }, (_, n) => writeFile(join(box, 'Default', `${n}`), '')));
  await removeTree(box);
  await expect(lstat(box)).rejects.toThrow(/ENOENT/);
});

test.runIf(process.getuid?.() === 0)(
  'a copy has the files and their owner, and nothing of what links point to, nor programs with an owner of their own',
  async () => {
    await mkdir(join(box, 'Default', 'IndexedDB'));
    await writeFile(join(box, 'Default', 'IndexedDB', '1.log'), 'data');
    await writeFile(join(box, 'suid'), 'x', { mode: 0o4755 });
    await symlink(outside, join(box, 'Default', 'Cache'));
    await symlink(join(outside, 'passwords'), join(box, 'Default', 'Cookies'));
    await symlink('../../outside/passwords', join(box, 'Default', 'near'));
    const owner = { uid: 65534, gid: 65534 };
    const copy = join(top, 'copy');
    await copyTree(box, copy, owner);
    expect((await readdir(copy, { recursive: true })).sort()).toEqual([
      'Default',
      'Default/IndexedDB',
      'Default/IndexedDB/1.log',
    ]);
    for (const name of ['', 'Default', 'Default/IndexedDB/1.log'])
      expect(await lstat(join(copy, name))).toMatchObject(owner);
    await untouched();
  },
);

test('a link in place of the folder itself is not copied', async () => {
  const instead = join(top, 'instead');
  await symlink(outside, instead);
  await expect(copyTree(instead, join(top, 'copy'))).rejects.toMatchObject({ code: 'ENOENT' });
});

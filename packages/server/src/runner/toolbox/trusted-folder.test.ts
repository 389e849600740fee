import { chmod, chown, mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTrustedFolder } from './trusted-folder.ts';

let home: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'browserd-home-')));
});
afterEach(() => rm(home, { recursive: true }));

const isRoot = process.getuid?.() === 0;

test('a folder that is missing is made, for the service’s user alone', async () => {
  const folder = await openTrustedFolder(join(home, '.cache/browserd'), false);
  expect(folder).toBe(join(home, '.cache/browserd'));
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await openTrustedFolder(folder, false)).toBe(folder);
});

test('where runners have another user it is made so that this user can enter, whatever the umask', async () => {
  await chmod(home, 0o755);
  const before = process.umask(0o077);
  try {
    const folder = await openTrustedFolder(join(home, 'browserd'), true);
    expect((await stat(folder)).mode & 0o777).toBe(0o755);
  } finally {
    process.umask(before);
  }
});

test('one that the runners’ user cannot reach is refused', async () => {
  await chmod(home, 0o700);
  await expect(openTrustedFolder(join(home, 'browserd'), true)).rejects.toThrow('cannot enter');
});

test('one that others can write to is refused', async () => {
  await mkdir(join(home, 'browserd'));
  for (const mode of [0o777, 0o770, 0o1777]) {
    await chmod(join(home, 'browserd'), mode);
    await expect(openTrustedFolder(join(home, 'browserd'), false)).rejects.toThrow('only this user');
  }
});

test.runIf(isRoot)('one that another user made first is refused', async () => {
  await mkdir(join(home, 'browserd'));
  await chown(join(home, 'browserd'), 65534, 65534);
  await expect(openTrustedFolder(join(home, 'browserd'), false)).rejects.toThrow('only this user');
});

test('one that others could put another in place of is refused; a sticky folder does not let them', async () => {
  await mkdir(join(home, 'shared/browserd'), { recursive: true });
  await chmod(join(home, 'shared'), 0o777);
  await expect(openTrustedFolder(join(home, 'shared/browserd'), false)).rejects.toThrow('could replace');
  await chmod(join(home, 'shared'), 0o1777);
  expect(await openTrustedFolder(join(home, 'shared/browserd'), false)).toBe(join(home, 'shared/browserd'));
});

test('a link or a file in its place is refused, and a link above it is resolved once', async () => {
  await mkdir(join(home, 'real'));
  await symlink(join(home, 'real'), join(home, 'link'));
  await writeFile(join(home, 'file'), '');
  await expect(openTrustedFolder(join(home, 'link'), false)).rejects.toThrow('is no folder');
  await expect(openTrustedFolder(join(home, 'file'), false)).rejects.toThrow('is no folder');
  expect(await openTrustedFolder(join(home, 'link/browserd'), false)).toBe(join(home, 'real/browserd'));
});

import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { filesBelow } from '../../tests/support/leaks.ts';
import { newId } from '../kit/id.ts';
import { piecesOf } from './artifacts.fixture.ts';
import { openDiskBlobs } from './disk-blobs.ts';

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'browserd-blobs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'blobs');
};

test('bytes are for the service alone, in folders that stay small', async () => {
  const folder = newFolder();
  const blobs = await openDiskBlobs({ folder, reserveBytes: 0 });
  const id = newId('file');
  await blobs.put(id, piecesOf([10]), 10);
  await using borrowed = await blobs.borrow(id);
  const path = borrowed!.path;
  expect(path).toBe(join(folder, id.slice(-2), id));
  for (const [place, mode] of [
    [path, 0o600],
    [dirname(path), 0o700],
    [folder, 0o700],
  ] as const)
    expect(statSync(place).mode & 0o777).toBe(mode);
});

test('bytes can be opened only when all of them are there', async () => {
  const blobs = await openDiskBlobs({ folder: newFolder(), reserveBytes: 0 });
  const id = newId('file');
  let during: unknown = 'not asked';
  await blobs.put(
    id,
    piecesOf([5, 5], async () => {
      during = await blobs.open(id);
    }),
    10,
  );
  expect(during).toBeUndefined();
  expect((await blobs.open(id))?.destroy()).toBeDefined();
});

test('what is not there can be removed', async () => {
  const blobs = await openDiskBlobs({ folder: newFolder(), reserveBytes: 0 });
  await blobs.remove(newId('file'));
});

test('a disk with no more than its reserve takes nothing', async () => {
  const folder = newFolder();
  const { bavail, bsize } = await statfs(tmpdir());
  const blobs = await openDiskBlobs({ folder, reserveBytes: 2 * bavail * bsize });
  await expect(blobs.put(newId('file'), piecesOf([1]), 1)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  const wide = await openDiskBlobs({ folder, reserveBytes: 0 });
  await expect(wide.put(newId('file'), piecesOf([1]), 2 * bavail * bsize)).rejects.toMatchObject({
    code: 'STORAGE_FULL',
  });
  expect(await filesBelow(folder)).toEqual([]);
});

/** A file system of its own, of a megabyte, that only the processes inside see; some machines forbid such. */
const ownMounts = ['--user', '--map-root-user', '--mount'];
const canMount = spawnSync('unshare', [...ownMounts, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

test.skipIf(!canMount)('a disk that fills up midway is told as such, and is as empty as before', async () => {
  const folder = newFolder();
  const program = `
    import { mkdirSync, readdirSync, statfsSync } from 'node:fs';
    import { openDiskBlobs } from '${new URL('./disk-blobs.ts', import.meta.url)}';
    import { newId } from '${new URL('../kit/id.ts', import.meta.url)}';
    const blobs = await openDiskBlobs({ folder: process.argv[1], reserveBytes: 0 });
    const free = () => statfsSync(process.argv[1]).bavail;
    const before = free();
    async function* megabytes(count) { for (let n = 0; n < count; n++) yield Buffer.alloc(1024 ** 2, 1); }
    const id = newId('file');
    const failure = await blobs.put(id, megabytes(3), 0).catch((error) => error.code);
    await blobs.remove(id);
    const after = free();
    const small = newId('file');
    await blobs.put(small, [Buffer.from('small')], 5);
    console.log(JSON.stringify({ failure, restored: after === before, kept: (await blobs.open(small)) !== undefined }));
    process.exit(0);`;
  const script =
    'mkdir -p "$1" && mount -t tmpfs -o size=1m none "$1" && exec "$2" --input-type=module-typescript --eval "$3" "$1"';
  const { stdout } = await promisify(execFile)('unshare', [
    ...ownMounts,
    'sh',
    '-c',
    script,
    'sh',
    folder,
    process.execPath,
    program,
  ]);
  expect(JSON.parse(stdout)).toEqual({ failure: 'STORAGE_FULL', restored: true, kept: true });
});

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { filesOf, packFolder, surveyOf, unpackFolder } from './archive.ts';
import { type Entry, wholeOf } from './framing.ts';
import { packed } from './sealed-entries.ts';

const about = { about: 'vault_1' };
const manifest = { of: 'browser_1', at: 42 };
const anything = async () => undefined;

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'browserd-packed-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** With all that a page that took its Chromium over might plant. */
async function profile(): Promise<string> {
  const made = await folder();
  await mkdir(join(made, 'Default/IndexedDB/https_example.com_0.indexeddb.leveldb'), { recursive: true });
  await mkdir(join(made, 'Default/Cache'), { recursive: true });
  await writeFile(join(made, 'Default/IndexedDB/https_example.com_0.indexeddb.leveldb/000003.log'), 'rows');
  await writeFile(join(made, 'Default/Cookies'), 'cookies');
  await writeFile(join(made, 'Default/Cache/data_0'), 'cached');
  await symlink('/etc/passwd', join(made, 'Default/IndexedDB/passwd'));
  await symlink('/etc', join(made, 'Default/IndexedDB/machine'));
  execFileSync('mkfifo', [join(made, 'Default/pipe')]);
  return made;
}

const rows = 'Default/IndexedDB/https_example.com_0.indexeddb.leveldb/000003.log';

test('a folder comes back with its files and its manifest, without caches, links and pipes', async () => {
  const bytes = await wholeOf(packFolder({ manifest, files: filesOf(await profile(), 1e9) }, about));
  const to = await folder();
  const check = async (said: typeof manifest) => expect(said).toEqual(manifest);
  expect(await unpackFolder(Readable.from([bytes]), about, { folder: to, check })).toEqual(manifest);
  expect(await readFile(join(to, rows), 'utf8')).toBe('rows');
  const names = execFileSync('find', ['.', '-mindepth', '1'], { cwd: to, encoding: 'utf8' });
  expect(names.trim().split('\n').sort()).toEqual([
    './Default',
    './Default/Cookies',
    './Default/IndexedDB',
    './Default/IndexedDB/https_example.com_0.indexeddb.leveldb',
    `./${rows}`,
  ]);
});

test('one whose manifest is refused lays nothing out', async () => {
  const bytes = await wholeOf(packFolder({ manifest, files: filesOf(await profile(), 1e9) }, about));
  const to = await folder();
  const check = async () => {
    throw new Error('of a newer Chromium');
  };
  await expect(unpackFolder(Readable.from([bytes]), about, { folder: to, check })).rejects.toThrow('newer');
  expect(execFileSync('ls', ['-A', to], { encoding: 'utf8' })).toBe('');
});

test('one that is cut off, without a manifest or with files elsewhere is refused', async () => {
  const bytes = await wholeOf(packFolder({ manifest, files: filesOf(await profile(), 1e9) }, about));
  const unpack = async (from: Buffer) =>
    unpackFolder(Readable.from([from]), about, { folder: await folder(), check: anything });
  for (const end of [0, 5, bytes.length >> 1, bytes.length - 20])
    await expect(unpack(bytes.subarray(0, end))).rejects.toThrow();
  const file = (path: string): Entry => ({ head: { kind: 'file', path, size: 1 }, body: Buffer.from('x') });
  await expect(unpack(await wholeOf(packed([file('a')], about)))).rejects.toThrow('manifest');
  for (const path of ['../outside', 'a/../../outside', '/etc/x', 'a//b', '', '.', 'a\0b'])
    await expect(unpack(await wholeOf(packFolder({ manifest, files: [file(path)] }, about)))).rejects.toThrow(
      'damaged',
    );
});

test('a survey counts what would be packed, and its mark changes with what pages keep, not with cookies or caches', async () => {
  const from = await profile();
  const first = await surveyOf(from);
  expect(first?.bytes).toBe('rows'.length + 'cookies'.length);
  await writeFile(join(from, 'Default/Cookies'), 'other cookies');
  await writeFile(join(from, 'Default/Cache/data_1'), 'cached');
  expect(await surveyOf(from)).toEqual({ bytes: 'rows'.length + 'other cookies'.length, mark: first?.mark });
  await utimes(join(from, rows), 1, 1);
  expect((await surveyOf(from))?.mark).not.toBe(first?.mark);
  expect(await surveyOf(await folder())).toEqual({ bytes: 0, mark: '' });
  expect(await surveyOf(join(from, 'nowhere'))).toBeUndefined();
});

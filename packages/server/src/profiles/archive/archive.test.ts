import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import {
  contentsOf,
  filesIn,
  filesOf,
  hasSiteData,
  type ProfileData,
  packArchive,
  unpackArchive,
} from './archive.ts';
import { frame, wholeOf } from './framing.ts';

const about = { about: 'version_1' };
const data: ProfileData = {
  state: {
    cookies: [{ name: 'session', value: 'ü', domain: 'example.com', path: '/' }],
    permissions: { permissions: { midi: 'granted' }, origins: {} },
    storageIsNewer: false,
  },
  storage: [{ origin: 'https://example.com', entries: '[["token","abc"]]' }],
};
const none = async function* () {};

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'browserd-archive-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

async function profile(): Promise<string> {
  const made = await folder();
  await mkdir(join(made, 'Default/IndexedDB/https_example.com_0.indexeddb.leveldb'), { recursive: true });
  await mkdir(join(made, 'Default/Cache/Cache_Data'), { recursive: true });
  await writeFile(
    join(made, 'Default/IndexedDB/https_example.com_0.indexeddb.leveldb/000003.log'),
    'a token',
  );
  await writeFile(join(made, 'Default/IndexedDB/https_example.com_0.indexeddb.leveldb/LOCK'), '');
  await writeFile(join(made, 'Default/Cookies'), Buffer.alloc(700_000, 'c'));
  await writeFile(join(made, 'Default/empty'), '');
  await writeFile(join(made, 'Default/Cache/Cache_Data/data_0'), 'x');
  await symlink('/etc/passwd', join(made, 'Default/linked'));
  await symlink('/etc', join(made, 'Default/linked folder'));
  return made;
}

const packed = async (from = none() as AsyncGenerator<never>): Promise<Buffer> =>
  wholeOf(packArchive(data, from, about));

test('an archive gives back what was put in: state, local storage and files, without caches and links', async () => {
  const from = await profile();
  const bytes = await wholeOf(packArchive(data, filesOf(from, 1e9), about));
  expect(bytes.length).toBeLessThan(5000);
  const to = await folder();
  expect(await unpackArchive(Readable.from([bytes]), about, { folder: to })).toEqual(data);
  const log = 'Default/IndexedDB/https_example.com_0.indexeddb.leveldb/000003.log';
  expect(await readFile(join(to, log), 'utf8')).toBe('a token');
  expect(await readFile(join(to, 'Default/Cookies'))).toEqual(Buffer.alloc(700_000, 'c'));
  expect(await readFile(join(to, 'Default/empty'), 'utf8')).toBe('');
  const names = [...(await contentsOf(to, ['Default'], 1e9))!.keys()];
  expect(names).toEqual(['Cookies', 'empty']);
  expect(await hasSiteData(to)).toBe(true);
  expect(await contentsOf(to, ['Default'], 1000)).toBeUndefined();
  expect([...(await contentsOf(to, ['Default', 'Cache'], 1e9))!]).toEqual([]);
});

test('its files go into the next archive unread', async () => {
  const first = await wholeOf(packArchive(data, filesOf(await profile(), 1e9), about));
  const next = { ...data, storage: [] };
  const second = await wholeOf(packArchive(next, filesIn(Readable.from([first]), about), about));
  const to = await folder();
  expect(await unpackArchive(Readable.from([second]), about, { folder: to })).toEqual(next);
  expect((await readFile(join(to, 'Default/Cookies'))).length).toBe(700_000);
});

test('one that is cut off, wherever, is no archive', async () => {
  const whole = await packed();
  // The last bytes only say that nothing more comes.
  for (const end of [0, 3, whole.length >> 1, whole.length - 20])
    await expect(
      unpackArchive(Readable.from([whole.subarray(0, end)]), about, { folder: await folder() }),
    ).rejects.toThrow();
});

test('one that ends in order but lacks entries, or names files elsewhere, is refused', async () => {
  const { createZstdCompress } = await import('node:zlib');
  const broken = async (path: string) =>
    wholeOf(
      Readable.from(
        frame([
          { head: { kind: 'state', size: 2 }, body: Buffer.from('{}') },
          { head: { kind: 'file', path, size: 1 }, body: Buffer.from('x') },
        ]),
        { objectMode: false },
      ).pipe(createZstdCompress()),
    );
  for (const path of ['../outside', 'a/../../outside', '/etc/x', 'a//b', '', '.', 'a\0b'])
    await expect(
      unpackArchive(Readable.from([await broken(path)]), about, { folder: await folder() }),
    ).rejects.toThrow('damaged');
});

test('a file that changes its length while it is packed makes the archive fail', async () => {
  const lying = async function* () {
    yield { head: { kind: 'file', path: 'a', size: 5 }, body: Buffer.from('four') } as const;
  };
  await expect(packed(lying() as AsyncGenerator<never>)).rejects.toThrow('not as long');
});

test('what seals it stands between the bytes and everything else', async () => {
  const turned = () =>
    new PassThrough({
      transform(chunk: Buffer, _, done) {
        done(null, Buffer.from(chunk.map((byte) => byte ^ 85)));
      },
    });
  const told: string[] = [];
  const sealing = {
    sealing: (text: string) => {
      told.push(text);
      return turned();
    },
    unsealing: (text: string) => {
      told.push(text);
      return turned();
    },
  };
  const bytes = await wholeOf(packArchive(data, none(), { ...about, sealing }));
  await expect(unpackArchive(Readable.from([bytes]), about)).rejects.toThrow();
  expect(await unpackArchive(Readable.from([bytes]), { ...about, sealing })).toEqual(data);
  expect(told).toEqual(['version_1', 'version_1']);
});

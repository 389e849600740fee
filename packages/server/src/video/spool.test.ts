import { appendFile, mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSpool, readSpool } from './spool.ts';
import { lengthOf } from './timeline.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browserd-spool-'));
});
afterAll(() => rm(folder, { recursive: true }));

const pictures = [Buffer.from('first picture'), Buffer.from('second')];

async function filled(name: string): Promise<string> {
  const path = join(folder, name);
  const spool = await createSpool(path);
  // not awaited one by one: they keep their order all the same
  await Promise.all([spool.add(0.5, pictures[0]), spool.add(1000), spool.add(1200.25, pictures[1])]);
  expect(spool.pictures).toBe(2);
  await spool.close();
  return path;
}

const read = async (path: string) => Array.fromAsync(readSpool(path));

test('what was put in comes out in order, with its times', async () => {
  expect(await read(await filled('whole'))).toEqual([
    { atMs: 0.5, picture: pictures[0] },
    { atMs: 1000, picture: undefined },
    { atMs: 1200.25, picture: pictures[1] },
  ]);
});

test('a torn end is left out, wherever it was torn', async () => {
  const lastEntry = 12 + 6;
  for (let cut = 1; cut <= lastEntry; cut++) {
    const path = await filled(`torn ${cut}`);
    await truncate(path, 3 * 12 + 13 + 6 - cut);
    expect(await read(path)).toHaveLength(2);
    expect(await lengthOf(path)).toBe(1000);
  }
});

test('what is no entry ends the reading', async () => {
  const path = await filled('garbage');
  await appendFile(path, Buffer.alloc(64, 0xff));
  expect(await read(path)).toHaveLength(3);
});

test('the length is known without reading the pictures', async () => {
  expect(await lengthOf(await filled('length'))).toBe(1200);
});

test('a file that is there already is not written over', async () => {
  await expect(createSpool(await filled('taken'))).rejects.toThrow(/EEXIST/);
});

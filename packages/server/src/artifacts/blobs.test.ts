import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { newId } from '../kit/id.ts';
import { piecesOf } from './artifacts.fixture.ts';
import { storages } from './blobs.fixture.ts';
import type { Blobs, ByteRange } from './blobs.ts';

const mib = (count: number): number => count * 1024 ** 2;
const readAll = async (blobs: Blobs, id: string, range?: ByteRange): Promise<Buffer | undefined> => {
  const opened = await blobs.open(id, range);
  return opened && (await buffer(opened));
};
async function* chunksOf(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

describe.each(Object.entries(storages))('bytes in %s', (_, open) => {
  test('come back from every node, whole, in part, and as a file that is given back', async () => {
    const { one, other, left } = await open();
    const id = newId('file');
    await one.put(id, chunksOf('hello, ', '', 'world'), 0);
    for (const blobs of [one, other]) {
      expect(String(await readAll(blobs, id))).toBe('hello, world');
      expect(String(await readAll(blobs, id, { start: 7, end: 9 }))).toBe('wor');
      await using file = await blobs.borrow(id);
      expect(await readFile(file!.path, 'utf8')).toBe('hello, world');
    }
    expect(await left()).toEqual([id]);
  });

  test('may be none', async () => {
    const { one, other } = await open();
    const id = newId('file');
    await one.put(id, chunksOf(), 0);
    expect(await readAll(other, id)).toHaveLength(0);
    await using file = await other.borrow(id);
    expect(await readFile(file!.path)).toHaveLength(0);
  });

  test('may be many', async () => {
    const { one, other, left } = await open();
    const id = newId('recording');
    const hash = createHash('sha256');
    const pieces = piecesOf([mib(3), 1, mib(2), mib(5), 70_000, mib(1)]);
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces) {
        hash.update(piece);
        yield piece;
      }
    };
    await one.put(id, counted(), mib(11));
    const all = (await readAll(other, id))!;
    expect(all).toHaveLength(mib(11) + 70_001);
    expect(createHash('sha256').update(all).digest('hex')).toBe(hash.digest('hex'));
    // across the border of two parts
    const range = { start: mib(5) - 3, end: mib(5) + 2 };
    expect(await readAll(other, id, range)).toEqual(all.subarray(range.start, range.end + 1));
    expect(await left()).toEqual([id]);
  });

  test('can be opened only when all of them are there', async () => {
    const { one, other } = await open();
    const id = newId('file');
    const during: unknown[] = [];
    const pieces = piecesOf([mib(6), 5], async () => {
      during.push(await one.open(id), await other.open(id), await other.borrow(id));
    });
    await one.put(id, pieces, 0);
    expect(during).toEqual([undefined, undefined, undefined]);
    expect(await readAll(other, id)).toHaveLength(mib(6) + 5);
  });

  test('of a sender that breaks off leave nothing', async () => {
    const { one, other, left } = await open();
    for (const first of [5, 300_000, mib(6)]) {
      const id = newId('file');
      const broken = piecesOf([first, 1], () => {
        throw new Error('hung up');
      });
      await expect(one.put(id, broken, 0)).rejects.toThrow('hung up');
      expect(await other.open(id)).toBeUndefined();
    }
    expect(await left()).toEqual([]);
  });

  test('are gone for every node once one removes them, and can be removed again', async () => {
    const { one, other, left } = await open();
    const [id, kept] = [newId('file'), newId('file')];
    await one.put(id, chunksOf('a'), 1);
    await one.put(kept, chunksOf('b'), 1);
    await other.remove(id);
    for (const blobs of [one, other]) {
      expect(await blobs.open(id)).toBeUndefined();
      expect(await blobs.open(id, { start: 0, end: 0 })).toBeUndefined();
      expect(await blobs.borrow(id)).toBeUndefined();
      await blobs.remove(id);
      await blobs.clear(id);
    }
    expect(await left()).toEqual([kept]);
  });

  test('that nobody reads to the end can be removed', async () => {
    const { one, left } = await open();
    const id = newId('file');
    await one.put(id, piecesOf([mib(6)]), 0);
    const [unread, begun] = [(await one.open(id))!, (await one.open(id))!];
    await begun.iterator({ destroyOnReturn: true }).next();
    begun.destroy();
    unread.destroy();
    await one.remove(id);
    expect(await left()).toEqual([]);
  });

  test('are changed as a whole', async () => {
    const { one, other, left } = await open();
    const id = newId('version');
    await one.put(id, chunksOf('old'), 3);
    const renewed = async (path: string): Promise<boolean> => {
      await writeFile(path, 'new');
      return true;
    };
    expect(await one.rewrite(id, async () => false)).toBe(false);
    expect(String(await readAll(other, id))).toBe('old');
    expect(await one.rewrite(id, renewed)).toBe(true);
    expect(String(await readAll(other, id))).toBe('new');
    expect(await one.rewrite(newId('version'), renewed)).toBe(false);
    expect(await left()).toEqual([id]);
  });

  test('are told by the beginning of their ids', async () => {
    const { one, other } = await open();
    const versions = Array.from({ length: 3 }, () => newId('version'));
    for (const id of [...versions, newId('file')]) await one.put(id, chunksOf('x'), 1);
    expect((await Array.fromAsync(other.ids('version_'))).toSorted()).toEqual(versions.toSorted());
  });
});

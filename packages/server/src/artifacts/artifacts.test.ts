import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { filesBelow } from '../../tests/support/leaks.ts';
import { looseIds } from '../../tests/support/loose-ids.ts';
import { freshArtifacts, piecesOf } from './artifacts.fixture.ts';
import { type ArtifactRecord, fileView } from './artifacts.ts';

const kib = (count: number): number => count * 1024;

describe('a file that is added', () => {
  test('is recorded with its size, hash, type and cleaned name, and its bytes come back', async () => {
    const { artifacts, owner, aFile } = await freshArtifacts();
    const body = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(kib(300), 7)]);
    const record = await artifacts.add(aFile({ name: '../a\r\nb.pdf', mimeType: 'text/html', body }));
    expect(record).toMatchObject({
      id: expect.stringMatching(/^file_/),
      name: 'ab.pdf',
      mimeType: 'application/pdf',
      size: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
    });
    expect(await artifacts.get(owner, record.id)).toEqual(record);
    expect(await buffer((await artifacts.open(record))!)).toEqual(body);
    const range = { start: 10, end: 19 };
    expect(await buffer((await artifacts.open(record, range))!)).toEqual(body.subarray(10, 20));
    await using borrowed = await artifacts.borrowed(record, () => new Error('gone'));
    expect(await readFile(borrowed.path)).toEqual(body);
    expect(fileView(record)).toEqual({
      id: record.id,
      name: 'ab.pdf',
      size: body.length,
      mimeType: 'application/pdf',
      sha256: record.sha256,
      source: 'upload',
      createdAt: new Date(record.createdAt).toISOString(),
    });
  });

  test('may be empty, and may come in pieces of any size', async () => {
    const { artifacts, aFile } = await freshArtifacts();
    expect(await artifacts.add(aFile({ body: new Uint8Array() }))).toMatchObject({ size: 0 });
    const sizes = [1, 0, kib(700), 3];
    expect(await artifacts.add(aFile({ body: piecesOf(sizes) }))).toMatchObject({ size: kib(700) + 4 });
  });

  test('is listed among its kind, newest first, page by page', async () => {
    const { artifacts, owner, aFile } = await freshArtifacts();
    const all: ArtifactRecord[] = [];
    for (let n = 0; n < 5; n++) all.unshift(await artifacts.add(aFile({ name: `${n}` })));
    await artifacts.add(aFile({ kind: 'download', source: 'page' }));
    const files = { ...owner, kind: 'file' as const };
    const first = await artifacts.list(files, { limit: 3 });
    const second = await artifacts.list(files, { limit: 3, cursor: first.nextCursor });
    expect([first.hasMore, second.hasMore, second.nextCursor]).toEqual([true, false, undefined]);
    const seen = [...first.items, ...second.items].map(({ id }) => id);
    expect(seen.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    await expect(artifacts.list(files, { limit: 3, cursor: 'x' })).rejects.toMatchObject({
      code: 'INVALID_CURSOR',
    });
  });

  test('is gone with its bytes once it is removed, also while somebody reads it', async () => {
    const { artifacts, owner, folder, aFile } = await freshArtifacts();
    const record = await artifacts.add(aFile({ body: Buffer.alloc(kib(500), 1) }));
    const reading = (await artifacts.open(record))!;
    expect(await artifacts.remove(owner, record.id)).toBe(true);
    expect(await artifacts.remove(owner, record.id)).toBe(false);
    expect(await filesBelow(folder)).toEqual([]);
    expect(await artifacts.open(record)).toBeUndefined();
    expect(await buffer(reading)).toHaveLength(kib(500));
  });
});

describe('a file that is refused leaves nothing', () => {
  test('when it is larger than the limit, announced or not', async () => {
    const { artifacts, store, owner, folder, aFile } = await freshArtifacts();
    let touched = false;
    const pieces = piecesOf([5, 5, 5], () => {
      touched = true;
    });
    const announced = aFile({ body: pieces, limitBytes: 10, expectedBytes: 15 });
    await expect(artifacts.add(announced)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(touched).toBe(false);
    await expect(artifacts.add(aFile({ body: pieces, limitBytes: 10 }))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      details: { limitBytes: 10 },
    });
    expect(await filesBelow(folder)).toEqual([]);
    expect(await store.artifacts.usage(owner.projectId)).toBe(0);
    expect((await artifacts.add(aFile({ body: piecesOf([5, 5]), limitBytes: 10 }))).size).toBe(10);
  });

  test('when its sender breaks off', async () => {
    const { artifacts, owner, folder, aFile, restarted } = await freshArtifacts();
    const broken = piecesOf([kib(100), 1], () => {
      throw new Error('hung up');
    });
    await expect(artifacts.add(aFile({ body: broken }))).rejects.toThrow('hung up');
    expect(await filesBelow(folder)).toEqual([]);
    expect((await artifacts.list({ ...owner, kind: 'file' }, { limit: 5 })).items).toEqual([]);
    expect(await (await restarted()).sweepOrphans('this node')).toBe(0);
  });

  test('when its browser is gone by the end', async () => {
    const { artifacts, store, browser, folder, aFile } = await freshArtifacts();
    const pieces = piecesOf([1, 1], async () => {
      await store.browsers.change(browser.id, {}, { status: 'closed', closedAt: 1 });
      await store.sweep({ closedBefore: 2, idempotencyBefore: 0 });
    });
    await expect(artifacts.add(aFile({ body: pieces }))).rejects.toMatchObject({ code: 'BROWSER_NOT_FOUND' });
    expect(await filesBelow(folder)).toEqual([]);
  });
});

describe('the quota of a project', () => {
  test('is full until something is removed', async () => {
    const { artifacts, owner, folder, aFile } = await freshArtifacts(100);
    const first = await artifacts.add(aFile({ body: piecesOf([60]) }));
    const tooMuch = { code: 'QUOTA_EXCEEDED', details: { quotaBytes: 100, usedBytes: 60 } };
    await expect(artifacts.add(aFile({ body: piecesOf([41]) }))).rejects.toMatchObject(tooMuch);
    await expect(artifacts.add(aFile({ expectedBytes: 41 }))).rejects.toMatchObject(tooMuch);
    await artifacts.add(aFile({ body: piecesOf([40]) }));
    await artifacts.remove(owner, first.id);
    await artifacts.add(aFile({ body: piecesOf([60]) }));
    expect(await filesBelow(folder)).toHaveLength(2);
  });

  test('holds for all that come at once, while they come', async () => {
    const { artifacts, store, owner, folder, aFile } = await freshArtifacts(kib(100));
    const all = Promise.withResolvers<void>();
    let waiting = 0;
    const together = () => {
      if (++waiting === 8) all.resolve();
      return all.promise;
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => artifacts.add(aFile({ body: piecesOf([kib(5), kib(20)], together) }))),
    );
    const kept = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(kept.length).toBeGreaterThanOrEqual(1);
    expect(kept.length).toBeLessThanOrEqual(4);
    expect(await store.artifacts.usage(owner.projectId)).toBe(kept.length * kib(25));
    expect(await filesBelow(folder)).toHaveLength(kept.length);
  });

  test('counts what is on its way', async () => {
    const { artifacts, aFile } = await freshArtifacts(100);
    const [halfway, hanging] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = artifacts.add(
      aFile({
        body: piecesOf([60, 1], () => {
          halfway.resolve();
          return hanging.promise;
        }),
      }),
    );
    await halfway.promise;
    const second = { expectedBytes: 41 };
    await expect(artifacts.add(aFile(second))).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    await expect(artifacts.add(aFile({ body: piecesOf([41]) }))).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    hanging.resolve();
    expect((await first).size).toBe(61);
  });

  test('counts nothing of what was refused', async () => {
    const { artifacts, aFile } = await freshArtifacts(100);
    for (let n = 0; n < 5; n++)
      await expect(artifacts.add(aFile({ body: piecesOf([50, 51]) }))).rejects.toThrow();
    expect((await artifacts.add(aFile({ body: piecesOf([100]) }))).size).toBe(100);
  });
});

describe('after a kill', () => {
  test('what was being written is removed, and what was acknowledged is not', async () => {
    const { artifacts, store, folder, aFile, restarted } = await freshArtifacts();
    const kept = await artifacts.add(aFile());
    const hanging = Promise.withResolvers<void>();
    const halfway = Promise.withResolvers<void>();
    const adding = artifacts.add(
      aFile({
        body: piecesOf([kib(100), 1], () => {
          halfway.resolve();
          return hanging.promise;
        }),
      }),
    );
    await halfway.promise;
    // the same service does not take its own work for a leftover
    expect(await artifacts.sweepOrphans('this node')).toBe(0);
    expect(await filesBelow(folder)).toHaveLength(2);
    const next = await restarted();
    expect(await next.sweepOrphans('this node')).toBe(1);
    expect(await filesBelow(folder)).toEqual([kept.id]);
    hanging.resolve();
    await expect(adding).rejects.toThrow();
    expect(await looseIds(store, { nodeId: kept.nodeId, bootId: 'any' }, '', 5)).toEqual([]);
  });

  test('between bytes and record, or record and bytes, no orphan stays', async () => {
    const { artifacts, store, owner, folder, aFile, restarted } = await freshArtifacts();
    const unrecorded = await artifacts.add(aFile());
    const unremoved = await artifacts.add(aFile());
    // the record never came, or went without its bytes: the same to the store
    for (const { id } of [unrecorded, unremoved]) await store.artifacts.remove(id, owner);
    expect(await filesBelow(folder)).toHaveLength(2);
    expect(await (await restarted()).sweepOrphans('this node')).toBe(2);
    expect(await filesBelow(folder)).toEqual([]);
  });
});

test('files of a swept browser lose their bytes at the next sweep of orphans', async () => {
  const { artifacts, store, browser, folder, aFile } = await freshArtifacts();
  await Promise.all(Array.from({ length: 130 }, () => artifacts.add(aFile())));
  await store.browsers.change(browser.id, {}, { status: 'closed', closedAt: 1 });
  await store.sweep({ closedBefore: 2, idempotencyBefore: 0 });
  expect(await artifacts.sweepOrphans('this node')).toBe(130);
  expect(await filesBelow(folder)).toEqual([]);
});

test('closing waits for what is under way', async () => {
  const { artifacts, aFile } = await freshArtifacts();
  const hanging = Promise.withResolvers<void>();
  const adding = artifacts.add(aFile({ body: piecesOf([1, 1], () => hanging.promise) }));
  let closed = false;
  const closing = artifacts[Symbol.asyncDispose]().then(() => {
    closed = true;
  });
  await new Promise(setImmediate);
  expect(closed).toBe(false);
  hanging.resolve();
  await closing;
  expect(await adding).toMatchObject({ size: 2 });
});

test('a file whose content is not accepted leaves nothing', async () => {
  const { artifacts, folder, aFile } = await freshArtifacts();
  const accepts = (mimeType: string): void => {
    throw new Error(`no ${mimeType}`);
  };
  await expect(artifacts.add(aFile({ body: Buffer.from('%PDF-1.7\n'), accepts }))).rejects.toThrow(
    'no application/pdf',
  );
  expect(await filesBelow(folder)).toEqual([]);
});

import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { filesBelow } from '../../tests/support/leaks.ts';
import { freshArtifacts, piecesOf } from './artifacts.fixture.ts';

const kib = (count: number): number => count * 1024;

describe('an artifact that is listed before it has bytes', () => {
  const begun = async (quotaBytes: number | null = null) => {
    const all = await freshArtifacts(quotaBytes);
    const { artifacts, owner } = all;
    const what = { kind: 'download', state: 'inProgress', source: 'page', name: '../a.png' } as const;
    return { ...all, what, record: await artifacts.begin({ ...owner, ...what }) };
  };
  const body = () => piecesOf([kib(100), 5]);

  test('is finished with bytes, whose type, size and hash it takes', async () => {
    const { artifacts, owner, record } = await begun();
    expect(record).toMatchObject({ name: 'a.png', size: 0, sha256: '', state: 'inProgress' });
    expect((await artifacts.list({ ...owner, kind: 'download' }, { limit: 5 })).items).toEqual([record]);
    expect(await artifacts.open(record)).toBeUndefined();
    const done = await artifacts.complete(record, { body: body(), limitBytes: kib(200), state: 'completed' });
    expect(done).toMatchObject({ id: record.id, state: 'completed', size: kib(100) + 5, bootId: null });
    expect(
      createHash('sha256')
        .update(await buffer((await artifacts.open(done!))!))
        .digest('hex'),
    ).toBe(done!.sha256);
    expect(await artifacts.change(record, { state: 'failed' })).toBeUndefined();
  });

  test('is still unfinished when its bytes are too many, or break off', async () => {
    const { artifacts, owner, folder, record } = await begun(kib(50));
    const state = 'completed';
    await expect(artifacts.complete(record, { body: body(), limitBytes: 10, state })).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
    await expect(
      artifacts.complete(record, { body: body(), limitBytes: kib(200), state }),
    ).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    expect(await artifacts.get(owner, record.id)).toEqual(record);
    expect(await filesBelow(folder)).toEqual([]);
    expect(await artifacts.change(record, { state: 'failed', finished: true })).toMatchObject({
      bootId: null,
    });
  });

  test('that is removed while its bytes come leaves none', async () => {
    const { artifacts, owner, folder, record } = await begun();
    const removed = piecesOf([1, 1], async () => {
      expect(await artifacts.remove(owner, record.id)).toBe(true);
    });
    expect(
      await artifacts.complete(record, { body: removed, limitBytes: 10, state: 'completed' }),
    ).toBeUndefined();
    expect(await filesBelow(folder)).toEqual([]);
  });

  test('is the next boot’s to finish after a kill', async () => {
    const { artifacts, record, restarted } = await begun();
    expect(await artifacts.inherit()).toEqual([]);
    const next = await restarted();
    const [inherited] = await next.inherit();
    expect(inherited).toMatchObject({ id: record.id });
    expect(await artifacts.change(record, { state: 'completed' })).toBeUndefined();
    expect(await next.change(inherited!, { state: 'failed', finished: true })).toMatchObject({
      state: 'failed',
    });
  });

  test('may be counted while its bytes gather elsewhere', async () => {
    const { artifacts, owner, aFile } = await begun(100);
    const allowance = await artifacts.allowance(owner.projectId);
    allowance.take(60);
    await expect(artifacts.add(aFile({ body: piecesOf([41]) }))).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    expect(() => allowance.take(41)).toThrow('100 bytes');
    allowance.end();
    expect(await artifacts.add(aFile({ body: piecesOf([100]) }))).toMatchObject({ size: 100 });
  });
});

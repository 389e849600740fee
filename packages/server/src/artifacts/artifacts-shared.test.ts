import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../../tests/support/databases.ts';
import { filesBelow } from '../../tests/support/leaks.ts';
import { aBrowser } from '../../tests/support/samples.ts';
import { newId } from '../kit/id.ts';
import { createLog } from '../kit/log.ts';
import { piecesOf } from './artifacts.fixture.ts';
import { type NewArtifact, openArtifacts } from './artifacts.ts';
import { freshS3, newFolder } from './blobs.fixture.ts';

const folderOf = async () => {
  const folder = newFolder();
  return { settings: { blobs: folder }, left: () => filesBelow(folder) };
};
const bucketOf = async () => {
  const s3 = await freshS3();
  const { BROWSERD_BLOBS, BROWSERD_S3_ACCESS_KEY_ID, BROWSERD_S3_SECRET_ACCESS_KEY } = s3.settings();
  return {
    settings: {
      blobs: BROWSERD_BLOBS ?? null,
      s3AccessKeyId: BROWSERD_S3_ACCESS_KEY_ID ?? null,
      s3SecretAccessKey: BROWSERD_S3_SECRET_ACCESS_KEY ?? null,
    },
    left: async () => [...s3.objects.keys(), ...s3.begun()].map((key) => key.split('/').at(-1) ?? ''),
  };
};

describe.each([
  ['a folder', folderOf],
  ['a bucket', bucketOf],
])('nodes that share %s', (_, storageOf) => {
  const twoNodes = async () => {
    const { settings, left } = await storageOf();
    const database = await freshDatabase('sqlite');
    const store = await database.open();
    const { id: projectId } = await store.projects.ensure('default');
    const browser = aBrowser({ projectId });
    await store.browsers.insert(browser, []);
    const start = async (id: string) => {
      const bootId = newId('node');
      await store.nodes.boot({ id, bootId, startedAt: 1, heartbeatAt: Date.now() });
      const config = {
        ...{ dataDir: newFolder(), storageReserve: 0, storageQuota: null },
        ...{ s3AccessKeyId: null, s3SecretAccessKey: null, s3SessionToken: null, ...settings },
      };
      const log = createLog('silent', new Writable());
      const artifacts = await openArtifacts({ config, store, log, node: { id, bootId } });
      onTestFinished(() => artifacts[Symbol.asyncDispose]());
      return { artifacts, bootId };
    };
    const owner = { projectId, browserId: browser.id };
    const aFile = (body: NewArtifact['body'] = Buffer.from('hello')): NewArtifact => ({
      ...{ ...owner, kind: 'file', source: 'upload', name: 'a.txt', body, limitBytes: 1024 ** 3 },
    });
    const days = (count: number): void => {
      using opened = new DatabaseSync(join(database.folder, 'test.sqlite'));
      opened.prepare('update loose_blobs set swept_at = swept_at - ?').run(count * 86_400_000);
    };
    return {
      store,
      owner,
      aFile,
      left,
      days,
      one: await start('node_1'),
      other: await start('node_2'),
      start,
    };
  };

  test('read and remove what each of them was given', async () => {
    const { owner, aFile, left, one, other } = await twoNodes();
    const record = await one.artifacts.add(aFile());
    expect(record.nodeId).toBe('shared');
    expect(String(await buffer((await other.artifacts.open(record))!))).toBe('hello');
    expect(await other.artifacts.remove(owner, record.id)).toBe(true);
    expect(await left()).toEqual([]);
    expect(await one.artifacts.open(record)).toBeUndefined();
    expect(await one.artifacts.sweepOrphans('all nodes')).toBe(0);
  });

  test('finish what they began, with bytes where all find them', async () => {
    const { owner, one, other } = await twoNodes();
    const begun = await one.artifacts.begin({
      ...{ ...owner, kind: 'download', state: 'inProgress', source: 'page', name: 'a.bin' },
    });
    // its node takes it up again after a kill
    expect(begun.nodeId).toBe('node_1');
    const made = await one.artifacts.complete(begun, {
      ...{ body: piecesOf([100]), limitBytes: 1000, state: 'completed' },
    });
    expect(made).toMatchObject({ nodeId: 'shared', size: 100 });
    expect(await buffer((await other.artifacts.open(made!))!)).toHaveLength(100);
  });

  test('sweep what a browser left behind, once and for all', async () => {
    const { store, owner, aFile, left, one, other } = await twoNodes();
    const record = await one.artifacts.add(aFile());
    await store.artifacts.remove(record.id, owner);
    expect(await left()).toEqual([record.id]);
    expect(await other.artifacts.sweepOrphans('all nodes')).toBe(1);
    expect([await left(), await one.artifacts.sweepOrphans('all nodes')]).toEqual([[], 0]);
  });

  test('leave alone what one that is alive is writing, and nothing counts of one that was declared gone', async () => {
    const { store, owner, aFile, left, days, one, other } = await twoNodes();
    const reading = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const body = piecesOf([1000, 5], async () => {
      reading.resolve();
      await goOn.promise;
    });
    const late = one.artifacts.add(aFile(body));
    await reading.promise;
    expect(await other.artifacts.sweepOrphans('all nodes')).toBe(0);
    await store.nodes.bury(one.bootId, 'lease', 0);
    expect(await other.artifacts.sweepOrphans('all nodes')).toBe(1);
    goOn.resolve();
    // a folder refuses what is gone from under it, a bucket takes it: no record comes of either
    await expect(late).rejects.toThrow();
    expect((await other.artifacts.list({ ...owner, kind: 'file' }, { limit: 5 })).items).toEqual([]);
    expect(await store.artifacts.usage(owner.projectId)).toBe(0);
    days(2);
    await other.artifacts.sweepOrphans('all nodes');
    expect(await left()).toEqual([]);
    expect(await other.artifacts.sweepOrphans('all nodes')).toBe(0);
  });

  test('sweep what one was writing when it was killed, when its node is back', async () => {
    const { aFile, left, one, other, start } = await twoNodes();
    const kept = await one.artifacts.add(aFile());
    const reading = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const hanging = one.artifacts.add(
      aFile(
        piecesOf([1000, 5], () => {
          reading.resolve();
          return end.promise;
        }),
      ),
    );
    await reading.promise;
    const next = await start('node_1');
    expect(await next.artifacts.sweepOrphans('all nodes')).toBe(1);
    end.reject(new Error('killed'));
    await expect(hanging).rejects.toThrow();
    expect(await left()).toEqual([kept.id]);
    expect(await buffer((await other.artifacts.open(kept))!)).toHaveLength(5);
  });
});

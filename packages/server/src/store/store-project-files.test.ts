import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { looseIds } from '../../tests/support/loose-ids.ts';
import { newId } from '../kit/id.ts';
import type { ProjectFileRecord } from './records.ts';

const noQuota = { quotaBytes: null };
const here = { nodeId: 'node_1', bootId: 'boot' };

describe.each(databases)('files of a project on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const store = await database.open();
    const { id: projectId } = await store.projects.ensure('default');
    const aFile = (fields: Partial<ProjectFileRecord> = {}): ProjectFileRecord => ({
      id: newId('file'),
      projectId,
      nodeId: here.nodeId,
      jobId: null,
      source: 'upload',
      name: 'a.txt',
      mimeType: 'text/plain',
      size: 10,
      sha256: 'ab',
      createdAt: 1,
      expiresAt: null,
      ...fields,
    });
    return { store, files: store.projectFiles, projectId, aFile };
  };

  test('are found with every field in their project alone, newest first', async () => {
    const { store, files, projectId, aFile } = await fresh();
    const [older, newer] = [aFile({ source: 'pdf' }), aFile({ createdAt: 2, jobId: 'job_1', expiresAt: 99 })];
    for (const each of [older, newer]) expect(await files.insert([each], noQuota)).toBe('inserted');
    expect(await files.get(newer.id, { projectId, now: 50 })).toEqual(newer);
    expect(await files.list({ projectId, now: 50, limit: 10 })).toEqual([newer, older]);
    expect(await files.list({ projectId, now: 50, limit: 10, after: newer })).toEqual([older]);
    expect(await files.list({ projectId, now: 50, limit: 10, jobId: 'job_1' })).toEqual([newer]);
    expect(await files.list({ projectId, now: 50, limit: 10, source: 'pdf' })).toEqual([older]);
    const { id: other } = await store.projects.ensure('other');
    expect(await files.get(older.id, { projectId: other, now: 50 })).toBeUndefined();
    expect(await files.list({ projectId: other, now: 50, limit: 10 })).toEqual([]);
    expect(await files.remove(older.id, other)).toBe(false);
  });

  test('have a quota, also of those that come at the same time', async () => {
    const { store, files, projectId, aFile } = await fresh();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => files.insert([aFile()], { quotaBytes: 25 })),
    );
    expect(outcomes.toSorted()).toEqual(['inserted', 'inserted', ...Array(4).fill('overQuota')]);
    expect(await store.artifacts.usage(projectId)).toBe(20);
  });

  test('of one answer come all or none, and are noted with its Idempotency-Key', async () => {
    const { store, files, projectId, aFile } = await fresh();
    const { bootId } = here;
    const claim = { projectId, key: 'a key', fingerprint: 'x', bootId, createdAt: 1 };
    await store.idempotency.claim(claim, 1000);
    const [one, two] = [aFile(), aFile()];
    const over = { quotaBytes: 15, idempotency: { key: 'a key', bootId } };
    expect(await files.insert([one, two], over)).toBe('overQuota');
    expect(await files.list({ projectId, now: 1, limit: 10 })).toEqual([]);
    expect(await files.insert([one, two], { ...over, quotaBytes: 20 })).toBe('inserted');
    expect(await store.idempotency.get(projectId, 'a key')).toMatchObject({
      resourceId: `${one.id} ${two.id}`,
    });
    // taken over by another boot meanwhile: that one makes its own
    const late = { quotaBytes: null, idempotency: { key: 'a key', bootId: 'boot of old' } };
    await expect(files.insert([aFile()], late)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await store.artifacts.usage(projectId)).toBe(20);
  });

  test('leave loose bytes and room when they are deleted, once', async () => {
    const { store, files, projectId, aFile } = await fresh();
    const file = aFile();
    await store.artifacts.announce(file.id, here);
    await files.insert([file], noQuota);
    expect(await looseIds(store, { ...here, bootId: 'next' }, '', 10)).toEqual([]);
    const removals = await Promise.all([files.remove(file.id, projectId), files.remove(file.id, projectId)]);
    expect(removals.toSorted()).toEqual([false, true]);
    expect(await looseIds(store, here, '', 10)).toEqual([file.id]);
    expect(await store.artifacts.usage(projectId)).toBe(0);
  });

  test('are not there from the moment at which their time is over, before they are swept', async () => {
    const { store, files, projectId, aFile } = await fresh();
    const [short, long, forever] = [aFile({ expiresAt: 100 }), aFile({ expiresAt: 200 }), aFile()];
    for (const each of [short, long, forever]) await files.insert([each], noQuota);
    expect(await files.get(short.id, { projectId, now: 99 })).toEqual(short);
    expect(await files.get(short.id, { projectId, now: 100 })).toBeUndefined();
    const left = (await files.list({ projectId, now: 100, limit: 10 })).map(({ id }) => id);
    expect(left.toSorted()).toEqual([long.id, forever.id].toSorted());
    expect(await files.removeExpired(100, 10)).toBe(1);
    expect(await files.removeExpired(100, 10)).toBe(0);
    expect(await looseIds(store, here, '', 10)).toEqual([short.id]);
    expect(await store.artifacts.usage(projectId)).toBe(20);
  });

  test('go with the job that made them, batch by batch, and no others', async () => {
    const { store, files, projectId, aFile } = await fresh();
    const made = Array.from({ length: 5 }, () => aFile({ jobId: 'job_1' }));
    const others = [aFile(), aFile({ jobId: 'job_2' })];
    for (const each of [...made, ...others]) await files.insert([each], noQuota);
    expect(await files.removeOfJob('job_1', 'project_other', 3)).toEqual([]);
    const first = await files.removeOfJob('job_1', projectId, 3);
    const second = await files.removeOfJob('job_1', projectId, 3);
    expect([first.length, second.length]).toEqual([3, 2]);
    expect([...first, ...second].toSorted()).toEqual(made.map(({ id }) => id).toSorted());
    expect(await files.removeOfJob('job_1', projectId, 3)).toEqual([]);
    expect(await store.artifacts.usage(projectId)).toBe(20);
  });
});

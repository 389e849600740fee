import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { freshArtifacts, piecesOf } from '../artifacts/artifacts.fixture.ts';
import { type NewProjectFile, ProjectFiles } from './files.ts';

const fresh = async (quotaBytes: number | null = null) => {
  const { store, owner, folder, artifacts, restarted } = await freshArtifacts(quotaBytes);
  const open = (bytes: typeof artifacts.bytes) =>
    new ProjectFiles({ store, bytes, bootId: 'boot', limitBytes: 1000 });
  const files = open(artifacts.bytes);
  const { projectId } = owner;
  const aFile = (fields: Partial<NewProjectFile> = {}): NewProjectFile => ({
    projectId,
    name: 'a.txt',
    source: 'upload',
    content: Buffer.from('hello'),
    ...fields,
  });
  const onDisk = async () =>
    (await readdir(folder, { recursive: true })).filter((name) => /file_/.test(name));
  return { store, files, projectId, artifacts, restarted, aFile, onDisk };
};

const text = async (opened: AsyncIterable<Uint8Array> | undefined) =>
  opened && Buffer.concat(await Array.fromAsync(opened)).toString();

describe('files of a project', () => {
  test('are kept with a clean name and the type of their content, and read in parts', async () => {
    const { files, projectId, aFile } = await fresh();
    const record = await files.add(aFile({ name: '../x/page.html', mimeType: 'text/html' }));
    expect(record).toMatchObject({ name: 'page.html', mimeType: 'text/html', size: 5, jobId: null });
    expect(await files.get(projectId, record.id)).toEqual(record);
    expect(await text(await files.open(record))).toBe('hello');
    expect(await text(await files.open(record, { start: 1, end: 3 }))).toBe('ell');
    const read = await files.read(projectId, record.id, 5);
    expect(read).toEqual({ record, bytes: Buffer.from('hello') });
  });

  test('are refused as a whole when a reader can take less, and when there is none', async () => {
    const { files, projectId, aFile } = await fresh();
    const { id } = await files.add(aFile());
    await expect(files.read(projectId, id, 4)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringContaining('has 5 bytes'),
    });
    await expect(files.read('project_other', id, 5)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  test('leave nothing when they are too large, over the quota, or their sender breaks off', async () => {
    const { store, files, projectId, aFile, onDisk } = await fresh(700);
    await expect(files.add(aFile({ content: piecesOf([400, 400]) }))).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    await expect(files.add(aFile({ content: Buffer.alloc(0), expectedBytes: 1001 }))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
    const broken = piecesOf([10, 10], () => Promise.reject(new Error('the caller hung up')));
    await expect(files.add(aFile({ content: broken }))).rejects.toThrow('the caller hung up');
    expect(await onDisk()).toEqual([]);
    expect(await store.artifacts.usage(projectId)).toBe(0);
  });

  test('that are deleted are gone from the disk, while a reader reads on to the end', async () => {
    const { files, projectId, aFile, onDisk } = await fresh();
    const record = await files.add(aFile());
    const opened = await files.open(record);
    expect(await files.remove(projectId, record.id)).toBe(true);
    expect(await onDisk()).toEqual([]);
    expect(await text(opened)).toBe('hello');
    expect(await files.open(record)).toBeUndefined();
    expect(await files.remove(projectId, record.id)).toBe(false);
  });

  test('whose time is over are not there, and a sweep frees their bytes', async () => {
    const { files, projectId, artifacts, aFile, onDisk } = await fresh();
    const over = await files.add(aFile({ expiresAt: Date.now() - 1 }));
    const kept = await files.add(aFile({ expiresAt: Date.now() + 3_600_000 }));
    expect(await files.get(projectId, over.id)).toBeUndefined();
    expect((await files.list(projectId, { limit: 10 })).items.map(({ id }) => id)).toEqual([kept.id]);
    expect(await files.sweepExpired()).toBe(1);
    expect(await artifacts.sweepOrphans('this node')).toBe(1);
    expect(await onDisk()).toHaveLength(1);
  });

  test('of a job go with it', async () => {
    const { files, projectId, aFile, onDisk } = await fresh();
    for (let made = 0; made < 3; made++) await files.add(aFile({ jobId: 'job_1' }));
    const other = await files.add(aFile());
    expect(await files.removeOfJob(projectId, 'job_1')).toBe(3);
    expect(await onDisk()).toHaveLength(1);
    expect(await files.get(projectId, other.id)).toEqual(other);
  });
});

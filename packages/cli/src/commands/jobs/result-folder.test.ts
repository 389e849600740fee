import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { api } from '@browserd/sdk';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Entry, indexName, prepareFolder, ResultFolder } from './result-folder.ts';

let path: string;
beforeEach(async () => {
  const home = await mkdtemp(join(tmpdir(), 'browserd-results-'));
  onTestFinished(() => rm(home, { recursive: true }));
  path = join(home, 'new', 'pages');
});

const job = { id: 'job_1', url: 'https://e.test/' } as api.Job;
const result = (seq: number, url = `https://e.test/${seq}`, more: object = {}): api.JobResult => ({
  ...{ seq, index: seq - 1, url, finalUrl: url, statusCode: 200, status: 'done', depth: 0, foundOn: null },
  ...{ source: null, attempts: 1, fromCache: false, error: null, finishedAt: '2026-01-01T00:00:00.000Z' },
  ...more,
});
const page = (text: string) => ({ ending: 'md', content: [Buffer.from(text)] });
const index = async (): Promise<Entry[]> =>
  (await readFile(join(path, indexName), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('each page is a file, and each result a line of the index, also one that gave nothing', async () => {
  await prepareFolder(path);
  const error = { code: 'NAVIGATION_FAILED', message: 'no' };
  await using folder = await ResultFolder.open(path, job);
  expect(await folder.add(result(1), page('one'))).toBe('1.md');
  expect(await folder.add(result(2, undefined, { status: 'failed', error }), undefined)).toBe(null);
  expect(await readFile(join(path, '1.md'), 'utf8')).toBe('one');
  expect(await index()).toMatchObject([
    { jobId: 'job_1', seq: 1, url: 'https://e.test/1', file: '1.md', error: null },
    { seq: 2, status: 'failed', file: null, error },
  ]);
});

test('a later run goes on behind the last line, also when that was only half written', async () => {
  {
    await using folder = await ResultFolder.open(path, job);
    await folder.add(result(1), page('one'));
    await folder.add(result(2), page('two'));
  }
  await appendFile(join(path, indexName), '{"jobId":"job_1","seq":3,"url":"htt');
  await using again = await ResultFolder.open(path, job);
  expect(again.lastSeq).toBe(2);
  await again.add(result(3), page('three'));
  expect((await index()).map(({ seq, file }) => [seq, file])).toEqual([
    [1, '1.md'],
    [2, '2.md'],
    [3, '3.md'],
  ]);
});

test('files that were there before are left alone, the index of a page called like it too', async () => {
  await prepareFolder(path);
  await writeFile(join(path, 'notes.md'), 'mine');
  await using folder = await ResultFolder.open(path, job);
  const name = await folder.add(result(1, 'https://e.test/notes'), page('theirs'));
  expect(name).toMatch(/^notes-\w{8}\.md$/);
  expect(await readFile(join(path, 'notes.md'), 'utf8')).toBe('mine');
});

test('a page that cannot be written whole leaves neither a file nor a line', async () => {
  await using folder = await ResultFolder.open(path, job);
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half');
    throw new Error('the line broke');
  }
  await expect(folder.add(result(1), { ending: 'png', content: broken() })).rejects.toThrow('the line broke');
  expect(await readdir(path)).toEqual([indexName]);
  expect(folder.lastSeq).toBe(0);
});

test('the folder of another job, or with another index, is refused', async () => {
  {
    await using folder = await ResultFolder.open(path, job);
    await folder.add(result(1), page('one'));
  }
  await expect(prepareFolder(path)).rejects.toThrow('has the results of a job already (job_1)');
  await expect(ResultFolder.open(path, { ...job, id: 'job_2' })).rejects.toThrow('of job_1, not of job_2');
  await writeFile(join(path, indexName), 'not\nan\nindex\n');
  await expect(ResultFolder.open(path, job)).rejects.toThrow('is not the index of a job');
});

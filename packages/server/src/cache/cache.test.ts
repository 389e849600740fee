import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { freshArtifacts } from '../artifacts/artifacts.fixture.ts';
import { createLog } from '../kit/log.ts';
import { openSealing } from '../sealing/sealing.ts';
import { AnswerCache } from './cache.ts';
import { canonical } from './canonical.ts';

const hour = 3_600_000;
const answer = (text: string) => ({ about: { visit: { statusCode: 200 } }, content: Buffer.from(text) });

const fresh = async ({ mostBytes = 1024 ** 2, keepMs = hour, quotaBytes = null as number | null } = {}) => {
  const { store, owner, folder, artifacts, restarted } = await freshArtifacts(quotaBytes);
  const sealing = openSealing({ secretKey: [Buffer.alloc(32, 7).toString('base64')], dataDir: folder });
  const log = createLog('silent', new Writable());
  const open = (bytes = artifacts.bytes) =>
    new AnswerCache({ store, bytes, sealing, log, mostBytes, keepMs });
  const files = async () =>
    (await readdir(folder, { recursive: true })).filter((path) => /answer_/.test(path));
  return { store, projectId: owner.projectId, folder, cache: open(), open, files, restarted };
};

test('an answer is found again as it was, by whatever process has the same database', async () => {
  const { cache, open, projectId } = await fresh();
  const key = await cache.keyOf(projectId, 'scrape', { url: 'https://example.com', format: 'text' });
  expect(key).toBe(await open().keyOf(projectId, 'scrape', { format: 'text', url: 'https://example.com' }));
  expect(await cache.keep(projectId, key, answer('text'))).toBe(true);
  expect(await open().find(projectId, key)).toMatchObject(answer('text'));
  expect(await open().find('project_other', key)).toBeUndefined();
  expect(await cache.find(projectId, await cache.keyOf('other'))).toBeUndefined();
});

test('requests are the same when their fields are, whatever their order', () => {
  const written = (value: unknown) => [...canonical(value)].join('');
  expect(written({ b: [1, { d: null, c: undefined }], a: 'x' })).toBe(
    written({ a: 'x', b: [1, { d: null }] }),
  );
  const different = [
    { a: [1, 2] },
    { a: [12] },
    { a: [[1], 2] },
    { a: '1,2' },
    { a: { b: 1 }, c: 2 },
    { a: { b: 1, c: 2 } },
  ];
  expect(new Set(different.map(written)).size).toBe(different.length);
});

test('one whose bytes are damaged or gone is none, and leaves nothing', async () => {
  const { cache, projectId, folder, files } = await fresh();
  for (const harm of [
    (path: string) => truncate(path, 100),
    (path: string) => writeFile(path, 'not sealed'),
  ]) {
    await cache.keep(projectId, 'key', answer('text'));
    const [path = ''] = await files();
    await harm(join(folder, path));
    expect(await cache.find(projectId, 'key')).toBeUndefined();
    expect(await files()).toEqual([]);
  }
});

test('what does not fit is not kept, and none is where nothing may be', async () => {
  const { cache, projectId, files } = await fresh({ mostBytes: 1000 });
  expect(await cache.keep(projectId, 'a', answer('x'.repeat(1001)))).toBe(false);
  const off = await fresh({ mostBytes: 0 });
  expect(await off.cache.keep(off.projectId, 'a', answer('x'))).toBe(false);
  expect([...(await files()), ...(await off.files())]).toEqual([]);
});

test('a project that is at its quota has its answers kept all the same', async () => {
  const { cache, projectId, store } = await fresh({ quotaBytes: 0 });
  expect(await cache.keep(projectId, 'a', answer('text'))).toBe(true);
  expect(await store.artifacts.usage(projectId)).toBe(0);
});

test('those whose time is over are swept, and so are bytes that a killed service was writing', async () => {
  const { cache, projectId, files, restarted, open } = await fresh({ keepMs: -1 });
  await cache.keep(projectId, 'a', answer('text'));
  expect(await files()).toHaveLength(1);
  expect(await cache.sweep()).toBe(1);
  expect(await files()).toEqual([]);
  // Written, but killed before the row was: the next boot knows of it.
  const before = await restarted();
  await before.bytes.takeIn('answer_lost', projectId, {
    body: Buffer.from('x'),
    limitBytes: 10,
    uncounted: true,
  });
  expect(await files()).toHaveLength(1);
  const after = await restarted();
  expect(await after.sweepOrphans('this node')).toBe(1);
  expect(await files()).toEqual([]);
  expect(await open(after.bytes).find(projectId, 'a')).toBeUndefined();
});

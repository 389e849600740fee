import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { named } from '../support/file-client.ts';
import { makeKey } from '../support/keys.ts';
import { filesBelow } from '../support/leaks.ts';
import { fetchFile, projectFile, uploadToProject } from '../support/project-file-client.ts';
import { eventually, makeFolders, spawnServer, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let api: Api;

beforeAll(async () => {
  server = await startServer({ BROWSERD_UPLOAD_LIMIT: '1MiB', BROWSERD_IDEMPOTENCY_RETENTION: '2s' });
  api = server.api;
});
afterAll(() => server[Symbol.asyncDispose]());

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const blobs = (of: { dataDir: string } = server) => filesBelow(join(of.dataDir, 'blobs'));

describe('a file of the project', () => {
  test('is uploaded, listed, described, fetched whole and in part, and deleted, without any browser', async () => {
    const body = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(50_000)]);
    const created = await uploadToProject(api, named('../Rechnung März.pdf'), { body });
    const file = created.body;
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(projectFile(file.id));
    expect(file).toMatchObject({
      name: 'Rechnung März.pdf',
      size: body.length,
      mimeType: 'application/pdf',
      sha256: sha256(body),
      source: 'upload',
      jobId: null,
      expiresAt: null,
    });
    expect((await api.call('GET', projectFile(file.id))).body).toEqual(file);
    expect((await api.call('GET', '/v1/files')).body.items).toContainEqual(file);

    const whole = await fetchFile(api, file.id);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/pdf',
      etag: `"${sha256(body)}"`,
      'content-disposition': expect.stringContaining('attachment'),
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
    });
    expect(Buffer.from(await whole.arrayBuffer()).equals(body)).toBe(true);
    const part = await fetchFile(api, file.id, { headers: { range: 'bytes=9-18' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 9-18/${body.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(body.subarray(9, 19))).toBe(true);
    const same = await fetchFile(api, file.id, { headers: { 'if-none-match': `"${file.sha256}"` } });
    expect(same.status).toBe(304);

    expect((await api.call('DELETE', projectFile(file.id))).body).toEqual({ id: file.id, deleted: true });
    expect(await blobs()).not.toContain(file.id);
    for (const answer of [
      await api.call('GET', projectFile(file.id)),
      await api.call('GET', projectFile(file.id, '/content')),
      await api.call('DELETE', projectFile(file.id)),
      await api.call('GET', projectFile('file_x')),
    ])
      expect([answer.status, answer.body.error.code]).toEqual([404, 'FILE_NOT_FOUND']);
  });

  test('comes as a form, too, and is as large as the operator allows', async () => {
    const form = new FormData();
    form.set('file', new Blob(['a,b'], { type: 'text/csv' }), 'table.csv');
    const { body: file } = await uploadToProject(api, '', { body: form });
    expect(file).toMatchObject({ name: 'table.csv', mimeType: 'text/csv', size: 3 });
    const before = await blobs();
    const large = new Uint8Array(1024 ** 2 + 1);
    async function* streamed() {
      for (let at = 0; at < large.length; at += 65_536) yield large.subarray(at, at + 65_536);
    }
    for (const body of [large, streamed()])
      expect(await uploadToProject(api, named('large'), { body })).toMatchObject({
        status: 413,
        body: { error: { code: 'PAYLOAD_TOO_LARGE' } },
      });
    expect(await uploadToProject(api, '', { body: 'x' })).toMatchObject({
      status: 400,
      body: { error: { details: { issues: [{ path: 'name' }] } } },
    });
    expect(await blobs()).toEqual(before);
  });

  test('is in no other project', async () => {
    const { body: file } = await uploadToProject(api, named('mine'), { body: 'mine' });
    const other = api.as(await makeKey(server.dataDir, { project: 'other' }));
    for (const answer of [
      await other.call('GET', projectFile(file.id)),
      await other.call('GET', projectFile(file.id, '/content')),
      await other.call('POST', projectFile(file.id, '/address')),
      await other.call('DELETE', projectFile(file.id)),
    ])
      expect([answer.status, answer.body.error.code]).toEqual([404, 'FILE_NOT_FOUND']);
    expect((await other.call('GET', '/v1/files')).body.items).toEqual([]);
    expect(await (await fetchFile(api, file.id)).text()).toBe('mine');
  });

  test('is listed page by page, while others come', async () => {
    const pager = api.as(await makeKey(server.dataDir, { project: 'pages' }));
    const made: string[] = [];
    const add = async () => {
      const { body } = await uploadToProject(pager, named('x'), { body: 'x' });
      made.unshift(body.id);
    };
    for (let n = 0; n < 5; n++) await add();
    const wanted = [...made];
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await pager.call('GET', `/v1/files?limit=2${cursor}`);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      await add();
      if (!body.nextCursor) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual(wanted);
    expect((await pager.call('GET', '/v1/files?cursor=x')).body.error.code).toBe('INVALID_CURSOR');
  });

  test('that was given a time is gone when it is over, its bytes too', async () => {
    const { body: brief } = await uploadToProject(api, `${named('brief')}&ttlSeconds=2`, { body: 'brief' });
    const { body: long } = await uploadToProject(api, `${named('long')}&ttlSeconds=3600`, { body: 'long' });
    expect(Date.parse(brief.expiresAt) - Date.parse(brief.createdAt)).toBe(2000);
    const gone = await eventually(
      () => api.call('GET', projectFile(brief.id)),
      ({ status }) => status === 404,
    );
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(brief.expiresAt));
    expect(gone.body.error.code).toBe('FILE_NOT_FOUND');
    await eventually(blobs, (names) => !names.includes(brief.id));
    expect((await api.call('GET', projectFile(long.id))).status).toBe(200);
    for (const wrong of ['0', '-1', '1.5', 'soon', '999999999'])
      expect(
        (await uploadToProject(api, `${named('x')}&ttlSeconds=${wrong}`, { body: 'x' })).body.error.code,
      ).toBe('VALIDATION_FAILED');
  });
});

test('files of the project count into its quota together with those of its browsers', async () => {
  await using own = await startServer({ BROWSERD_STORAGE_QUOTA: '1MiB' });
  const half = new Uint8Array(600 * 1024);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => uploadToProject(own.api, named('half'), { body: half })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 413, 413, 413]);
  expect(await blobs(own)).toHaveLength(1);
  const kept = answers.find(({ status }) => status === 201)?.body.id;
  await own.api.call('DELETE', projectFile(kept));
  expect((await uploadToProject(own.api, named('half'), { body: half })).status).toBe(201);
});

test('a kill during an upload leaves no bytes, and what was answered is there', async () => {
  await using folders = await makeFolders();
  const first = await spawnServer(folders.env);
  const { body: kept } = await uploadToProject(first.api, named('kept'), { body: 'kept' });
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  async function* endless() {
    for (;;) {
      yield new Uint8Array(65_536);
      if ((await blobs(folders)).length > 1) resolve();
      await new Promise((later) => setTimeout(later, 10));
    }
  }
  const cut = uploadToProject(first.api, named('cut'), { body: endless() }).catch(() => 'cut');
  await begun;
  first.child.kill('SIGKILL');
  await first.exited;
  expect(await cut).toBe('cut');
  const second = await spawnServer(folders.env);
  await eventually(
    () => blobs(folders),
    (names) => names.length === 1,
  );
  expect(await (await fetchFile(second.api, kept.id)).text()).toBe('kept');
  second.child.kill('SIGTERM');
  await second.exited;
});

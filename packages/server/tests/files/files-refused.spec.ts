import { randomBytes } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { contentPath, download, named, upload } from '../support/file-client.ts';
import { makeKey } from '../support/keys.ts';
import { filesBelow } from '../support/leaks.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let api: Api;
let browserId: string;

beforeAll(async () => {
  server = await startServer({
    BROWSERD_UPLOAD_LIMIT: '5MiB',
    BROWSERD_STORAGE_QUOTA: '19MiB',
  });
  api = server.api;
  browserId = (await api.create()).body.id;
  // files need no process
  await api.stop(browserId);
});
afterAll(() => server[Symbol.asyncDispose]());

const files = (id = browserId): string => `/v1/browsers/${id}/files`;
const blobs = (): Promise<string[]> => filesBelow(join(server.dataDir, 'blobs'));

describe('a file is refused', () => {
  test('that is larger than the limit, announced or streamed', async () => {
    const big = randomBytes(6 * 1024 ** 2);
    async function* chunks() {
      for (let from = 0; from < big.length; from += 65_536) yield big.subarray(from, from + 65_536);
    }
    for (const body of [big, chunks()])
      expect(await upload(api, browserId, named('big'), { body })).toMatchObject({
        status: 413,
        body: { error: { code: 'PAYLOAD_TOO_LARGE', details: { limitBytes: 5 * 1024 ** 2 } } },
      });
  });

  test('once the project is full, until something is deleted', async () => {
    const body = randomBytes(4 * 1024 ** 2);
    const kept: string[] = [];
    let last: Awaited<ReturnType<typeof upload>>;
    for (;;) {
      last = await upload(api, browserId, named('part'), { body });
      if (last.status !== 201) break;
      kept.push(last.body.id);
    }
    expect(kept).toHaveLength(4);
    expect(last).toMatchObject({
      status: 413,
      body: {
        error: { code: 'QUOTA_EXCEEDED', nextStep: 'reduce_size', details: { quotaBytes: 19 * 1024 ** 2 } },
      },
    });
    await api.call('DELETE', `${files()}/${kept[0]}`);
    expect((await upload(api, browserId, named('part'), { body })).status).toBe(201);
    const { body: page } = await api.call('GET', `${files()}?limit=100`);
    for (const { id, name } of page.items) if (name === 'part') await api.call('DELETE', `${files()}/${id}`);
  });

  test('whose sender hangs up, and nothing of it stays', async () => {
    const before = await blobs();
    const hangUp = new AbortController();
    const halfway = Promise.withResolvers<void>();
    async function* chunks() {
      yield randomBytes(200_000);
      halfway.resolve();
      await new Promise(() => undefined);
    }
    const path = api.url + files() + named('half');
    const sending = fetch(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.key}` },
      body: chunks() as unknown as RequestInit['body'],
      duplex: 'half',
      signal: hangUp.signal,
    } as RequestInit);
    await halfway.promise;
    await expect.poll(async () => (await blobs()).length).toBe(before.length + 1);
    hangUp.abort();
    await expect(sending).rejects.toThrow();
    await expect.poll(blobs).toEqual(before);
    const { body } = await api.call('GET', `${files()}?limit=100`);
    expect(body.items.map(({ name }: { name: string }) => name)).not.toContain('half');
  });

  test('by a browser that is closed, which still hands out what it has', async () => {
    const { id } = (await api.create()).body;
    const { body: file } = await upload(api, id, named('kept.txt'), { body: 'kept' });
    await api.remove(id);
    expect(await upload(api, id, named('late.txt'), { body: 'late' })).toMatchObject({
      status: 409,
      body: {
        error: { code: 'BROWSER_NOT_READY', nextStep: 'create_browser', details: { status: 'closed' } },
      },
    });
    expect((await api.call('GET', files(id))).body.items).toEqual([file]);
    expect(await (await download(api, id, file.id)).text()).toBe('kept');
    expect((await api.call('DELETE', `${files(id)}/${file.id}`)).status).toBe(200);
  });
});

describe('somebody else’s file', () => {
  test('is not found, whatever is asked of it', async () => {
    const { body: file } = await upload(api, browserId, named('secret.txt'), { body: 'secret' });
    const stranger = api.as(await makeKey(server.dataDir, { project: 'stranger' }));
    for (const [method, path] of [
      ['GET', files()],
      ['GET', `${files()}/${file.id}`],
      ['GET', contentPath(browserId, file.id)],
      ['DELETE', `${files()}/${file.id}`],
    ] as const)
      expect(await stranger.call(method, path)).toMatchObject({
        status: 404,
        body: { error: { code: 'BROWSER_NOT_FOUND' } },
      });
    expect((await upload(stranger, browserId, named('x'), { body: 'x' })).status).toBe(404);
    expect((await api.as('').call('GET', contentPath(browserId, file.id))).status).toBe(401);
  });

  test('is not found through another browser either', async () => {
    const { body: file } = await upload(api, browserId, named('mine.txt'), { body: 'mine' });
    const other = (await api.create()).body.id;
    for (const path of [`${files(other)}/${file.id}`, contentPath(other, file.id)])
      expect((await api.call('GET', path)).body.error.code).toBe('FILE_NOT_FOUND');
    expect((await api.call('DELETE', `${files(other)}/${file.id}`)).status).toBe(404);
    await api.remove(other);
  });

  test.each([
    '..%2f..%2fetc%2fpasswd',
    'file_%00',
    'file_x',
    'browser_01ja9q4m8h2f7t3k5w6x8y0z1a',
    '%F0%9F%98%80',
  ])('the id %s names nothing', async (id) => {
    expect((await api.call('GET', contentPath(browserId, id))).body.error.code).toBe('FILE_NOT_FOUND');
  });
});

test('downloads that are broken off leave no open file', async () => {
  const { body: file } = await upload(api, browserId, named('long'), { body: randomBytes(5 * 1024 ** 2) });
  const openFiles = async (): Promise<number> => {
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    return links.filter((link) => link.includes(file.id)).length;
  };
  for (let n = 0; n < 5; n++) {
    const hangUp = new AbortController();
    const response = await download(api, browserId, file.id, { signal: hangUp.signal });
    await response.body?.getReader().read();
    hangUp.abort();
  }
  await expect.poll(openFiles).toBe(0);
});

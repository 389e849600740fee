import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { downloadFrom, run } from '../support/download-client.ts';
import { type DownloadSite, startDownloadSite } from '../support/download-site.ts';
import { extensionZip, uploadExtension } from '../support/extensions.ts';
import { download, named, upload } from '../support/file-client.ts';
import { fontOf, uploadFont } from '../support/font.ts';
import { jobClient } from '../support/job-client.ts';
import { filesBelow } from '../support/leaks.ts';
import { profileClient } from '../support/profile-client.ts';
import { fetchFile, projectFile, uploadToProject } from '../support/project-file-client.ts';
import { type S3Server, startS3 } from '../support/s3-server.ts';
import { eventually, makeFolders, spawnServer, startServer, type TestServer } from '../support/server.ts';
import { type SignInSite, startSignInSite } from '../support/sign-in-site.ts';

const MiB = 1024 ** 2;
const policy = { privateAccess: { localhost: true } };
const openPolicy = {
  privateAccess: { localhost: true, cidrs: ['127.0.0.0/8'] },
  allowedDomains: ['127.0.0.1'],
};

describe('a service with a bucket', () => {
  let s3: S3Server;
  let server: TestServer;
  let api: Api;
  let site: DownloadSite;
  let signIn: SignInSite;

  beforeAll(async () => {
    [s3, site, signIn] = await Promise.all([startS3(), startDownloadSite(), startSignInSite()]);
    server = await startServer({ ...s3.settings(), BROWSERD_EXTENSIONS: 'all' });
    api = server.api;
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await Promise.all([s3[Symbol.asyncDispose](), site.close(), signIn.close()]);
  });
  beforeEach(() => s3.disturb(undefined));

  /** What kinds of bytes there are, by their ids. */
  const kinds = (): string[] => [
    ...new Set([...s3.objects.keys()].map((key) => key.split('/').at(-1)?.split('_')[0] ?? '')),
  ];
  const hasObject = (id: string): boolean => [...s3.objects.keys()].some((key) => key.endsWith(`/${id}`));
  const onDisk = async (): Promise<string[]> => [
    ...(await filesBelow(join(server.dataDir, 'blobs'))),
    ...(await filesBelow(join(server.dataDir, 'on-the-way'))),
  ];

  test('keeps files of browsers there, lends them to pages, and removes them', {
    timeout: 400_000,
  }, async () => {
    const { body: browser } = await api.create({ policy });
    const body = randomBytes(6 * MiB);
    const { body: large } = await upload(api, browser.id, named('large.bin'), { body });
    const { body: small } = await upload(api, browser.id, named('note.txt'), { body: 'from the bucket' });
    for (const { id } of [large, small]) expect(hasObject(id)).toBe(true);
    const fetched = await download(api, browser.id, large.id, { headers: { range: `bytes=5-${5 * MiB}` } });
    expect(Buffer.from(await fetched.arrayBuffer()).equals(body.subarray(5, 5 * MiB + 1))).toBe(true);
    const code = `
      await page.setContent('<input type=file>');
      await page.setInputFiles('input', await files.path(args));
      return page.evaluate(() => document.querySelector('input').files[0].text())`;
    expect((await run(api, browser.id, code, small.id)).body.result).toBe('from the bucket');
    const done = await downloadFrom(api, browser.id, `${site.origin}/large?bytes=${MiB}`);
    expect(done).toMatchObject({ state: 'completed', size: MiB });
    expect(hasObject(done.id)).toBe(true);
    expect(await onDisk()).toEqual([]);
    await api.call('DELETE', `/v1/browsers/${browser.id}/files/${large.id}`);
    expect(hasObject(large.id)).toBe(false);
    await api.remove(browser.id);
  });

  const patiently = { timeout: 400_000 };

  test('keeps files of the project, extensions and fonts there', patiently, async () => {
    const { body: file } = await uploadToProject(api, named('a.bin'), { body: randomBytes(100_000) });
    const { body: extension } = await uploadExtension(api, extensionZip());
    const { body: font } = await uploadFont(api, fontOf({ family: 'Kept', width: 1 }));
    // both come out of the bucket again
    const { status, body: browser } = await api.create({ policy, extensions: [extension.id] });
    expect(status).toBe(201);
    await api.remove(browser.id);
    const ids = [file.id, extension.id, font.id];
    expect(ids.map(hasObject)).toEqual([true, true, true]);
    expect(await onDisk()).toEqual([]);
    for (const path of [projectFile(file.id), `/v1/extensions/${extension.id}`, `/v1/fonts/${font.id}`])
      expect((await api.call('DELETE', path)).status).toBe(200);
    expect(ids.map(hasObject)).toEqual([false, false, false]);
  });

  test('keeps saved profiles there', patiently, async () => {
    const profiles = profileClient(api, signIn);
    const { body: profile } = await profiles.create({ name: 'kept' });
    const writer = await profiles.browser({ id: profile.id, save: 'close' });
    await profiles.signIn(writer, 'ann');
    await api.remove(writer);
    expect(kinds()).toContain('version');
    const reader = await profiles.browser({ id: profile.id });
    expect(await profiles.account(reader)).toEqual(['ann', 'local ann', 'indexed ann']);
    await api.remove(reader);
    expect(await onDisk()).toEqual([]);
    await profiles.remove(profile.id);
    expect(kinds()).not.toContain('version');
  });

  test('keeps what jobs made, and answers, there', patiently, async () => {
    const url = `${signIn.origin}/count`;
    const captured = await jobClient(api).run({ kind: 'batch', action: 'screenshot', items: [{ url }] });
    expect(captured.results).toMatchObject([{ status: 'done', file: { source: 'screenshot' } }]);
    expect(hasObject(captured.results[0].file.id)).toBe(true);
    const scraped = { url, policy, maxAgeMs: 3_600_000 };
    await api.call('POST', '/v1/scrape', { body: scraped });
    await eventually(
      async () => kinds(),
      (found) => found.includes('answer'),
    );
    const again = await api.call('POST', '/v1/scrape', { body: scraped });
    expect(again).toMatchObject({ status: 200, body: { fromCache: true } });
    expect(await onDisk()).toEqual([]);
  });

  test('lets no page reach the server that has the bucket', async () => {
    const before = s3.requests.length;
    const { body: browser } = await api.create({ policy: openPolicy, startUrl: `${s3.endpoint}/kept/?page` });
    const refused = await eventually(
      () => api.call('GET', `/v1/browsers/${browser.id}/events?limit=100`),
      ({ body }) => body.items.some(({ type }: { type: string }) => type === 'policy.blocked'),
    );
    expect(refused.body.items).toContainEqual(
      expect.objectContaining({ data: expect.objectContaining({ rule: 'own_listener', port: s3.port }) }),
    );
    expect(s3.requests.slice(before).filter((request) => request.includes('page'))).toEqual([]);
    await api.remove(browser.id);
  });

  test('goes on while the bucket is away, says so, and has everything again when it is back', {
    timeout: 400_000,
  }, async () => {
    const { body: browser } = await api.create({ policy });
    const { body: file } = await uploadToProject(api, named('a.txt'), { body: 'still there' });
    s3.disturb(() => 'closed');
    const away = { error: { code: 'STORE_UNAVAILABLE', message: expect.stringContaining('S3 storage') } };
    expect(await api.call('GET', projectFile(file.id, '/content'))).toMatchObject({
      status: 503,
      body: away,
    });
    expect(await uploadToProject(api, named('b.txt'), { body: 'x' })).toMatchObject({
      status: 503,
      body: away,
    });
    expect((await run(api, browser.id, 'return 1 + 1')).body.result).toBe(2);
    expect((await api.call('GET', '/health/ready')).status).toBe(200);
    expect((await api.call('POST', `/v1/browsers/${browser.id}/stop`)).body.status).toBe('stopped');
    s3.disturb(undefined);
    expect(await (await fetchFile(api, file.id)).text()).toBe('still there');
    expect((await uploadToProject(api, named('b.txt'), { body: 'x' })).status).toBe(201);
    expect(await onDisk()).toEqual([]);
    await api.remove(browser.id);
  });
});

test('a kill in the middle of an upload to the bucket leaves nothing there, and what was answered is kept', {
  timeout: 400_000,
}, async () => {
  await using s3 = await startS3();
  await using folders = await makeFolders(s3.settings());
  const first = await spawnServer(folders.env);
  const { body: kept } = await uploadToProject(first.api, named('kept'), { body: 'kept' });
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  s3.disturb((request) => {
    if (!request.includes('partNumber=2')) return undefined;
    resolve();
    return 'silent';
  });
  const cut = uploadToProject(first.api, named('cut'), { body: randomBytes(20 * MiB) }).catch(() => 'cut');
  await begun;
  first.child.kill('SIGKILL');
  await first.exited;
  expect(await cut).toBe('cut');
  expect(s3.begun()).toHaveLength(1);
  s3.disturb(undefined);
  const second = await spawnServer(folders.env);
  await eventually(
    async () => s3.begun(),
    (keys) => keys.length === 0,
  );
  expect([...s3.objects.keys()].map((key) => key.split('/').at(-1))).toEqual([kept.id]);
  expect(await (await fetchFile(second.api, kept.id)).text()).toBe('kept');
  expect(await filesBelow(join(folders.dataDir, 'on-the-way'))).toEqual([]);
  second.child.kill('SIGTERM');
  await second.exited;
});

test('a service whose keys to the bucket are wrong does not start, and says which setting it is', async () => {
  await using s3 = await startS3();
  const wrong = { ...s3.settings(), BROWSERD_S3_SECRET_ACCESS_KEY: 'of-another-key' };
  await expect(startServer(wrong)).rejects.toThrow(
    /BROWSERD_BLOBS cannot be used.*BROWSERD_S3_SECRET_ACCESS_KEY/,
  );
});

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { startWeb } from '../support/embedding-page.ts';
import { named, upload } from '../support/file-client.ts';
import { makeKey } from '../support/keys.ts';
import { projectFile, uploadToProject } from '../support/project-file-client.ts';
import { pathOf, startColours, untilMade, watched } from '../support/recording-client.ts';
import { eventually, makeFolders, spawnServer, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let api: Api;

beforeAll(async () => {
  server = await startServer();
  api = server.api;
});
afterAll(() => server[Symbol.asyncDispose]());

const addressOf = async (
  path: string,
  body?: object,
  by = api,
): Promise<{ url: string; expiresAt: string }> => {
  const { status, body: made } = await by.call('POST', `${path}/address`, { body });
  expect(status).toBe(201);
  return made;
};
const aFile = async (content: string | Uint8Array<ArrayBuffer> = 'hello', name = 'a.txt', by = api) =>
  (await uploadToProject(by, named(name), { body: content })).body;
const refusal = async (url: string, init?: RequestInit): Promise<[number, string]> => {
  const response = await fetch(url, init);
  return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
};

describe('a signed address', () => {
  test('opens one file without a key, whole and in part, as the file itself would be sent', async () => {
    const bytes = randomBytes(100_000);
    const file = await aFile(bytes, 'data.bin');
    const before = Date.now();
    const { url, expiresAt } = await addressOf(projectFile(file.id), { ttlSeconds: 60 });
    expect(url.startsWith(`${api.url}/v1/files/${file.id}/content?token=bdc_`)).toBe(true);
    expect(url).not.toContain(api.key);
    expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(before + 60_000);
    expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now() + 60_000);
    const whole = await fetch(url);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await fetch(url, { headers: { range: 'bytes=50000-' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 50000-99999/100000']);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(50_000))).toBe(true);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '100000']);
    expect(await refusal(url, { headers: { range: 'bytes=100000-' } })).toEqual([
      416,
      'RANGE_NOT_SATISFIABLE',
    ]);
  });

  test('of a page from a caller runs nothing at the origin of the service', async () => {
    const html = '<!doctype html><title>quiet</title><script>document.title = "ran " + origin</script>';
    const sent = { body: html, headers: { 'content-type': 'text/html' } };
    const { body: file } = await uploadToProject(api, named('page.html'), sent);
    const { url } = await addressOf(projectFile(file.id));
    const { headers } = await fetch(url);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html',
      'content-disposition': 'attachment; filename="page.html"',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    await using web = await startWeb();
    const page = await web.newPage();
    const saved = page.waitForEvent('download');
    await page.setContent(`<iframe src="${url}"></iframe>`);
    expect((await saved).suggestedFilename()).toBe('page.html');
    expect(await Promise.all(page.frames().map((frame) => frame.title()))).toEqual(['', '']);
  });

  test('is for its record alone, and for reading alone', async () => {
    const [file, other] = [await aFile(), await aFile('other')];
    const { url } = await addressOf(projectFile(file.id));
    const token = new URL(url).searchParams.get('token') ?? '';
    const [text = '', signature = ''] = token.slice('bdc_'.length).split('.');
    const forged = Buffer.from(Buffer.from(text, 'base64url').toString().replace(file.id, other.id)).toString(
      'base64url',
    );
    const { body: browser } = await api.create();
    for (const bad of [
      url.replace(file.id, other.id),
      `${api.url}${projectFile(other.id)}/content?token=bdc_${forged}.${signature}`,
      `${url}x`,
      `${api.url}${projectFile(file.id)}/content`,
      `${api.url}${projectFile(file.id)}?token=${token}`,
      `${api.url}/v1/files?token=${token}`,
      `${api.url}/v1/browsers/${browser.id}/cdp?token=${token}`,
    ])
      expect(await refusal(bad)).toEqual([401, 'UNAUTHENTICATED']);
    for (const [method, path] of [
      ['DELETE', projectFile(file.id)],
      ['POST', projectFile(file.id, '/address')],
    ] as const)
      expect(await refusal(`${api.url}${path}?token=${token}`, { method })).toEqual([401, 'UNAUTHENTICATED']);
    // a token for the browser itself opens no content
    const { body: cdp } = await api.call('POST', `/v1/browsers/${browser.id}/capabilities`, {
      body: { kind: 'cdp' },
    });
    const { body: inBrowser } = await upload(api, browser.id, named('b.txt'), { body: 'b' });
    expect(
      await refusal(
        `${api.url}/v1/browsers/${browser.id}/files/${inBrowser.id}/content${new URL(cdp.url).search}`,
      ),
    ).toEqual([401, 'UNAUTHENTICATED']);
    expect((await fetch(url)).status).toBe(200);
    await api.remove(browser.id);
  });

  test('ends when its time is over, with its record, and with the key that asked for it', async () => {
    const own = await makeKey(server.dataDir, { project: 'ends' });
    const by = api.as(own);
    const file = await aFile('hello', 'a.txt', by);
    const { url: brief } = await addressOf(projectFile(file.id), { ttlSeconds: 1 }, by);
    const { url: long } = await addressOf(projectFile(file.id), { ttlSeconds: 604_800 }, by);
    expect((await fetch(long)).status).toBe(200);
    const over = await eventually(
      () => fetch(brief),
      ({ status }) => status !== 200,
    );
    expect(over.status).toBe(401);
    expect(((await over.json()) as { error: { message: string } }).error.message).toContain('has expired');

    const { body: second } = await by.call('POST', '/v1/keys', {
      body: { name: 'second' },
      headers: { 'idempotency-key': 'x' },
    });
    const { url: ofSecond } = await addressOf(projectFile(file.id), {}, api.as(second.key));
    expect((await fetch(ofSecond)).status).toBe(200);
    await by.call('DELETE', `/v1/keys/${second.id}`);
    expect(await refusal(ofSecond)).toEqual([401, 'UNAUTHENTICATED']);

    await by.call('DELETE', projectFile(file.id));
    expect(await refusal(long)).toEqual([404, 'FILE_NOT_FOUND']);
  });

  test('of a file that goes sooner ends with it, and wrong times are refused', async () => {
    const { body: file } = await uploadToProject(api, `${named('x')}&ttlSeconds=300`, { body: 'x' });
    expect((await addressOf(projectFile(file.id), { ttlSeconds: 3600 })).expiresAt).toBe(file.expiresAt);
    for (const ttlSeconds of [0, -1, 604_801, 1.5, '60'])
      expect(
        (await api.call('POST', projectFile(file.id, '/address'), { body: { ttlSeconds } })).body.error.code,
      ).toBe('VALIDATION_FAILED');
  });

  test('is told of in an event, without its token', async () => {
    const file = await aFile();
    const { expiresAt } = await addressOf(projectFile(file.id));
    const { items } = await eventually(
      async () => (await api.call('GET', '/v1/events?type=file.address_issued&limit=100')).body,
      (page) => page.items.some(({ data }: { data: { fileId: string } }) => data.fileId === file.id),
    );
    const told = items.find(({ data }: { data: { fileId: string } }) => data.fileId === file.id);
    expect(told.data).toMatchObject({ fileId: file.id, expiresAt });
    expect(JSON.stringify(items)).not.toContain('bdc_');
  });
});

describe('files and recordings of a browser', () => {
  test('have signed addresses that outlive the browser, for as long as its record is kept', async () => {
    const { body: browser } = await api.create();
    const { body: file } = await upload(api, browser.id, named('b.txt'), { body: 'in a browser' });
    const path = `/v1/browsers/${browser.id}/files/${file.id}`;
    const { url } = await addressOf(path);
    await api.remove(browser.id);
    expect(await (await fetch(url)).text()).toBe('in a browser');
    const { items } = (await api.call('GET', `/v1/browsers/${browser.id}/events?type=capability.issued`))
      .body;
    expect(items).toMatchObject([{ data: { kind: 'content', recordId: file.id } }]);
    await api.call('DELETE', path);
    expect(await refusal(url)).toEqual([404, 'FILE_NOT_FOUND']);
  });

  test('a video plays from its address in a page of another origin, and is fetched in parts', async () => {
    await using colours = await startColours();
    const { body: browser } = await api.create(colours.shown('lime'));
    const { body: recording } = await api.call('POST', pathOf(browser.id));
    const unfinished = await api.call('POST', pathOf(browser.id, recording.id, '/address'));
    expect([unfinished.status, unfinished.body.error.code]).toEqual([409, 'RECORDING_NOT_FINISHED']);
    await watched(api, browser.id, 'lime');
    await api.call('POST', pathOf(browser.id, recording.id, '/stop'));
    expect(await untilMade(api, browser.id, recording.id)).toMatchObject({ state: 'ready' });
    await api.remove(browser.id);
    const { url } = await addressOf(pathOf(browser.id, recording.id));
    await using web = await startWeb();
    const page = await web.newPage();
    const statuses: number[] = [];
    page.on('response', (response) => response.url() === url && statuses.push(response.status()));
    await page.setContent('<video muted></video>');
    const shown = await page.evaluate(`(async () => {
      const video = document.querySelector('video');
      const heard = (name) => new Promise((resolve, reject) => {
        video.addEventListener(name, resolve, { once: true });
        video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true });
      });
      const known = heard('loadeddata');
      video.src = ${JSON.stringify(url)};
      await known;
      const sought = heard('seeked');
      video.currentTime = video.duration / 2;
      await sought;
      return { hasPicture: video.videoWidth > 0, sought: video.currentTime > 0 };
    })()`);
    expect(shown).toEqual({ hasPicture: true, sought: true });
    expect(statuses.length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([206]));
  });
});

test('an address that is passed on takes nothing of the limit of the key that made it', async () => {
  await using own = await startServer({ BROWSERD_RATE_LIMIT: '40' });
  const file = await aFile('hello', 'a.txt', own.api);
  const { url } = await addressOf(projectFile(file.id), {}, own.api);
  const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await fetch(url)).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(40);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  expect((await own.api.call('GET', projectFile(file.id))).status).toBe(200);
});

test('no token of an address is in the log, whatever becomes of its request', async () => {
  await using folders = await makeFolders();
  const own = await spawnServer(folders.env);
  const file = await aFile('hello', 'a.txt', own.api);
  const { url } = await addressOf(projectFile(file.id), {}, own.api);
  await (await fetch(url)).text();
  await fetch(url.replace('/content', '/nothing'));
  await fetch(url.replace(file.id, 'file_x'));
  await fetch(`${url}%`);
  await fetch(url, { method: 'PUT' });
  own.child.kill('SIGTERM');
  await own.exited;
  expect(own.output()).toContain('/v1/files/:fileId/content');
  expect(own.output()).not.toContain('bdc_');
});

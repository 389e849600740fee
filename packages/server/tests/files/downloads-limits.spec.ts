import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  content,
  downloadFrom,
  eventsOf,
  listOf,
  newBrowser,
  nextDownload,
  open,
  run,
} from '../support/download-client.ts';
import { type DownloadSite, startDownloadSite } from '../support/download-site.ts';
import { named, upload } from '../support/file-client.ts';
import { filesBelow } from '../support/leaks.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

const MiB = 1024 ** 2;
let server: TestServer;
let site: DownloadSite;
/** A browser for all that need no other policy at its start. */
let shared: string;

beforeAll(async () => {
  [server, site] = await Promise.all([
    startServer({
      BROWSERD_DOWNLOAD_LIMIT: '16MiB',
      BROWSERD_STORAGE_QUOTA: '12MiB',
    }),
    startDownloadSite(),
  ]);
  shared = await newBrowser(server.api);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

/** The last event of it says the same as the record, and nothing of it lies on the disk. */
async function expectCancelled(id: string, downloadId: string, reason: string): Promise<void> {
  expect((await eventsOf(server.dataDir, id, 'download.failed')).at(-1)).toMatchObject({
    data: { downloadId, state: 'cancelled', reason },
  });
  await eventually(
    () => filesBelow(server.exchangeDir),
    (files) => files.length === 0,
  );
}

const at = (policy: object, path: string): Promise<string> =>
  newBrowser(server.api, policy, { startUrl: site.origin + path });

describe('the policy', () => {
  const denied = { downloads: { mode: 'deny' } };

  test('that denies downloads cancels each with an event, until it allows them', async () => {
    const { api } = server;
    const id = await at(denied, '/again');
    const first = await nextDownload(api, id, ({ state }) => state !== 'inProgress');
    expect(first).toMatchObject({ state: 'cancelled', reason: 'policy', receivedBytes: 0 });
    const told = await eventsOf(server.dataDir, id);
    expect(told.filter(({ data }) => data.downloadId === first.id)).toMatchObject([
      { type: 'download.started' },
      { type: 'download.failed', data: { state: 'cancelled', reason: 'policy' } },
    ]);
    await api.patch(id, { policy: open });
    await nextDownload(api, id, ({ state }) => state === 'completed');
    await api.remove(id);
  });

  test('that comes to deny them ends those that run', async () => {
    const { api } = server;
    const { id: running } = await downloadFrom(api, shared, `${site.origin}/held`, () => true);
    await api.patch(shared, { policy: { ...open, ...denied } });
    expect(await nextDownload(api, shared)).toMatchObject({
      id: running,
      state: 'cancelled',
      reason: 'policy',
    });
    await expectCancelled(shared, running, 'policy');
    await api.patch(shared, { policy: open });
  });

  test('has a limit of bytes, which cuts off what announces more, is more or never ends', async () => {
    const { api } = server;
    const id = await newBrowser(api, { downloads: { maxBytes: 2 * MiB } });
    for (const path of [`/held?bytes=${3 * MiB}`, `/large?bytes=${8 * MiB}`, '/endless']) {
      const cut = await downloadFrom(api, id, site.origin + path);
      expect([path, cut]).toMatchObject([path, { state: 'cancelled', reason: 'too_large' }]);
      await expectCancelled(id, cut.id, 'too_large');
    }
    await api.remove(id);
  });

  test('that comes to have a limit cuts off what runs past it', async () => {
    const { api } = server;
    const held = `${site.origin}/held?bytes=${4 * MiB}`;
    const { id } = await downloadFrom(api, shared, held, ({ totalBytes }) => totalBytes === 4 * MiB);
    await api.patch(shared, { policy: { ...open, downloads: { maxBytes: MiB } } });
    expect(await nextDownload(api, shared)).toMatchObject({ id, state: 'cancelled', reason: 'too_large' });
    await api.patch(shared, { policy: open });
  });

  test('refuses the host that a download is led to', async () => {
    const { api } = server;
    const id = await at({ allowedDomains: ['127.0.0.1'] }, '/led-away');
    const events = await eventually(
      () => eventsOf(server.dataDir, id, 'policy.blocked'),
      (all) => all.length > 0,
    );
    expect(events[0]?.data).toMatchObject({ host: 'localhost.invalid' });
    const ended = await eventually(
      () => listOf(api, id),
      (all) => all.every(({ state }) => state !== 'inProgress'),
    );
    expect(ended.filter(({ state }) => state === 'completed')).toEqual([]);
    await api.remove(id);
  });
});

describe('what all browsers share', () => {
  test('one download is no larger than the service lets it be', async () => {
    const { api } = server;
    const cut = await downloadFrom(api, shared, `${site.origin}/held?bytes=${17 * MiB}`);
    expect(cut).toMatchObject({ state: 'cancelled', reason: 'too_large' });
  });

  test('the quota of the project cuts off what is on its way, and counts files and downloads alike', async () => {
    const { api } = server;
    const kept = await at({}, `/large?bytes=${6 * MiB}`);
    const { id: downloadId } = await nextDownload(api, kept, ({ state }) => state === 'completed');
    const body = new Uint8Array(4 * MiB);
    const { body: file } = await upload(api, kept, named('a.bin'), { body });
    expect(await upload(api, kept, named('b.bin'), { body })).toMatchObject({ status: 413 });
    const cut = await downloadFrom(api, shared, `${site.origin}/large?bytes=${8 * MiB}`);
    expect(cut).toMatchObject({ state: 'cancelled', reason: 'quota' });
    await expectCancelled(shared, cut.id, 'quota');
    await api.call('DELETE', `/v1/browsers/${kept}/downloads/${downloadId}`);
    expect((await upload(api, kept, named('b.bin'), { body })).status).toBe(201);
    for (const { id: fileId } of [file, ...(await api.call('GET', `/v1/browsers/${kept}/files`)).body.items])
      await api.call('DELETE', `/v1/browsers/${kept}/files/${fileId}`);
    await api.remove(kept);
  });
});

describe('a hostile site', () => {
  test('that starts a thousand downloads gets a few at a time, and all of them end with the browser', async () => {
    const { api } = server;
    const id = await at({}, '/flood');
    await nextDownload(api, id, () => true);
    const items = await listOf(api, id);
    expect(items.filter(({ state }) => state === 'inProgress').length).toBeLessThanOrEqual(32);
    expect((await api.status(id)).status).toBe(200);
    await api.remove(id);
    for (const { state } of await listOf(api, id)) expect(state).not.toBe('inProgress');
  });

  test.each([
    ['promises more than it sends', '/liar'],
    ['has nothing under the address', '/missing'],
  ])('that %s makes a download that failed', async (_, path) => {
    const { api } = server;
    const failed = await downloadFrom(api, shared, site.origin + path);
    expect(failed).toMatchObject({ state: 'failed', reason: 'interrupted' });
    expect(await content(api, shared, failed.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'DOWNLOAD_FAILED' } },
    });
  });
});

describe('the policy on uploads', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const blocked = { error: { code: 'POLICY_BLOCKED', category: 'policy', nextStep: 'change_policy' } };
  const intoPage = `
    await page.setContent('<input type=file>');
    await page.setInputFiles('input', await files.path(args));
    return page.evaluate(() => document.querySelector('input').files[0].size)`;

  test('names types, which the content decides; one that denies them takes no file, and puts none into a page', async () => {
    const { api } = server;
    const id = await newBrowser(api, { uploads: { allowedMimeTypes: ['image/*', 'application/pdf'] } });
    expect(await upload(api, id, named('a.png'), { body: png })).toMatchObject({ status: 201 });
    expect(
      await upload(api, id, named('a.txt'), { body: 'plain', headers: { 'content-type': 'text/plain' } }),
    ).toMatchObject({
      status: 403,
      body: {
        error: {
          ...blocked.error,
          details: { rule: 'uploads.allowedMimeTypes', mimeType: expect.any(String) },
        },
      },
    });
    const { items } = (await api.call('GET', `/v1/browsers/${id}/files`)).body;
    expect(items).toHaveLength(1);
    const [file] = items;
    await api.patch(id, { policy: { ...open, uploads: { allowedMimeTypes: ['application/pdf'] } } });
    expect((await run(api, id, intoPage, file.id)).body).toMatchObject({ success: false, ...blocked });

    await api.patch(id, { policy: open });
    expect((await run(api, id, intoPage, file.id)).body.result).toBe(png.length);
    await api.patch(id, { policy: { ...open, uploads: { mode: 'deny' } } });
    expect(await upload(api, id, named('b.png'), { body: png })).toMatchObject({
      status: 403,
      body: blocked,
    });
    expect((await run(api, id, intoPage, file.id)).body).toMatchObject({ success: false, ...blocked });
    const events = await eventually(
      () => eventsOf(server.dataDir, id, 'policy.blocked'),
      (all) => all.some(({ data }) => data.rule === 'uploads.mode'),
    );
    expect(events.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ file: 'a.png', rule: 'uploads.mode' }),
    );
    await api.remove(id);
  });

  test('knows no patterns that mean nothing', async () => {
    const { api } = server;
    for (const pattern of ['image', '*/png', 'a b/c', ''])
      expect(await api.create({ policy: { uploads: { allowedMimeTypes: [pattern] } } })).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_FAILED' } },
      });
  });
});

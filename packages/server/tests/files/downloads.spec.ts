import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectWithKey } from '../support/cdp-client.ts';
import {
  content,
  downloadFrom,
  eventsOf,
  getOne,
  listOf,
  newBrowser,
  nextDownload,
  run,
  visit,
} from '../support/download-client.ts';
import { type DownloadSite, startDownloadSite } from '../support/download-site.ts';
import { filesBelow } from '../support/leaks.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: DownloadSite;
let id: string;

beforeAll(async () => {
  [server, site] = await Promise.all([startServer(), startDownloadSite()]);
  id = await newBrowser(server.api);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const report = 'a,b\n1,2\n';

describe('a download is recorded', () => {
  test('from the first address of a browser, with no client attached, and with its events', async () => {
    const { api } = server;
    const own = await newBrowser(api, {}, { startUrl: `${site.origin}/report` });
    const download = await nextDownload(api, own);
    const tab = (await api.status(own)).body.tabs[0];
    expect(download).toEqual({
      id: expect.stringMatching(/^download_/),
      suggestedFilename: 'report.csv',
      url: `${site.origin}/report`,
      tabId: tab.tabId,
      state: 'completed',
      receivedBytes: report.length,
      totalBytes: report.length,
      size: report.length,
      mimeType: 'text/csv',
      sha256: createHash('sha256').update(report).digest('hex'),
      startedAt: expect.any(String),
      completedAt: expect.any(String),
    });
    expect(await content(api, own, download.id)).toMatchObject({ status: 200, body: report });
    const events = await eventsOf(server.dataDir, own);
    expect(events.map(({ type }) => type)).toEqual(['download.started', 'download.completed']);
    const { id: downloadId, url } = download;
    expect(events[1]?.data).toMatchObject({ downloadId, url, size: report.length, state: 'completed' });
    expect((await api.remove(own)).body.receipt).toBeDefined();
    expect(await getOne(api, own, download.id)).toEqual(download);
    expect((await content(api, own, download.id)).body).toBe(report);
  });

  test.each([
    ['a click', '/', 'report.csv', report],
    ['a script with a blob', '/blob', 'blob.txt', 'from a blob'],
    ['a script with a data address', '/data', 'data.txt', 'from data'],
    ['a window that a page opens', '/opens', 'report.csv', report],
    ['a frame of a page', '/framed', 'report.csv', report],
    ['a raw address', '/report', 'report.csv', report],
    ['an address that leads to another', '/away?to=/report', 'report.csv', report],
    ['nothing at all', '/empty', 'empty.bin', ''],
  ])('from %s', async (_, path, suggestedFilename, body) => {
    const { api } = server;
    const before = (await listOf(api, id)).length;
    await visit(api, id, site.origin + path);
    if (path === '/') await run(api, id, "await page.click('#get')");
    const items = await eventually(
      () => listOf(api, id),
      (all) => all.length > before && all[0].state === 'completed',
    );
    expect(items).toHaveLength(before + 1);
    expect(items[0]).toMatchObject({ suggestedFilename, size: body.length, tabId: expect.any(String) });
    expect((await content(api, id, items[0].id)).body).toBe(body);
  });

  test('from a context that a client made, unless the client wants none there', async () => {
    const { api } = server;
    const before = (await listOf(api, id)).length;
    const code = `
      const results = [];
      for (const acceptDownloads of [true, false]) {
        const fresh = await browser.newContext({ acceptDownloads });
        const tab = await fresh.newPage();
        const [download] = await Promise.all([tab.waitForEvent('download'), tab.goto(args + '/report').catch(() => 0)]);
        results.push(await download.failure());
        await fresh.close();
      }
      return results`;
    const { body } = await run(api, id, code, site.origin);
    expect(body).toMatchObject({ success: true, result: [null, expect.any(String)] });
    const states = await eventually(
      async () => (await listOf(api, id)).slice(0, -before || undefined).map(({ state }) => state),
      (all) => all.length > 0 && !all.includes('inProgress'),
    );
    expect(states.filter((state) => state === 'completed')).toHaveLength(1);
  });
});

describe('while it runs', () => {
  test('its progress is seen, its content is not there yet, and it outlives the tab it began in', async () => {
    const { api } = server;
    const own = await newBrowser(api, {}, { startUrl: `${site.origin}/` });
    const client = await connectWithKey(api, own);
    const expression = "window.open('/held?bytes=400000'), 0";
    await client.send('Runtime.evaluate', { expression }, await client.attach());
    client.socket.close();
    // as much as the site gives before it is released
    const begun = await nextDownload(api, own, ({ receivedBytes }) => receivedBytes === 200_000);
    expect(begun).toMatchObject({ state: 'inProgress', totalBytes: 400_000 });
    expect(begun).not.toHaveProperty('size');
    const early = await content(api, own, begun.id);
    expect(early).toMatchObject({
      status: 409,
      body: { error: { code: 'DOWNLOAD_NOT_FINISHED', nextStep: 'wait' } },
    });
    expect(early.headers.get('retry-after')).toBe('1');
    const urls = async () => (await api.status(own)).body.tabs.map(({ url }: { url: string }) => url);
    await expect.poll(urls).toEqual([`${site.origin}/`]);
    expect(await getOne(api, own, begun.id)).toMatchObject({ state: 'inProgress' });
    site.release();
    const done = await nextDownload(api, own);
    expect(done).toMatchObject({ id: begun.id, state: 'completed', size: 400_000, tabId: begun.tabId });
    await api.remove(own);
  });

  test('it can be deleted, and leaves nothing', async () => {
    const { api } = server;
    const before = await listOf(api, id);
    const { id: downloadId } = await downloadFrom(api, id, `${site.origin}/held`, () => true);
    const path = `/v1/browsers/${id}/downloads/${downloadId}`;
    expect(await api.call('DELETE', path)).toMatchObject({
      status: 200,
      body: { id: downloadId, deleted: true },
    });
    expect(await listOf(api, id)).toEqual(before);
    for (const [method, at] of [
      ['GET', path],
      ['GET', `${path}/content`],
      ['DELETE', path],
    ] as const)
      expect(await api.call(method, at)).toMatchObject({
        status: 404,
        body: { error: { code: 'DOWNLOAD_NOT_FOUND' } },
      });
    expect(await filesBelow(server.exchangeDir)).toEqual([]);
    expect((await eventsOf(server.dataDir, id)).at(-1)).toMatchObject({
      type: 'download.failed',
      data: { downloadId, state: 'cancelled', reason: 'deleted' },
    });
  });

  test.each([
    ['stopped', 'cancelled', 'browser_stopped'],
    ['closed', 'cancelled', 'browser_closed'],
  ])('a browser that is %s ends it', async (how, state, reason) => {
    const { api } = server;
    const own = await newBrowser(api, {}, { startUrl: `${site.origin}/held` });
    const { id: downloadId } = await nextDownload(api, own, () => true);
    if (how === 'stopped') await api.stop(own);
    else await api.remove(own);
    const ended = await getOne(api, own, downloadId);
    expect(ended).toMatchObject({
      state,
      reason,
      completedAt: expect.any(String),
      message: expect.any(String),
    });
    expect(await content(api, own, downloadId)).toMatchObject({
      status: 409,
      body: { error: { code: 'DOWNLOAD_FAILED', details: { state, reason } } },
    });
    if (how === 'stopped') await api.remove(own);
  });
});

describe('a script', () => {
  test('waits for a download, reads it, saves it, deletes its copy', async () => {
    const code = `
      await page.goto(args + '/');
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#get')]);
      let text = '';
      for await (const chunk of await download.createReadStream()) text += chunk;
      await download.saveAs('/tmp/saved.csv');
      const path = await download.path();
      const failure = await download.failure();
      await download.delete();
      return { text, failure, path: typeof path, name: download.suggestedFilename() }`;
    const { body } = await run(server.api, id, code, site.origin);
    expect(body.result).toEqual({ text: report, failure: null, path: 'string', name: 'report.csv' });
  });

  test('cancels one, and the record says so', async () => {
    const { api } = server;
    const code = `
      const [download] = await Promise.all([page.waitForEvent('download'), page.goto(args + '/held').catch(() => 0)]);
      await download.cancel();
      return download.failure()`;
    const { body } = await run(api, id, code, site.origin);
    expect(body.result).toBe('canceled');
    expect(await nextDownload(api, id)).toMatchObject({ state: 'cancelled', reason: 'client' });
  });

  test('puts what was downloaded into a page', async () => {
    const { api } = server;
    await visit(api, id, `${site.origin}/report`);
    const { id: downloadId } = await nextDownload(
      api,
      id,
      ({ state, suggestedFilename }) => state === 'completed' && suggestedFilename === 'report.csv',
    );
    const code = `
      await page.setContent('<input type=file>');
      await page.setInputFiles('input', await files.path(args));
      return page.evaluate(() => document.querySelector('input').files[0].text())`;
    expect((await run(api, id, code, downloadId)).body.result).toBe(report);
  });
});

test('names are cleaned, whatever they are', async () => {
  const { api } = server;
  const before = (await listOf(api, id)).length;
  const names = [
    '../../etc/passwd',
    `${'x'.repeat(3000)}.txt`,
    'a\u202Efdp.exe',
    'con.txt',
    ' . ',
    'rechnung ü.pdf',
  ];
  for (const [count, name] of names.entries()) {
    await visit(api, id, `${site.origin}/named?name=${encodeURIComponent(name)}`);
    await eventually(
      () => listOf(api, id),
      (all) => all.length === before + count + 1 && all[0].state === 'completed',
    );
  }
  for (const { suggestedFilename } of (await listOf(api, id)).slice(0, names.length)) {
    expect(Buffer.byteLength(suggestedFilename)).toBeLessThanOrEqual(255);
    expect(suggestedFilename).not.toMatch(/[/\\\u202e\0]|^con\./i);
  }
});

test('after all that, nothing lies in the exchange but what belongs to living browsers', async () => {
  const { api, exchangeDir } = server;
  await api.remove(id);
  await eventually(
    async () => readdirSync(exchangeDir).length,
    (folders) => folders === 0,
  );
  expect(await filesBelow(exchangeDir)).toEqual([]);
  await server.service.close();
  expect(existsSync(exchangeDir)).toBe(false);
});

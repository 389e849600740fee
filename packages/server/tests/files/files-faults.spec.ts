import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { downloadFrom, eventsOf, getOne, newBrowser, nextDownload } from '../support/download-client.ts';
import { type DownloadSite, startDownloadSite } from '../support/download-site.ts';
import { download, named, upload } from '../support/file-client.ts';
import { chromiumOf, filesBelow, processesOf } from '../support/leaks.ts';
import { eventually, makeFolders, spawnServer, startServer, untilStatus } from '../support/server.ts';

const MiB = 1024 ** 2;
let site: DownloadSite;

beforeAll(async () => {
  site = await startDownloadSite();
});
afterAll(() => site.close());

const mostMemory = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

async function hashOf(body: Response['body']): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of body ?? []) hash.update(chunk);
  return hash.digest('hex');
}

/** A download of so many bytes, read back in full. */
async function downAndOut(api: Api, id: string, bytes: number): Promise<void> {
  const done = await downloadFrom(api, id, `${site.origin}/large?bytes=${bytes}`);
  expect(done).toMatchObject({ state: 'completed', size: bytes });
  const response = await fetch(`${api.url}/v1/browsers/${id}/downloads/${done.id}/content`, {
    headers: { authorization: `Bearer ${api.key}` },
  });
  expect(await hashOf(response.body)).toBe(done.sha256);
}

/** Up and down again, with the bytes compared. */
async function upAndOut(api: Api, id: string, megabytes: number): Promise<string> {
  const chunk = randomBytes(MiB);
  const sent = createHash('sha256');
  async function* chunks() {
    for (let n = 0; n < megabytes; n++) {
      sent.update(chunk);
      yield chunk;
    }
  }
  const { body: file } = await upload(api, id, named('large.bin'), { body: chunks() });
  const sha256 = sent.digest('hex');
  expect(file).toMatchObject({ size: megabytes * chunk.length, sha256 });
  expect(await hashOf((await download(api, id, file.id)).body)).toBe(sha256);
  return file.id;
}

test('a file six times as large needs no more memory: downloaded by a page, or up, down, in ranges and for a slow reader', {
  timeout: 400_000,
}, async () => {
  await using folders = await makeFolders();
  const { api, child, exited } = await spawnServer(folders.env);
  const id = await newBrowser(api);
  await downAndOut(api, id, 20 * MiB);
  await upAndOut(api, id, 20);
  const before = mostMemory(child.pid);
  await downAndOut(api, id, 128 * MiB);
  const fileId = await upAndOut(api, id, 128);
  const range = `bytes=100000000-${100_000_000 + 20 * MiB - 1}`;
  const response = await download(api, id, fileId, { headers: { range } });
  expect(response.status).toBe(206);
  let received = 0;
  for await (const part of response.body ?? []) {
    received += part.length;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(received).toBe(20 * MiB);
  expect(mostMemory(child.pid) - before).toBeLessThan(80 * MiB);
  expect(await filesBelow(folders.exchangeDir)).toEqual([]);
  await api.remove(id);
  child.kill('SIGTERM');
  await exited;
});

describe('the service is killed', () => {
  test('while files come in and a page downloads: what was acknowledged is there, and of the rest nothing; a request to end cuts off too', {
    timeout: 400_000,
  }, async () => {
    await using folders = await makeFolders({ BROWSERD_SHUTDOWN_GRACE: '100ms' });
    const blobs = () => filesBelow(join(folders.dataDir, 'blobs'));
    const first = await spawnServer(folders.env);
    const id = await newBrowser(first.api, {}, { startUrl: `${site.origin}/report` });
    const report = await nextDownload(first.api, id);
    await first.api.stop(id);
    const body = randomBytes(300_000);
    const { body: kept } = await upload(first.api, id, named('kept.bin'), { body });
    const { body: deleted } = await upload(first.api, id, named('deleted.bin'), { body });
    await first.api.call('DELETE', `/v1/browsers/${id}/files/${deleted.id}`);
    const loading = await newBrowser(first.api, {}, { startUrl: `${site.origin}/held?bytes=${MiB}` });
    const { id: downloadId } = await nextDownload(
      first.api,
      loading,
      ({ receivedBytes }) => receivedBytes > 0,
    );
    expect(await filesBelow(folders.exchangeDir)).toHaveLength(1);
    async function* endless() {
      for (;;) {
        yield randomBytes(100_000);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    const cut = [1, 2, 3].map((n) => upload(first.api, id, named(`cut ${n}`), { body: endless() }));
    const outcomes = Promise.allSettled(cut);
    // the report, the kept one and those on their way
    await eventually(blobs, (names) => names.length === 5);
    const { body: last } = await upload(first.api, id, named('last.bin'), { body });
    first.child.kill('SIGKILL');
    await first.exited;
    for (const { status } of await outcomes) expect(status).toBe('rejected');
    expect(await blobs()).toHaveLength(6);
    await eventually(
      async () => processesOf(folders.scratchDir).length,
      (left) => left === 0,
    );

    const second = await spawnServer(folders.env);
    const { api } = second;
    const { body: page } = await api.call('GET', `/v1/browsers/${id}/files`);
    expect(page.items).toEqual([last, kept]);
    for (const file of page.items)
      expect(Buffer.from(await (await download(api, id, file.id)).arrayBuffer()).equals(body)).toBe(true);
    await eventually(blobs, (names) => names.length === 3);
    expect(await getOne(api, loading, downloadId)).toMatchObject({
      state: 'failed',
      reason: 'service_restarted',
    });
    expect(await getOne(api, id, report.id)).toEqual(report);
    expect((await eventsOf(folders.dataDir, loading)).at(-1)).toMatchObject({
      type: 'download.failed',
      data: { downloadId, reason: 'service_restarted' },
    });
    expect(await filesBelow(folders.exchangeDir)).toEqual([]);
    await api.remove(loading);
    expect(readdirSync(folders.exchangeDir)).toEqual([]);

    async function* hanging() {
      yield randomBytes(100_000);
      await new Promise(() => undefined);
    }
    const late = upload(api, id, named('cut'), { body: hanging() }).catch(() => 'cut off');
    await eventually(blobs, (names) => names.length === 4);
    second.child.kill('SIGTERM');
    expect(await late).toBe('cut off');
    expect(await second.exited).toEqual({ code: 0, signal: null });
    expect((await blobs()).toSorted()).toEqual([kept.id, last.id, report.id].toSorted());
  });
});

test('a Chromium that is killed fails its downloads, and the browser comes back', async () => {
  await using server = await startServer();
  const { api } = server;
  const id = await newBrowser(api, {}, { startUrl: `${site.origin}/held` });
  const { id: downloadId } = await nextDownload(api, id, () => true);
  const [pid] = chromiumOf(server.scratchDir);
  process.kill(pid as number, 'SIGKILL');
  expect(await nextDownload(api, id)).toMatchObject({
    id: downloadId,
    state: 'failed',
    reason: 'browser_crashed',
  });
  await untilStatus(api, id, 'ready');
  expect(readdirSync(server.exchangeDir)).toHaveLength(1);
  await api.remove(id);
  expect(readdirSync(server.exchangeDir)).toEqual([]);
});

test('without a box, downloads are kept all the same', async () => {
  await using server = await startServer({ BROWSERD_ISOLATION: 'process' });
  const id = await newBrowser(server.api, {}, { startUrl: `${site.origin}/report` });
  expect(await nextDownload(server.api, id)).toMatchObject({
    state: 'completed',
    suggestedFilename: 'report.csv',
  });
  await server.api.remove(id);
  expect(readdirSync(server.exchangeDir)).toEqual([]);
});

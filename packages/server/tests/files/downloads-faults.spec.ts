import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { eventsOf, getOne, newBrowser, nextDownload } from '../support/download-client.ts';
import { startDownloadSite } from '../support/download-site.ts';
import { filesBelow, processesOf } from '../support/leaks.ts';
import { eventually, makeFolders, spawnServer, startServer, untilStatus } from '../support/server.ts';

const MiB = 1024 ** 2;

const mostMemory = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** Of a download of so many bytes, read back in full. */
async function roundTrip(api: Api, origin: string, bytes: number): Promise<string> {
  const id = await newBrowser(api, {}, { startUrl: `${origin}/large?bytes=${bytes}` });
  const download = await nextDownload(api, id);
  expect(download).toMatchObject({ state: 'completed', size: bytes });
  const hash = createHash('sha256');
  const response = await fetch(`${api.url}/v1/browsers/${id}/downloads/${download.id}/content`, {
    headers: { authorization: `Bearer ${api.key}` },
  });
  for await (const chunk of response.body ?? []) hash.update(chunk);
  expect(hash.digest('hex')).toBe(download.sha256);
  return id;
}

test('a quarter of a gigabyte is downloaded with the memory of a small file', {
  timeout: 180_000,
}, async () => {
  await using folders = await makeFolders();
  const site = await startDownloadSite();
  const { api, child, exited } = await spawnServer(folders.env);
  await api.remove(await roundTrip(api, site.origin, 20 * MiB));
  const before = mostMemory(child.pid);
  const id = await roundTrip(api, site.origin, 256 * MiB);
  expect(mostMemory(child.pid) - before).toBeLessThan(100 * MiB);
  expect(await filesBelow(folders.exchangeDir)).toEqual([]);
  await api.remove(id);
  child.kill('SIGTERM');
  await exited;
  await site.close();
});

test('a Chromium that is killed fails its downloads, and the browser comes back', async () => {
  await using server = await startServer();
  const site = await startDownloadSite();
  const { api } = server;
  const id = await newBrowser(api, {}, { startUrl: `${site.origin}/held` });
  const { id: downloadId } = await nextDownload(api, id, () => true);
  const [pid] = processesOf(server.scratchDir).map((line) => Number.parseInt(line, 10));
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
  await site.close();
});

test('a service that is killed leaves no download under way, and no file of it', async () => {
  await using folders = await makeFolders();
  const site = await startDownloadSite();
  const first = await spawnServer(folders.env);
  const id = await newBrowser(first.api, {}, { startUrl: `${site.origin}/report` });
  const kept = await nextDownload(first.api, id);
  const other = await newBrowser(first.api, {}, { startUrl: `${site.origin}/held?bytes=${MiB}` });
  const { id: downloadId } = await nextDownload(first.api, other, ({ receivedBytes }) => receivedBytes > 0);
  expect(await filesBelow(folders.exchangeDir)).toHaveLength(1);
  first.child.kill('SIGKILL');
  await first.exited;
  await eventually(
    async () => processesOf(folders.scratchDir).length,
    (left) => left === 0,
  );

  const second = await spawnServer(folders.env);
  expect(await getOne(second.api, other, downloadId)).toMatchObject({
    state: 'failed',
    reason: 'service_restarted',
  });
  expect(await getOne(second.api, id, kept.id)).toEqual(kept);
  expect((await eventsOf(folders.dataDir, other)).at(-1)).toMatchObject({
    type: 'download.failed',
    data: { downloadId, reason: 'service_restarted' },
  });
  expect(await filesBelow(folders.exchangeDir)).toEqual([]);
  for (const each of [id, other]) await second.api.remove(each);
  expect(readdirSync(folders.exchangeDir)).toEqual([]);
  second.child.kill('SIGTERM');
  expect(await second.exited).toEqual({ code: 0, signal: null });
  await site.close();
});

test('without a box, downloads are kept all the same', async () => {
  await using server = await startServer({ BROWSERD_ISOLATION: 'process' });
  const site = await startDownloadSite();
  const id = await newBrowser(server.api, {}, { startUrl: `${site.origin}/report` });
  expect(await nextDownload(server.api, id)).toMatchObject({
    state: 'completed',
    suggestedFilename: 'report.csv',
  });
  await server.api.remove(id);
  expect(readdirSync(server.exchangeDir)).toEqual([]);
  await site.close();
});

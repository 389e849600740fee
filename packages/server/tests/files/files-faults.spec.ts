import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { download, named, upload } from '../support/file-client.ts';
import { filesBelow } from '../support/leaks.ts';
import { eventually, makeFolders, spawnServer } from '../support/server.ts';

/** Files need no process; a stopped browser has none to bring back after a kill either. */
async function stoppedBrowser(api: Api): Promise<string> {
  const { id } = (await api.create()).body;
  await api.stop(id);
  return id;
}

const mostMemory = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** Up and down again, with the bytes compared. */
async function roundTrip(api: Api, id: string, megabytes: number): Promise<string> {
  const chunk = randomBytes(1024 ** 2);
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
  const received = createHash('sha256');
  const response = await download(api, id, file.id);
  for await (const part of response.body ?? []) received.update(part);
  expect(received.digest('hex')).toBe(sha256);
  return file.id;
}

test('a file five times as large needs no more memory, up, down, in ranges and for a slow reader', async () => {
  await using folders = await makeFolders();
  const { api, child, exited } = await spawnServer(folders.env);
  const id = await stoppedBrowser(api);
  await roundTrip(api, id, 40);
  const before = mostMemory(child.pid);
  const fileId = await roundTrip(api, id, 200);
  const range = `bytes=100000000-${100_000_000 + 20 * 1024 ** 2 - 1}`;
  const response = await download(api, id, fileId, { headers: { range } });
  expect(response.status).toBe(206);
  let received = 0;
  for await (const part of response.body ?? []) {
    received += part.length;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(received).toBe(20 * 1024 ** 2);
  expect(mostMemory(child.pid) - before).toBeLessThan(80 * 1024 ** 2);
  child.kill('SIGTERM');
  await exited;
});

describe('the service is killed', () => {
  test('while files come in: what was acknowledged is there, and of the rest nothing', async () => {
    await using folders = await makeFolders();
    const blobs = join(folders.dataDir, 'blobs');
    const first = await spawnServer(folders.env);
    const id = await stoppedBrowser(first.api);
    const body = randomBytes(300_000);
    const { body: kept } = await upload(first.api, id, named('kept.bin'), { body });
    const { body: deleted } = await upload(first.api, id, named('deleted.bin'), { body });
    await first.api.call('DELETE', `/v1/browsers/${id}/files/${deleted.id}`);
    async function* endless() {
      for (;;) {
        yield randomBytes(100_000);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    const cut = [1, 2, 3].map((n) => upload(first.api, id, named(`cut ${n}`), { body: endless() }));
    const outcomes = Promise.allSettled(cut);
    await eventually(
      () => filesBelow(blobs),
      (names) => names.length === 4,
    );
    const { body: last } = await upload(first.api, id, named('last.bin'), { body });
    first.child.kill('SIGKILL');
    await first.exited;
    for (const { status } of await outcomes) expect(status).toBe('rejected');
    expect(await filesBelow(blobs)).toHaveLength(5);

    const second = await spawnServer(folders.env);
    const { body: page } = await second.api.call('GET', `/v1/browsers/${id}/files`);
    expect(page.items).toEqual([last, kept]);
    for (const file of page.items)
      expect(Buffer.from(await (await download(second.api, id, file.id)).arrayBuffer()).equals(body)).toBe(
        true,
      );
    await eventually(
      () => filesBelow(blobs),
      (names) => names.length === 2,
    );
    second.child.kill('SIGTERM');
    expect(await second.exited).toEqual({ code: 0, signal: null });
  });

  test('by request while a file comes in: it is cut off, and nothing of it stays', async () => {
    await using folders = await makeFolders({ BROWSERD_SHUTDOWN_GRACE: '100ms' });
    const blobs = join(folders.dataDir, 'blobs');
    const { api, child, exited } = await spawnServer(folders.env);
    const id = await stoppedBrowser(api);
    async function* hanging() {
      yield randomBytes(100_000);
      await new Promise(() => undefined);
    }
    const cut = upload(api, id, named('cut'), { body: hanging() }).catch(() => 'cut off');
    await eventually(
      () => filesBelow(blobs),
      (names) => names.length === 1,
    );
    child.kill('SIGTERM');
    expect(await cut).toBe('cut off');
    expect(await exited).toEqual({ code: 0, signal: null });
    expect(await filesBelow(blobs)).toEqual([]);
  });
});

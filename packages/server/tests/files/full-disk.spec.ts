import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { download, named, upload } from '../support/file-client.ts';
import { cannotMount, mountSmallDisk, type SmallDisk } from '../support/full-disk.ts';
import { filesBelow } from '../support/leaks.ts';
import { uploadToProject } from '../support/project-file-client.ts';
import { eventually, makeFolders, type ServerProcess, spawnServer } from '../support/server.ts';

const megabyte = 1024 ** 2;

/** A service of its own, with its data on a disk of 64 MiB of which files leave 8 alone. */
describe.skipIf(cannotMount)(`a disk that fills${cannotMount ? ` (skipped: ${cannotMount})` : ''}`, () => {
  let disk: SmallDisk;
  let folders: Awaited<ReturnType<typeof makeFolders>>;
  let server: ServerProcess;
  let api: Api;

  beforeAll(async () => {
    disk = await mountSmallDisk(64);
    folders = await makeFolders({ BROWSERD_STORAGE_RESERVE: '8MiB', BROWSERD_CHECKPOINT_INTERVAL: '100ms' });
    folders.env.BROWSERD_DATA_DIR = join(disk.folder, 'data');
    server = await spawnServer(folders.env);
    api = server.api;
  });
  afterAll(async () => {
    server.child.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    await disk[Symbol.asyncDispose]();
    await folders[Symbol.asyncDispose]();
  });

  const run = (id: string, code: string) =>
    api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
  const blobs = () => filesBelow(join(disk.folder, 'data', 'blobs'));
  const ready = async () => (await api.call('GET', '/health/ready')).body;

  test('takes no more files, and everything else goes on', async () => {
    const { id } = (await api.create()).body;
    const { body: kept } = await upload(api, id, named('kept'), { body: new Uint8Array(megabyte) });
    expect((await ready()).checks.disk.ok).toBe(true);
    await disk.fill(8 * megabyte + 300_000);
    const refused = { status: 507, body: { error: { code: 'STORAGE_FULL', nextStep: 'ask_operator' } } };
    async function* streamed() {
      for (let n = 0; n < 20; n++) yield new Uint8Array(megabyte);
    }
    for (const body of [new Uint8Array(2 * megabyte), streamed()])
      expect(await upload(api, id, named('too much'), { body })).toMatchObject(refused);
    const large = { body: new Uint8Array(2 * megabyte) };
    expect(await uploadToProject(api, named('too much'), large)).toMatchObject(refused);
    await disk.fill(6 * megabyte);
    expect(await upload(api, id, named('a little'), { body: 'x' })).toMatchObject(refused);
    const stored = { body: { html: '<h1>Hello', store: true } };
    expect(await api.call('POST', '/v1/pdf', stored)).toMatchObject(refused);
    expect((await ready()).checks.disk).toMatchObject({
      ok: false,
      detail: expect.stringContaining(disk.folder),
    });
    expect(await blobs()).toEqual([kept.id]);

    expect(
      (await run(id, 'await page.goto("data:text/html,<title>t</title>"); return page.title()')).body,
    ).toMatchObject({
      success: true,
      result: 't',
    });
    expect((await run(id, 'return files.write("a.txt", "x")')).body).toMatchObject({
      success: false,
      error: { message: expect.stringContaining('no room') },
    });
    expect((await download(api, id, kept.id)).status).toBe(200);
    expect(await api.stop(id)).toMatchObject({ status: 200, body: { status: 'stopped' } });
    expect(await api.resume(id)).toMatchObject({ status: 200, body: { status: 'ready' } });
    expect((await api.remove(id)).status).toBe(200);
    const { body: other } = await api.create();
    expect(other.status).toBe('ready');
    await api.call('DELETE', `/v1/browsers/${id}/files/${kept.id}`);
    await disk.empty();
    expect((await upload(api, other.id, named('again'), { body: new Uint8Array(megabyte) })).status).toBe(
      201,
    );
    await api.remove(other.id);
  });

  test('to the last byte stops changes with a clear error, never the service; with room again all is well', async () => {
    const { id } = (await api.create()).body;
    await disk.fill(0);
    const unavailable = {
      status: 503,
      body: { error: { code: 'STORE_UNAVAILABLE', message: expect.stringMatching(/disk/i) } },
    };
    // SQLite has some room of its own left in its log
    const refused = await eventually(
      () => api.create(),
      ({ status }) => status !== 201,
    );
    expect(refused).toMatchObject(unavailable);
    expect((await upload(api, id, named('x'), { body: 'x' })).status).toBeOneOf([503, 507]);
    expect((await api.call('GET', '/health')).status).toBe(200);
    expect((await ready()).checks.disk.ok).toBe(false);
    expect((await api.get(id)).body.status).toBe('ready');
    expect((await run(id, 'return 6 * 7')).body).toMatchObject({ success: true, result: 42 });
    expect(
      (await fetch(`${api.url}/metrics`, { headers: { authorization: `Bearer ${api.key}` } })).status,
    ).toBe(200);

    // what could not be written is written once there is room
    const completed = async () =>
      Number(
        /^browserd_events_total\{type="script.completed"\} (\d+)/m.exec(
          (await api.call('GET', '/metrics')).body,
        )?.[1] ?? 0,
      );
    const before = await completed();
    await disk.empty();
    expect((await run(id, 'return 1')).body.success).toBe(true);
    await eventually(completed, (count) => count === before + 2);
    const { body: page } = await api.call('GET', '/v1/browsers?status=ready&limit=100');
    const made = await api.create();
    expect(made).toMatchObject({ status: 201, body: { status: 'ready' } });
    for (const browser of [...page.items, made.body]) expect((await api.remove(browser.id)).status).toBe(200);
    expect((await ready()).checks.disk.ok).toBe(true);
    expect(server.output()).not.toMatch(/unhandled|uncaught/);
    expect(await readFile(`/proc/${server.child.pid}/stat`, 'utf8')).toContain('node');
  });
});

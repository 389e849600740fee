import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processTree } from '../../src/process/process-tree.ts';
import { capture, readPng } from '../support/capture-client.ts';
import { filesBelow } from '../support/leaks.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

const red = '<!doctype html><body style="margin:0;background:#f00">';
const pages: Record<string, string> = {
  '/red': `${red}<title>red</title>`,
  // once drawn it never does anything else again
  '/loop': `${red}<title>loop</title><script>
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
      fetch('/looping').finally(() => { while (true); });
    }, 100)));
  </script>`,
};

let server: TestServer;
let site: Site;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  site = await startSite(pages);
  server = await startServer({ BROWSERD_STORAGE_QUOTA: '500' });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const open = async (path: string, more: object = {}): Promise<string> =>
  (await server.api.create({ policy, startUrl: site.origin + path, ...more })).body.id;
const shot = (id: string, body?: object, signal?: AbortSignal) =>
  capture(server.api, id, 'screenshot', body, signal);
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body?.error?.code,
];
const centre = async (id: string, body?: object) => readPng(await shot(id, body)).at(640, 360);
const drawn = [255, 0, 0, 255];

async function openLoop(): Promise<string> {
  const seen = site.requests.length;
  const id = await open('/loop');
  await eventually(
    async () => site.requests.slice(seen),
    (requests) => requests.some(({ url }) => url === '/looping'),
  );
  return id;
}

describe('a capture', () => {
  test('does not wait for a script', async () => {
    const id = await open('/red');
    const code = `await context.request.get('${site.origin}/gate'); return 'through'`;
    const script = server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
    await eventually(
      async () => site.requests,
      (requests) => requests.some(({ url }) => url === '/gate'),
    );
    expect(await centre(id)).toEqual(drawn);
    expect((await capture(server.api, id, 'pdf')).status).toBe(200);
    site.openGate();
    expect((await script).body.result).toBe('through');
    await server.api.remove(id);
  });

  test('while a dialog is open shows what was drawn before it, and of the rest says why not', async () => {
    const id = await open('/red');
    const code = `
      page.on('dialog', async (dialog) => { await page.context().request.get('${site.origin}/asked'); await sleep(60000); });
      await page.evaluate('alert(1)');`;
    const script = server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
    await eventually(
      async () => site.requests,
      (requests) => requests.some(({ url }) => url === '/asked'),
    );
    expect(await centre(id)).toEqual(drawn);
    expect((await shot(id, { format: 'jpeg', quality: 10 })).status).toBe(200);
    expect(codeOf(await shot(id, { fullPage: true }))).toEqual([409, 'DIALOG_OPEN']);
    expect(codeOf(await capture(server.api, id, 'pdf'))).toEqual([409, 'DIALOG_OPEN']);
    await server.api.remove(id);
    await script;
  });

  test('of a page that never stops shows what was drawn before, and a PDF is given up', async () => {
    const id = await openLoop();
    const [picture, pdf] = await Promise.all([centre(id), capture(server.api, id, 'pdf')]);
    expect(picture).toEqual(drawn);
    expect(codeOf(pdf)).toEqual([504, 'BROWSER_UNRESPONSIVE']);
    expect((await server.api.status(id)).status).toBe(200);
    await server.api.remove(id);
  });

  test('of a page that crashed says so, and the browser lives on', async () => {
    const id = await open('/red');
    await killRenderers();
    const gone = await eventually(
      () => shot(id),
      ({ status }) => status !== 200,
    );
    expect(codeOf(gone)).toEqual([503, 'PAGE_CRASHED']);
    expect(codeOf(await capture(server.api, id, 'pdf'))).toEqual([503, 'PAGE_CRASHED']);
    const { body } = await server.api.get(id);
    expect([body.status, body.epoch]).toEqual(['ready', 1]);
    await server.api.stop(id);
    await server.api.resume(id);
    await eventually(
      () => shot(id),
      (answer) => answer.status === 200 && readPng(answer).at(640, 360).join() === drawn.join(),
    );
    await server.api.remove(id);
  });

  test('waits in line behind others of its browser, the line has an end, and a closed browser ends it', async () => {
    const id = await openLoop();
    const many = Array.from({ length: 40 }, () => shot(id, { format: 'webp' }).then(codeOf));
    const [full] = await Promise.all([Promise.race(many), Promise.any(many)]);
    expect(full).toEqual([429, 'SCRIPT_QUEUE_FULL']);
    await server.api.remove(id);
    const counts = Map.groupBy(await Promise.all(many), ([, code]) => code);
    expect([...counts.keys()].sort()).toEqual(['BROWSER_NOT_READY', 'SCRIPT_QUEUE_FULL']);
  });

  test('whose caller hangs up takes nothing from the next', async () => {
    const id = await open('/red');
    const gone = new AbortController();
    const cut = Array.from({ length: 8 }, () =>
      shot(id, { fullPage: true }, gone.signal).catch(() => 'gone'),
    );
    const next = centre(id);
    gone.abort();
    expect(new Set(await Promise.all(cut))).toEqual(new Set(['gone']));
    expect(await next).toEqual(drawn);
    await server.api.remove(id);
  });

  test('needs a browser that is ready', async () => {
    const id = await open('/red');
    await server.api.stop(id);
    for (const kind of ['screenshot', 'pdf'] as const) {
      const { status, body } = await capture(server.api, id, kind);
      expect({ status, ...body.error }).toMatchObject({
        status: 409,
        code: 'BROWSER_NOT_READY',
        nextStep: 'resume_browser',
      });
    }
    await server.api.remove(id);
  });

  test('for which there is no room is not kept, and nothing of it stays', async () => {
    const id = await open('/red');
    for (const kind of ['screenshot', 'pdf'] as const)
      expect(codeOf(await capture(server.api, id, kind, { store: true }))).toEqual([413, 'QUOTA_EXCEEDED']);
    expect(await filesBelow(join(server.dataDir, 'blobs'))).toEqual([]);
    expect(await centre(id)).toEqual(drawn);
    await server.api.remove(id);
  });

  test('shows a tab in the background of the whole Chromium, and leaves the active one in front', async ({
    skip,
  }) => {
    const made = await server.api.create({ policy, engine: 'full', startUrl: `${site.origin}/red` });
    if (made.body.error?.code === 'FEATURE_UNAVAILABLE') skip('only one engine is installed');
    const { id } = made.body;
    const { body: first } = await server.api.status(id);
    const code = `const tab = await context.newPage(); await tab.goto('${site.origin}/other')`;
    await server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
    const behind = { tabId: first.activeTab.tabId };
    expect(await centre(id, behind)).toEqual(drawn);
    expect(await centre(id, { ...behind, fullPage: true })).toEqual(drawn);
    expect((await server.api.status(id)).body.activeTab.url).toBe(`${site.origin}/other`);
    expect(await centre(id)).toEqual([255, 255, 255, 255]);
    await server.api.remove(id);
  });
});

/** Of the one browser that is open: there are no warm ones. */
async function killRenderers(): Promise<void> {
  for (const { pid } of await processTree(process.pid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('--type=renderer')) process.kill(pid, 'SIGKILL');
  }
}

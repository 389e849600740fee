import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processTree } from '../../src/process/process-tree.ts';
import { capture, readPng } from '../support/capture-client.ts';
import { connectWithKey } from '../support/cdp-client.ts';
import { chromiumOf, filesBelow, profileOf } from '../support/leaks.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

const red = '<!doctype html><body style="margin:0;background:#f00">';
const onceDrawn = (work: string): string =>
  `<script>requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { ${work} }, 100)))</script>`;
/**
 * Answers after a while: a loop that asks it keeps the page as busy as an empty one, and no processor. `/held` is
 * answered once the picture is taken.
 */
const taken = Promise.withResolvers<void>();
const slow = createServer(({ url }, response) => {
  if (url === '/held') void taken.promise.then(() => response.end());
  else setTimeout(() => response.end(), 200);
});
let slowOrigin: string;

const pages = (): Record<string, string> => ({
  '/red': `${red}<title>red</title>`,
  // once drawn it never does anything else again
  '/loop': `${red}<title>loop</title>${onceDrawn(`fetch('/looping').finally(() => {
    for (;;) {
      const request = new XMLHttpRequest();
      request.open('GET', '${slowOrigin}/', false);
      try { request.send(); } catch {}
    }
  })`)}`,
});

let server: TestServer;
let site: Site;
/** A browser with a red page, for what leaves it as it was. */
let shared: string;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  slowOrigin = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  site = await startSite(pages());
  server = await startServer({ BROWSERD_STORAGE_QUOTA: '500' });
  shared = await open('/red');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
  slow.close();
  slow.closeAllConnections();
});

const open = async (path: string, more: object = {}): Promise<string> =>
  (await server.api.create({ policy, startUrl: site.origin + path, ...more })).body.id;
const untilAsked = (path: string) =>
  eventually(
    async () => site.requests,
    (requests) => requests.some(({ url }) => url === path),
  );
const shot = (id: string, body?: object, signal?: AbortSignal) =>
  capture(server.api, id, 'screenshot', body, signal);
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body?.error?.code,
];
const centre = async (id: string, body?: object) => readPng(await shot(id, body)).at(640, 360);
const drawn = [255, 0, 0, 255];

describe('a capture', () => {
  test('does not wait for a script', async () => {
    const code = `await context.request.get('${site.origin}/gate'); return 'through'`;
    const script = server.api.call('POST', `/v1/browsers/${shared}/script/execute`, { body: { code } });
    await untilAsked('/gate');
    expect(await centre(shared)).toEqual(drawn);
    expect((await capture(server.api, shared, 'pdf')).status).toBe(200);
    site.openGate();
    expect((await script).body.result).toBe('through');
  });

  test('while a dialog is open shows what was drawn before it, and of the rest says why not', async () => {
    const code = `
      page.on('dialog', async (dialog) => {
        await context.request.get('${site.origin}/asked');
        await context.request.get('${slowOrigin}/held');
        await dialog.dismiss();
      });
      await page.evaluate('alert(1)');`;
    const script = server.api.call('POST', `/v1/browsers/${shared}/script/execute`, { body: { code } });
    await untilAsked('/asked');
    expect(await centre(shared)).toEqual(drawn);
    expect((await shot(shared, { format: 'jpeg', quality: 10 })).status).toBe(200);
    expect(codeOf(await shot(shared, { fullPage: true }))).toEqual([409, 'DIALOG_OPEN']);
    expect(codeOf(await capture(server.api, shared, 'pdf'))).toEqual([409, 'DIALOG_OPEN']);
    taken.resolve();
    expect((await script).body).toMatchObject({ success: true });
  });

  test('of a page that never stops shows what was drawn before, and a PDF is given up; others wait in line, the line has an end, and a closed browser ends it', async () => {
    const id = await open('/loop');
    await untilAsked('/looping');
    const [picture, pdf] = await Promise.all([centre(id), capture(server.api, id, 'pdf')]);
    expect(picture).toEqual(drawn);
    expect(codeOf(pdf)).toEqual([504, 'BROWSER_UNRESPONSIVE']);
    expect((await server.api.status(id)).status).toBe(200);

    const many = Array.from({ length: 40 }, () => shot(id, { format: 'webp' }).then(codeOf));
    const [full] = await Promise.all([Promise.race(many), Promise.any(many)]);
    expect(full).toEqual([429, 'SCRIPT_QUEUE_FULL']);
    await server.api.remove(id);
    const counts = Map.groupBy(await Promise.all(many), ([, code]) => code);
    expect([...counts.keys()].sort()).toEqual(['BROWSER_NOT_READY', 'SCRIPT_QUEUE_FULL']);
  });

  test('of a page that crashed says so, and the browser lives on; it needs one that is ready', async () => {
    const id = await open('/red');
    await killRenderers(id);
    const gone = await eventually(
      () => shot(id),
      ({ status }) => status !== 200,
    );
    expect(codeOf(gone)).toEqual([503, 'PAGE_CRASHED']);
    expect(codeOf(await capture(server.api, id, 'pdf'))).toEqual([503, 'PAGE_CRASHED']);
    const { body } = await server.api.get(id);
    expect([body.status, body.epoch]).toEqual(['ready', 1]);
    await server.api.stop(id);
    for (const kind of ['screenshot', 'pdf'] as const) {
      const { status, body: refused } = await capture(server.api, id, kind);
      expect({ status, ...refused.error }).toMatchObject({
        status: 409,
        code: 'BROWSER_NOT_READY',
        nextStep: 'resume_browser',
      });
    }
    await server.api.resume(id);
    await eventually(
      () => shot(id),
      (answer) => answer.status === 200 && readPng(answer).at(640, 360).join() === drawn.join(),
    );
    await server.api.remove(id);
  });

  test('whose caller hangs up takes nothing from the next', async () => {
    const gone = new AbortController();
    const cut = Array.from({ length: 8 }, () =>
      shot(shared, { fullPage: true }, gone.signal).catch(() => 'gone'),
    );
    const next = centre(shared);
    gone.abort();
    expect(new Set(await Promise.all(cut))).toEqual(new Set(['gone']));
    expect(await next).toEqual(drawn);
  });

  test('for which there is no room is not kept, and nothing of it stays', async () => {
    for (const kind of ['screenshot', 'pdf'] as const)
      expect(codeOf(await capture(server.api, shared, kind, { store: true }))).toEqual([
        413,
        'QUOTA_EXCEEDED',
      ]);
    expect(await filesBelow(join(server.dataDir, 'blobs'))).toEqual([]);
    expect(await centre(shared)).toEqual(drawn);
  });

  test('shows a tab in the background of the whole Chromium, and leaves the active one in front', async ({
    skip,
  }) => {
    const made = await server.api.create({ policy, engine: 'full', startUrl: `${site.origin}/red` });
    if (made.body.error?.code === 'FEATURE_UNAVAILABLE') skip('only one engine is installed');
    const { id } = made.body;
    const { body: first } = await server.api.status(id);
    const client = await connectWithKey(server.api, id);
    await client.send('Target.createTarget', { url: `${site.origin}/other` });
    await eventually(
      () => server.api.status(id),
      ({ body }) => body.activeTab.title === 'other',
    );
    client.socket.close();
    const behind = { tabId: first.activeTab.tabId };
    expect(await centre(id, behind)).toEqual(drawn);
    expect(await centre(id, { ...behind, fullPage: true })).toEqual(drawn);
    expect((await server.api.status(id)).body.activeTab.url).toBe(`${site.origin}/other`);
    expect(await centre(id)).toEqual([255, 255, 255, 255]);
    await server.api.remove(id);
  });
});

async function killRenderers(id: string): Promise<void> {
  for (const main of chromiumOf(profileOf(server.scratchDir, id)))
    for (const { pid } of await processTree(main)) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (command.includes('--type=renderer')) process.kill(pid, 'SIGKILL');
    }
}

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type ScriptClient, scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';
import { actionsIn, entriesOf } from '../support/trace-client.ts';
import { unzip } from '../support/zip.ts';

/** One file with all that explains a run. */
let server: TestServer;
let site: Site;
let id: string;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  site = await startSite();
  server = await startServer({ BROWSERD_WEBHOOK_PRIVATE_ACCESS: 'localhost' });
  id = (await server.api.create({ policy })).body.id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const execute: ScriptClient['execute'] = (...call) => scriptClient(server, id).execute(...call);

const failing = `console.log('about to');
await page.goto(args.url);
await page.evaluate(() => console.error('in the page'));
throw new TypeError('not today');`;

test('a failed run has the code, its logs, its error, the page and what happened in one file', async () => {
  const { body } = await execute(failing, {
    capture: { bundle: 'error' },
    args: { url: `${site.origin}/` },
  });
  const entries = await entriesOf(server.api, id, body.bundle);
  const text = (name: string) => entries.get(name)?.toString('utf8') ?? '';
  const json = (name: string) => JSON.parse(text(name));
  expect(text('script.ts')).toBe(failing);
  expect(text('logs.txt')).toMatch(/Z log about to\n$/);
  expect(json('error.json')).toMatchObject({ code: 'SCRIPT_FAILED', message: 'not today' });
  expect(json('call.json')).toMatchObject({
    browserId: id,
    success: false,
    page: { url: `${site.origin}/` },
  });
  expect(json('activity.json')).toContainEqual(expect.objectContaining({ type: 'navigation' }));
  expect(json('console.json')).toMatchObject([{ text: 'in the page' }]);
  expect(json('network.har').log.entries).toMatchObject([
    { request: { method: 'GET', url: `${site.origin}/` }, response: { status: 200 } },
  ]);
  expect(text('page.txt')).toContain('heading "Home"');
  expect(entries.get('screenshot.png')?.subarray(1, 4).toString()).toBe('PNG');
  expect(entries.has('trace.zip')).toBe(false);
});

test('a run with a trace has the trace in it, as it is on its own', async () => {
  const { body } = await execute(failing, {
    capture: { bundle: 'error' },
    trace: true,
    args: { url: `${site.origin}/` },
  });
  const entries = await entriesOf(server.api, id, body.bundle);
  const inside = unzip(entries.get('trace.zip') as Buffer);
  expect(actionsIn(inside)).toEqual(['goto', 'evaluateExpression']);
  expect([...inside.keys()]).toEqual([...(await entriesOf(server.api, id, body.trace)).keys()]);
});

test('a run that goes well has one only if it is asked for always', async () => {
  const onError = await execute('return 1', { capture: { bundle: 'error' } });
  expect(onError.body).toMatchObject({ success: true });
  expect(onError.body).not.toHaveProperty('bundle');
  const always = await execute('return 1', { capture: { bundle: 'always' } });
  const entries = await entriesOf(server.api, id, always.body.bundle);
  expect([...entries.keys()]).toContain('page.txt');
  expect(entries.has('error.json')).toBe(false);
});

test('a run that took too long has one, too', async () => {
  const { body } = await execute('while (true);', { timeoutMs: 500, capture: { bundle: 'error' } });
  const entries = await entriesOf(server.api, id, body.bundle);
  expect(JSON.parse(entries.get('error.json')?.toString() ?? '')).toMatchObject({ code: 'SCRIPT_TIMEOUT' });
  expect(entries.has('screenshot.png')).toBe(true);
});

test('a page that waits for an answer to its dialog keeps the bundle from its picture alone', async () => {
  const { body: browser } = await server.api.create({ policy, dialogs: 'manual' });
  const code = `await page.evaluate(() => { setTimeout(() => alert('stop'), 0) }); await page.click('#none')`;
  const more = { capture: { bundle: 'error' }, returnOnDialog: true };
  const { body } = await execute(code, more, browser.id);
  expect(body.error.code).toBe('DIALOG_OPEN');
  const entries = await entriesOf(server.api, browser.id, body.bundle);
  expect(entries.has('script.ts')).toBe(true);
  expect(entries.has('screenshot.png')).toBe(false);
});

test('webhooks name the file', async () => {
  await using receiver: Receiver = await startReceiver();
  const webhook = { url: receiver.url, events: ['script.failed'] };
  expect((await server.api.call('POST', '/v1/webhooks', { body: webhook })).status).toBe(201);
  const { body } = await execute('throw 1', { capture: { bundle: 'error' }, trace: true });
  await vi.waitFor(
    () => {
      const told = JSON.stringify(receiver.received.map(({ body: sent }) => sent));
      expect(told).toContain(body.bundle.fileId);
      expect(told).toContain(body.trace.fileId);
    },
    { timeout: 90_000, interval: 50 },
  );
});

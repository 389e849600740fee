import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { chromiumOf, profileOf } from '../support/leaks.ts';
import { type ScriptClient, scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';
import { actionsIn, entriesOf, eventsIn } from '../support/trace-client.ts';

/** What a trace of a call holds, and how it ends when the call does not end well. */
let server: TestServer;
let site: Site;
let id: string;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  site = await startSite();
  server = await startServer();
  id = (await server.api.create({ policy })).body.id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const execute: ScriptClient['execute'] = (...call) => scriptClient(server, id).execute(...call);
const patience = { timeout: 90_000, interval: 50 };

describe('a trace', () => {
  test('has the actions, the page around them, the requests, the pictures and the code', async () => {
    const code = `await page.goto(args.url);\nawait page.setContent('<button>Buy</button>');\nawait page.getByRole('button').click();\nreturn page.title();`;
    const { body } = await execute(code, { trace: true, args: { url: `${site.origin}/` } });
    expect(body).toMatchObject({ success: true, trace: { fileId: expect.any(String) } });
    const entries = await entriesOf(server.api, id, body.trace);
    expect(actionsIn(entries)).toEqual(['goto', 'setContent', 'click', 'title']);
    const snapshots = eventsIn(entries).filter(({ type }) => type === 'frame-snapshot');
    expect(JSON.stringify(snapshots)).toContain('Buy');
    const requests = eventsIn(entries, 'trace.network');
    expect(JSON.stringify(requests)).toContain(`${site.origin}/`);
    expect([...entries.keys()].some((name) => name.startsWith('screencast/'))).toBe(true);
    const sources = [...entries].filter(([name]) => name.startsWith('src/'));
    expect(sources.map(([, source]) => source.toString())).toEqual([code]);
    const stacks = JSON.parse(entries.get('trace.stacks')?.toString() ?? '{}');
    const lines = stacks.stacks.map(([, [[, line]]]: [number, [[number, number]]]) => line);
    expect(lines).toEqual(expect.arrayContaining([1, 2, 3, 4]));
  });

  test('leaves out what was not asked for', async () => {
    const trace = { snapshots: false, screenshots: false, sources: false };
    const { body } = await execute(`await page.goto(args.url)`, { trace, args: { url: `${site.origin}/` } });
    const entries = await entriesOf(server.api, id, body.trace);
    expect([...entries.keys()].sort()).toEqual(['trace.stacks', 'trace.trace']);
    expect(actionsIn(entries)).toEqual(['goto']);
  });

  test('is a file of the browser, and the event of the call names it', async () => {
    const { body } = await execute('return 1', { trace: true });
    const { body: files } = await server.api.call('GET', `/v1/browsers/${id}/files`);
    const [file] = files.items.filter((each: { id: string }) => each.id === body.trace.fileId);
    expect(file).toMatchObject({ name: 'trace.zip', mimeType: 'application/zip', source: 'trace' });
    await vi.waitFor(async () => {
      const path = `/v1/browsers/${id}/events?type=script.completed&limit=100`;
      const { body: events } = await server.api.call('GET', path);
      const data = events.items.map((each: { data: object }) => each.data);
      expect(data).toContainEqual(expect.objectContaining({ traceFileId: body.trace.fileId }));
    }, patience);
  });

  test('of a call that is ended for its time is there up to that moment', async () => {
    // It holds its thread as an endless loop does, but takes no processor from others meanwhile.
    const hang = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';
    const code = `await page.goto(args.url); await page.setContent('<p>last</p>'); ${hang}`;
    const { body } = await execute(code, { trace: true, timeoutMs: 6000, args: { url: `${site.origin}/` } });
    expect(body.error).toMatchObject({ code: 'SCRIPT_TIMEOUT' });
    const entries = await entriesOf(server.api, id, body.trace);
    expect(actionsIn(entries)).toEqual(['goto', 'setContent']);
  });

  test('of code that throws is there, with the action that failed', async () => {
    const { body } = await execute(`await page.click('#none', { timeout: 300 })`, { trace: true });
    expect(body.success).toBe(false);
    const entries = await entriesOf(server.api, id, body.trace);
    const [failed] = eventsIn(entries).filter(({ type, error }) => type === 'after' && error);
    expect(JSON.stringify(failed)).toContain('Timeout');
  });

  test('of code that takes the runner down is there up to that moment', async () => {
    const code = `await page.goto(args.url); const held = []; while (true) held.push(new Array(1e6).fill(1));`;
    const { body } = await execute(code, { trace: true, args: { url: `${site.origin}/` } });
    expect(body.error).toMatchObject({ code: 'SCRIPT_ABORTED' });
    expect(actionsIn(await entriesOf(server.api, id, body.trace))).toEqual(['goto']);
  });

  test('belongs to its own call alone', async () => {
    const goTo = (path: string, trace: boolean) =>
      execute(`await page.goto(args.url)`, { trace, args: { url: `${site.origin}${path}` } });
    const [first, second, none] = await Promise.all([
      goTo('/first', true),
      goTo('/second', true),
      goTo('/none', false),
    ]);
    const text = async (kept: object) =>
      JSON.stringify(eventsIn(await entriesOf(server.api, id, kept)).filter(({ type }) => type === 'before'));
    const [one, two] = [await text(first.body.trace), await text(second.body.trace)];
    expect(one).toContain('/first');
    expect(one).not.toMatch(/second|none/);
    expect(two).toContain('/second');
    expect(two).not.toMatch(/first|none/);
    expect(none.body).not.toHaveProperty('trace');
  });

  test('that the code stops itself ends there, and the call goes on', async () => {
    const code = `await page.goto(args.url); await context.tracing.stop().catch(() => 0); await page.title(); return 1`;
    const { body } = await execute(code, { trace: true, args: { url: `${site.origin}/` } });
    expect(body).toMatchObject({ success: true, result: 1 });
    expect(actionsIn(await entriesOf(server.api, id, body.trace))[0]).toBe('goto');
  });

  test('leaves nothing in the folder of the service, and the next call works as before', async () => {
    const { body } = await execute('return 1', { trace: true });
    expect(body.success).toBe(true);
    expect(await readdir(join(server.dataDir, 'evidence'))).toEqual([]);
    expect((await execute('return page.url()')).body).toMatchObject({ success: true });
  });
});

test('a caller that hangs up leaves nothing of its trace', async () => {
  const { body: browser } = await server.api.create({ policy });
  const gone = new AbortController();
  const code = `await page.goto(args.url); await sleep(60_000)`;
  const asked = fetch(`${server.api.url}/v1/browsers/${browser.id}/script/execute`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.api.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ code, trace: true, timeoutMs: 90_000, args: { url: `${site.origin}/` } }),
    signal: gone.signal,
  }).catch(() => undefined);
  await vi.waitFor(async () => {
    const found = await readdir(join(server.dataDir, 'evidence'));
    expect(found).toHaveLength(1);
  }, patience);
  gone.abort();
  await asked;
  await vi.waitFor(async () => {
    expect(await readdir(join(server.dataDir, 'evidence'))).toEqual([]);
  }, patience);
});

test('a Chromium that dies while it is traced ends the call as it always does, and the event names the trace', async () => {
  const { body: browser } = await server.api.create({ policy });
  const code = `await page.goto(args.url); console.log('there'); await sleep(60_000)`;
  const answer = execute(
    code,
    { trace: true, timeoutMs: 90_000, args: { url: `${site.origin}/crash` } },
    browser.id,
  );
  await vi.waitFor(async () => {
    expect(site.requests.some(({ url }) => url === '/crash')).toBe(true);
  }, patience);
  for (const pid of chromiumOf(profileOf(server.scratchDir, browser.id))) process.kill(pid, 'SIGKILL');
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeGreaterThanOrEqual(400);
  await vi.waitFor(async () => {
    const path = `/v1/browsers/${browser.id}/events?type=script.failed`;
    const [failed] = (await server.api.call('GET', path)).body.items;
    const kept = { fileId: failed.data.traceFileId };
    expect(actionsIn(await entriesOf(server.api, browser.id, kept))).toEqual(['goto']);
  }, patience);
  expect(await readdir(join(server.dataDir, 'evidence'))).toEqual([]);
});

test('a trace that grows too large is left out, says so, and fails nothing', async () => {
  await using small = await startServer({ BROWSERD_TRACE_LIMIT: '200KiB' });
  const { body: browser } = await small.api.create({ policy });
  const code = `for (let i = 0; i < 20; i++) await page.setContent('<p>' + String(i).repeat(20_000) + '</p>'); return 1`;
  const { body } = await scriptClient(small, browser.id).execute(code, { trace: true });
  expect(body).toMatchObject({ success: true, result: 1 });
  expect(body.trace).toEqual({ omitted: expect.stringContaining('larger than 204800 bytes') });
});

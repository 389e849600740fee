import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capability, cdpPath, connect, keyHeader, refusalOf } from '../support/cdp-client.ts';
import { makeKey } from '../support/keys.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

/** What clients ask at Chromium's debugging port over HTTP, asked at the address of a browser. */
let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await startServer();
  id = (await server.api.create()).body.id;
});
afterAll(() => server?.[Symbol.asyncDispose]());

const ask = (path: string, method = 'GET') => server.api.call(method, `${cdpPath(id)}/json${path}`);
const open = async (url: string) => (await ask(`/new?${encodeURIComponent(url)}`, 'PUT')).body;
const listed = async (): Promise<{ id: string; type: string; title: string; url: string }[]> =>
  (await ask('/list')).body;
const tabs = async (): Promise<{ url: string; active: boolean }[]> =>
  (await server.api.call('GET', `/v1/browsers/${id}/tabs`)).body.items;

describe('the list of pages', () => {
  test('names each page as Chromium does, with the address of a socket of its own', async () => {
    const opened = await open('data:text/html,<title>Listed</title>');
    const list = await eventually(listed, (found) => found.some(({ title }) => title === 'Listed'));
    expect(list.find((each) => each.id === opened.id)).toEqual({
      description: '',
      id: opened.id,
      title: 'Listed',
      type: 'page',
      url: 'data:text/html,<title>Listed</title>',
      webSocketDebuggerUrl: expect.stringContaining(`/cdp/devtools/page/${opened.id}?token=bdc_`),
    });
    // spellings that only some clients use are not in the document
    for (const path of ['', '/', '/list/']) {
      const answer = await fetch(`${server.api.url}${cdpPath(id)}/json${path}`, keyHeader(server.api));
      const found = (await answer.json()) as { id: string }[];
      expect(found.map((each) => each.id)).toEqual(list.map((each) => each.id));
    }
    await ask(`/close/${opened.id}`);
  });

  test('is for those who may connect: with a key, or with a signed token that is for this browser', async () => {
    const { search } = new URL(await capability(server.api, id));
    const address = `${server.api.url}${cdpPath(id)}/json`;
    expect((await fetch(`${address}/list${search}`)).status).toBe(200);
    expect((await fetch(`${address}/list`)).status).toBe(401);
    const other = (await server.api.create()).body.id;
    expect((await fetch(`${server.api.url}${cdpPath(other)}/json/list${search}`)).status).toBe(401);
    const stranger = server.api.as(await makeKey(server.dataDir, { project: 'discovery' }));
    expect(await stranger.call('GET', `${cdpPath(id)}/json/list`)).toMatchObject({
      status: 404,
      body: { error: { code: 'BROWSER_NOT_FOUND' } },
    });
    await server.api.remove(other);
  });
});

describe('a page', () => {
  test('is opened by its address, as the whole query, or encoded beside a token', async () => {
    const plain = await ask('/new?data:text/html,<title>Plain</title>', 'PUT');
    expect(plain).toMatchObject({ status: 200, body: { type: 'page' } });
    const { search } = new URL(await capability(server.api, id));
    const address = `${server.api.url}${cdpPath(id)}/json/new${search}`;
    const url = 'data:text/html,<title>Signed</title>?a=1&b=2';
    const signed = await fetch(`${address}&url=${encodeURIComponent(url)}`, { method: 'PUT' });
    const whole = await fetch(`${address}&data:text/html,<title>Whole</title>`, { method: 'PUT' });
    const bare = await ask('/new', 'PUT');
    const opened = [plain.body, await signed.json(), await whole.json(), bare.body] as { id: string }[];
    const expected = ['Plain', 'Signed', 'Whole', 'about:blank'];
    const titles = await eventually(
      async () => (await listed()).filter((each) => opened.some((one) => one.id === each.id)),
      (found) => expected.every((title) => found.some((each) => each.title === title)),
    );
    expect(titles.length).toBe(expected.length);
    for (const each of opened) await ask(`/close/${each.id}`);
  });

  test('of Chromium’s own, or of the machine, is not opened', async () => {
    for (const url of ['file:///etc/passwd', 'chrome://version', 'javascript:1'])
      expect(await ask(`/new?${url}`, 'PUT')).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_FAILED', message: expect.stringContaining('not opened') } },
      });
    expect((await ask('/new?about:blank')).status).toBe(405);
  });

  test('comes to the front, for tabs as for clients, and is closed', async () => {
    const [first, second] = [await open('data:,first'), await open('data:,second')];
    for (const { id: targetId } of [second, first]) {
      const answer = await fetch(
        `${server.api.url}${cdpPath(id)}/json/activate/${targetId}`,
        keyHeader(server.api),
      );
      expect(await answer.text()).toBe('Target activated');
    }
    await eventually(tabs, (all) => all.some(({ active, url }) => active && url === 'data:,first'));
    const answer = await fetch(
      `${server.api.url}${cdpPath(id)}/json/close/${first.id}`,
      keyHeader(server.api),
    );
    expect(await answer.text()).toBe('Target is closing');
    await eventually(listed, (list) => list.every((each) => each.id !== first.id));
    for (const action of ['activate', 'close'])
      expect(await ask(`/${action}/${first.id}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'TAB_NOT_FOUND' } },
      });
    await ask(`/close/${second.id}`);
  });
});

describe('a socket to one page', () => {
  test('speaks to it without a session, hears its frames and workers, and nothing of the rest', async () => {
    const { webSocketDebuggerUrl } = await open('data:text/html,<title>Alone</title>');
    const client = await connect(webSocketDebuggerUrl);
    const heard: { method?: string; sessionId?: string }[] = [];
    client.socket.on('message', (data) => heard.push(JSON.parse(data.toString())));
    await eventually(
      () => client.send('Runtime.evaluate', { expression: 'document.title', returnByValue: true }),
      ({ result }) => result.value === 'Alone',
    );
    await client.send('Runtime.enable');
    await client.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: false,
      flatten: true,
    });
    const other = await open('data:text/html,<title>Other</title>');
    await client.send('Runtime.evaluate', {
      expression: 'globalThis.kept = new Worker(URL.createObjectURL(new Blob(["globalThis.answer = 42"])))',
    });
    const found = await eventually(
      async () => heard.find(({ method }) => method === 'Target.attachedToTarget') as never,
      (event) => event !== undefined,
    );
    const { sessionId, targetInfo } = (
      found as { params: { sessionId: string; targetInfo: { type: string } } }
    ).params;
    expect(targetInfo.type).toBe('worker');
    const inWorker = await eventually(
      () => client.send('Runtime.evaluate', { expression: 'answer', returnByValue: true }, sessionId),
      ({ result }) => result.value !== undefined,
    );
    expect(inWorker.result.value).toBe(42);
    expect(
      heard.filter(({ method }) => method?.startsWith('Runtime.')).every((each) => !each.sessionId),
    ).toBe(true);
    expect(JSON.stringify(heard)).not.toContain(other.id);
    await ask(`/close/${other.id}`);
    client.socket.close();
  });

  test('is behind the same filter', async () => {
    const { webSocketDebuggerUrl, id: targetId } = await open('about:blank');
    const client = await connect(webSocketDebuggerUrl);
    await expect(client.send('Page.navigate', { url: 'file:///etc/passwd' })).rejects.toThrow(/not allowed/);
    await expect(client.send('Tracing.start')).rejects.toThrow(/not allowed/);
    await client.send('Browser.close');
    expect((await client.closed).code).toBe(1000);
    expect((await listed()).some((each) => each.id === targetId)).toBe(true);
    await ask(`/close/${targetId}`);
  });

  test('ends with the page, and is refused where there is none', async () => {
    const { webSocketDebuggerUrl, id: targetId } = await open('about:blank');
    const client = await connect(webSocketDebuggerUrl);
    await client.send('Page.enable');
    await ask(`/close/${targetId}`);
    expect((await client.closed).code).toBe(1000);
    expect(await refusalOf(webSocketDebuggerUrl)).toMatchObject({
      status: 404,
      body: { error: { code: 'TAB_NOT_FOUND' } },
    });
  });
});

test('the protocol is described without what is refused', async () => {
  const { body } = await ask('/protocol');
  const domains = new Map<string, { name: string }[]>(
    body.domains.map((each: { domain: string; commands: { name: string }[] }) => [
      each.domain,
      each.commands,
    ]),
  );
  expect(domains.get('Page')?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['navigate', 'enable']),
  );
  expect(domains.get('Page')?.map(({ name }) => name)).not.toContain('crash');
  expect(domains.has('Tracing')).toBe(false);
  expect(domains.has('Runtime')).toBe(true);
});

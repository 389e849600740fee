import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import {
  type Bare,
  capability,
  cdpPath,
  connect,
  connectWithKey,
  keyHeader,
  refusalOf,
  socketUrl,
} from '../support/cdp-client.ts';
import { makeKey } from '../support/keys.ts';
import { chromiumOf, filesIn, processesOf, profileOf } from '../support/leaks.ts';
import {
  eventually,
  makeFolders,
  spawnServer,
  startServer,
  type TestServer,
  untilStatus,
} from '../support/server.ts';

let server: TestServer;
/** For clients that leave it as it was. */
let shared: string;
beforeAll(async () => {
  server = await startServer();
  shared = await create();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  expect(processesOf(server.scratchDir)).toEqual([]);
  expect(await filesIn(server.scratchDir)).toEqual([]);
});

const create = async (input = {}): Promise<string> => (await server.api.create(input)).body.id;
const evaluate = async (client: Bare, sessionId: string, expression: string): Promise<unknown> =>
  (await client.send('Runtime.evaluate', { expression, returnByValue: true }, sessionId)).result.value;
const eventsOf = async (browserId: string) => {
  const store = await openStore({ databaseUrl: null, dataDir: server.dataDir });
  const { id: projectId } = await store.projects.ensure('default');
  const events = await store.events.list({ projectId, browserId, limit: 100 });
  await store.close();
  return events;
};
const script = (id: string, code: string) =>
  server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });

describe('a bare WebSocket client', () => {
  test('of Node itself lists targets, attaches and evaluates', async () => {
    const socket = new globalThis.WebSocket(await capability(server.api, shared));
    let lastId = 0;
    // biome-ignore lint/suspicious/noExplicitAny: whatever came back
    const ask = (method: string, params: object = {}, sessionId?: string): Promise<any> =>
      new Promise((resolve) => {
        const mine = ++lastId;
        socket.addEventListener('message', ({ data }) => {
          const message = JSON.parse(data);
          if (message.id === mine) resolve(message.result);
        });
        socket.send(JSON.stringify({ id: mine, method, params, sessionId }));
      });
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const { targetInfos } = await ask('Target.getTargets');
    const { sessionId } = await ask('Target.attachToTarget', {
      targetId: targetInfos[0].targetId,
      flatten: true,
    });
    expect((await ask('Runtime.evaluate', { expression: '6 * 7' }, sessionId)).result.value).toBe(42);
    socket.close();
  });

  test('may send text, bytes and fragments, and 64 MiB in both directions', async () => {
    // a mask of zeros, as masking 64 MiB is a second of work for either side
    const unmasked = { generateMask: (mask: Buffer) => void mask.fill(0) };
    const client = await connect(socketUrl(server.api, shared), { ...keyHeader(server.api), ...unmasked });
    const sessionId = await client.attach();
    const answerTo = (id: number) =>
      // biome-ignore lint/suspicious/noExplicitAny: whatever came back
      new Promise<any>((resolve) => {
        client.socket.on('message', function hear(data) {
          const message = JSON.parse(data.toString());
          if (message.id !== id) return;
          client.socket.off('message', hear);
          resolve(message.result);
        });
      });
    const heard = answerTo(77);
    const [head, tail] = ['{"id":77,"method":"Brow', 'ser.getVersion"}'];
    client.socket.send(Buffer.from(head), { fin: false });
    client.socket.send(Buffer.from(tail), { fin: true });
    expect((await heard).product).toMatch(/Chrome/);
    const large = 64 * 1024 ** 2;
    // as a comment, which V8 skips, where it would hash a string
    const around = '(() => {/**/}).toString().length';
    const length = answerTo(78);
    const params = { expression: around.replace('**', '*BIG*'), returnByValue: true };
    const [before = '', after = ''] = JSON.stringify({
      id: 78,
      method: 'Runtime.evaluate',
      params,
      sessionId,
    }).split('BIG');
    client.socket.send(Buffer.concat([Buffer.from(before), Buffer.alloc(large, 'x'), Buffer.from(after)]), {
      binary: false,
    });
    expect((await length).result.value).toBe('() => {/**/}'.length + large);
    const read = (await evaluate(client, sessionId, `'x'.repeat(${large})`)) as string;
    expect(read.length).toBe(large);
    client.socket.close();
  });

  test('works side by side with scripts and other clients, and its emulation ends with it', async () => {
    const id = await create({ viewport: { width: 800, height: 600 }, timezone: 'Europe/Rome' });
    const [one, two] = await Promise.all([connectWithKey(server.api, id), connectWithKey(server.api, id)]);
    const [first, second] = [await one.attach(), await two.attach()];
    const look = '[innerWidth, Intl.DateTimeFormat().resolvedOptions().timeZone]';
    await one.send(
      'Emulation.setDeviceMetricsOverride',
      { width: 500, height: 400, deviceScaleFactor: 1, mobile: false },
      first,
    );
    const [scripted, evaluated] = await Promise.all([
      script(id, 'return page.evaluate("innerWidth")'),
      evaluate(two, second, 'innerWidth'),
    ]);
    expect([scripted.body.result, evaluated]).toEqual([500, 500]);
    // One that sets nothing changes nothing by leaving.
    const passer = await connectWithKey(server.api, id);
    await passer.attach();
    passer.socket.close();
    await passer.closed;
    await script(id, 'return 1');
    expect(await evaluate(two, second, 'innerWidth')).toBe(500);
    await expect(two.send('Runtime.evaluate', { expression: '1' }, first)).rejects.toThrow(
      /Session with given id/,
    );
    one.socket.close();
    await eventually(
      () => evaluate(two, second, look),
      (seen) => JSON.stringify(seen) === '[800,"Europe/Rome"]',
    );
    two.socket.close();
    await server.api.remove(id);
  });

  test('that only stays open does not keep the browser from its idle time-out; one that speaks does', async () => {
    // far longer than a busy machine keeps a client from speaking
    const idleTimeout = 5000;
    const id = await create({ idleTimeout });
    const client = await connectWithKey(server.api, id);
    const began = Date.now();
    while (Date.now() - began < idleTimeout * 1.5) {
      await client.send('Browser.getVersion');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect((await server.api.get(id)).body.status).toBe('ready');
    expect(await client.closed).toEqual({
      code: 4000,
      reason: 'BROWSER_NOT_READY: the browser was stopped; resume it and connect again',
    });
    await untilStatus(server.api, id, 'stopped');
    await server.api.remove(id);
  });
});

describe('a socket ends', () => {
  test('when its browser stops, crashes or is closed, with a code for each; its address works again', async () => {
    const { api } = server;
    const { id } = (await api.create()).body;
    const url = await capability(api, id);
    const stopped = await connect(url);
    await api.stop(id);
    expect((await stopped.closed).code).toBe(4000);
    expect((await refusalOf(url)).body.error).toMatchObject({
      code: 'BROWSER_NOT_READY',
      nextStep: 'resume_browser',
    });
    await api.resume(id);

    const crashed = await connect(url);
    const [pid] = chromiumOf(profileOf(server.scratchDir, id));
    process.kill(pid as number, 'SIGKILL');
    expect((await crashed.closed).code).toBe(4002);
    await eventually(
      () => api.get(id),
      ({ body }) => body.epoch === 3 && body.status === 'ready',
    );

    const closed = await connect(url);
    await api.remove(id);
    expect(await closed.closed).toEqual({ code: 4001, reason: 'BROWSER_NOT_READY: the browser was closed' });
    expect((await refusalOf(url)).body.error).toMatchObject({
      code: 'BROWSER_NOT_READY',
      nextStep: 'create_browser',
    });
  });

  test('at Browser.close, and the browser goes on', async () => {
    const client = await connectWithKey(server.api, shared);
    await client.send('Browser.close').catch(() => undefined);
    expect((await client.closed).code).toBe(1000);
    expect((await server.api.get(shared)).body).toMatchObject({ status: 'ready', epoch: 1 });
  });

  test('at once when the service is asked to stop, also with a client that does not answer', async () => {
    await using folders = await makeFolders({ BROWSERD_ISOLATION: 'strict' });
    const own = await spawnServer(folders.env);
    const { body: browser } = await own.api.create();
    const [polite, deaf] = [
      await connectWithKey(own.api, browser.id),
      await connectWithKey(own.api, browser.id),
    ];
    deaf.socket.pause();
    own.child.kill('SIGTERM');
    expect(await polite.closed).toEqual({
      code: 1001,
      reason: 'SERVICE_SHUTTING_DOWN: the service is stopping; connect again shortly',
    });
    expect(await own.exited).toEqual({ code: 0, signal: null });
    deaf.socket.terminate();
    expect(own.output()).not.toContain('bdc_');
  });
});

describe('a signed address', () => {
  test('is told of in an event, without its token, and nowhere written down', async () => {
    const { status, body } = await server.api.call('POST', `/v1/browsers/${shared}/capabilities`, {
      body: { kind: 'cdp', ttlSeconds: 60 },
    });
    expect({ status, ...body }).toMatchObject({ status: 201, kind: 'cdp', mode: 'control' });
    expect(body.url).toMatch(new RegExp(`^${socketUrl(server.api, shared)}\\?token=bdc_[\\w-]+\\.[\\w-]+$`));
    expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThanOrEqual(60_000);
    const { kind, mode, expiresAt } = body;
    const issued = await eventually(
      () => eventsOf(shared),
      (events) => events.at(-1)?.data.expiresAt === expiresAt,
    );
    expect(issued.at(-1)).toMatchObject({ type: 'capability.issued', data: { kind, mode, expiresAt } });
    expect(JSON.stringify(issued)).not.toContain('bdc_');
  });

  test('is told of in the same way where a hand-over or the discovery of CDP makes one', async () => {
    const path = `/v1/browsers/${shared}`;
    await server.api.call('POST', `${path}/handoff`, { body: { message: 'Please.' } });
    await server.api.call('DELETE', `${path}/handoff`);
    await server.api.call('GET', `${path}/cdp/json/version`);
    const issued = await eventually(
      async () => (await eventsOf(shared)).filter(({ type }) => type === 'capability.issued'),
      (events) => events.at(-1)?.data.purpose === 'discovery',
    );
    expect(issued.slice(-2)).toMatchObject([
      { data: { kind: 'live', mode: 'control', purpose: 'handoff' } },
      { data: { kind: 'cdp', mode: 'control', purpose: 'discovery' } },
    ]);
    expect(JSON.stringify(issued)).not.toContain('bdc_');
  });

  test('is refused for a closed browser, and for a client that may only look', async () => {
    const id = await create();
    const ask = async (body: object) =>
      (await server.api.call('POST', `/v1/browsers/${id}/capabilities`, { body })).body.error;
    expect(await ask({ kind: 'cdp', mode: 'view' })).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await ask({ kind: 'cdp', ttlSeconds: 9 })).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await ask({ kind: 'cdp', ttlSeconds: 86_401 })).toMatchObject({ code: 'VALIDATION_FAILED' });
    await server.api.remove(id);
    expect(await ask({ kind: 'cdp' })).toMatchObject({
      code: 'BROWSER_NOT_READY',
      nextStep: 'create_browser',
    });
  });

  test('opens its browser and nothing else, and dies with the key that asked for it', async () => {
    const [id, other] = [shared, await create()];
    const { body: key } = await server.api.call('POST', '/v1/keys', { body: { name: 'lender' } });
    const url = await capability(server.api.as(key.key), id);
    const query = new URL(url).search;
    const client = await connect(url);
    expect((await refusalOf(socketUrl(server.api, other) + query)).status).toBe(401);
    for (const path of [`/v1/browsers/${id}`, `/v1/browsers/${id}/status`])
      expect((await fetch(server.api.url + path + query)).status).toBe(401);
    await server.api.call('DELETE', `/v1/keys/${key.id}`);
    expect((await refusalOf(url)).body.error.code).toBe('UNAUTHENTICATED');
    client.socket.close();
    await server.api.remove(other);
  });

  test('that discovery hands out is no better than the one it was asked with', async () => {
    const url = await capability(server.api, shared, { ttlSeconds: 30 });
    const ask = async (address: string) =>
      (await fetch(address.replace(/^ws/, 'http').replace('/cdp?', '/cdp/json/version?'))).json();
    const { webSocketDebuggerUrl } = (await ask(url)) as { webSocketDebuggerUrl: string };
    const expiryOf = (address: string): number => {
      const token = new URL(address).searchParams.get('token') ?? '';
      return JSON.parse(Buffer.from(token.slice(4).split('.')[0] ?? '', 'base64url').toString()).at(-1);
    };
    expect(expiryOf(webSocketDebuggerUrl)).toBe(expiryOf(url));
    (await connect(webSocketDebuggerUrl)).socket.close();
  });
});

describe('an upgrade is refused, in the one shape of errors,', () => {
  test('without a key, with a wrong one, and to strangers', async () => {
    const url = socketUrl(server.api, shared);
    const stranger = server.api.as(await makeKey(server.dataDir, { project: 'stranger' }));
    expect(await refusalOf(url)).toMatchObject({
      status: 401,
      body: { error: { code: 'UNAUTHENTICATED' } },
      headers: { 'www-authenticate': 'Bearer', connection: 'close' },
    });
    expect((await refusalOf(url, keyHeader(server.api.as('bd_wrong')))).status).toBe(401);
    expect((await refusalOf(url, keyHeader(stranger))).body.error.code).toBe('BROWSER_NOT_FOUND');
    expect((await refusalOf(url.replace(shared, 'browser_x'), keyHeader(server.api))).status).toBe(404);
  });

  test('when too many clients are there; an ordinary request is told to upgrade', async () => {
    const id = await create();
    const clients = await Promise.all(Array.from({ length: 32 }, () => connectWithKey(server.api, id)));
    const refused = await refusalOf(socketUrl(server.api, id), keyHeader(server.api));
    expect([refused.status, refused.body.error.code]).toEqual([429, 'TOO_MANY_CLIENTS']);
    for (const { socket } of clients) socket.close();
    await eventually(
      () =>
        connectWithKey(server.api, id).then(
          ({ socket }) => socket.close() ?? true,
          () => false,
        ),
      (came) => came,
    );
    expect(await server.api.call('GET', cdpPath(id))).toMatchObject({
      status: 426,
      body: { error: { code: 'UPGRADE_REQUIRED' } },
    });
    await server.api.remove(id);
  });

  test('where Chromium is not walled in', async () => {
    await using loose = await startServer({ BROWSERD_ISOLATION: 'process' });
    const { body: browser } = await loose.api.create();
    const refused = await refusalOf(socketUrl(loose.api, browser.id), keyHeader(loose.api));
    expect([refused.status, refused.body.error.code]).toEqual([503, 'ISOLATION_UNAVAILABLE']);
    for (const [method, path, body] of [
      ['GET', `${cdpPath(browser.id)}/json/version`, undefined],
      ['POST', `/v1/browsers/${browser.id}/capabilities`, { kind: 'cdp' }],
    ] as const)
      expect((await loose.api.call(method, path, { body })).body.error.code).toBe('ISOLATION_UNAVAILABLE');
  });
});

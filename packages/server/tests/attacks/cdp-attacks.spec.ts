import { connect as dial } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Capabilities, type Grant } from '../../src/access/capabilities.ts';
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
import { startServer, type TestServer } from '../support/server.ts';

/** A hostile client of the CDP socket. After each attack the service is well, and so is the browser. */
let server: TestServer;
let id: string;
let url: string;

beforeAll(async () => {
  server = await startServer({ BROWSERD_REQUEST_TIMEOUT: '3s' });
  id = (await server.api.create()).body.id;
  url = socketUrl(server.api, id);
});
afterEach(async () => {
  expect((await server.api.call('GET', '/health')).status).toBe(200);
  expect((await server.api.get(id)).body).toMatchObject({ status: 'ready', epoch: 1 });
  const client = await connectWithKey(server.api, id);
  const { result } = await client.send('Runtime.evaluate', { expression: '6 * 7' }, await client.attach());
  expect(result.value).toBe(42);
  client.socket.close();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Signed with the service's own secret, as no caller could. */
async function signed(fields: Partial<Grant>): Promise<string> {
  const store = await openStore({ databaseUrl: null, dataDir: server.dataDir });
  const { id: projectId } = await store.projects.ensure('default');
  const [key] = await store.keys.list({ projectId, limit: 1 });
  const given = { subjectId: id, projectId, keyId: key?.id ?? '', expiresAt: Date.now() + 60_000 };
  const token = await new Capabilities({ store }).issue({
    kind: 'cdp',
    mode: 'control',
    ...given,
    ...fields,
  });
  await store.close();
  return `${url}?token=${token}`;
}

const codeOf = async (address: string, options = {}): Promise<string> =>
  (await refusalOf(address, options)).body.error.code;

/** Writes the bytes as they are; what comes back until the other side is done. */
const raw = (bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = '';
    const socket = dial(server.service.port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', () => undefined).on('close', () => resolve(answer));
  });

const upgrade = (more = '', method = 'GET'): string =>
  `${method} ${cdpPath(id)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.api.key}\r\nConnection: Upgrade\r\n` +
  `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;

describe('a token', () => {
  test('that has expired, is of another kind, browser or key, or comes twice or elsewhere opens nothing', async () => {
    (await connect(await signed({}))).socket.close();
    const good = await capability(server.api, id);
    const token = new URL(good).searchParams.get('token') ?? '';
    const { body: other } = await server.api.create();
    for (const bad of [
      await signed({ expiresAt: Date.now() - 1 }),
      await signed({ kind: 'live' }),
      await signed({ subjectId: other.id }),
      await signed({ keyId: 'key_00000000000000000000000000' }),
      (await capability(server.api, other.id)).replace(other.id, id),
      `${good}&token=${token}`,
      `${good}A.A`,
      `${url}?token=`,
      `${url}?token=${server.api.key}`,
      `${url}?token[]=${token}`,
      `${url}?Token=${token}`,
    ])
      expect(await codeOf(bad), bad).toBe('UNAUTHENTICATED');
    expect(await codeOf(url, { headers: { authorization: `Bearer ${token}` } })).toBe('UNAUTHENTICATED');
    await server.api.remove(other.id);
  });

  test('decides alone: a good key does not mend a bad one', async () => {
    expect(await codeOf(`${url}?token=bdc_x.y`, keyHeader(server.api))).toBe('UNAUTHENTICATED');
  });

  test('of a stranger opens the stranger’s browsers alone', async () => {
    const stranger = server.api.as(await makeKey(server.dataDir, { project: 'stranger' }));
    expect(await codeOf(url, keyHeader(stranger))).toBe('BROWSER_NOT_FOUND');
    const issued = await stranger.call('POST', `/v1/browsers/${id}/capabilities`, { body: { kind: 'cdp' } });
    expect(issued.body.error.code).toBe('BROWSER_NOT_FOUND');
  });
});

describe('a handshake', () => {
  test('with a body, a second request or another method behind it gives nobody anything', async () => {
    const hidden = `GET /v1/keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.api.key}\r\n\r\n`;
    for (const [bytes, status] of [
      [upgrade('', 'POST') + hidden, 405],
      [`${upgrade('Content-Length: 5\r\n')}hello`, 426],
      [`${upgrade('Transfer-Encoding: chunked\r\n')}0\r\n\r\n`, 426],
      [upgrade('Sec-WebSocket-Protocol: ,,\r\n'), 400],
    ] as const)
      expect(
        Number((await raw(bytes.replace('Connection: Upgrade', 'Connection: Upgrade, close'))).split(' ')[1]),
        bytes,
      ).toBe(status);
    // What follows a good handshake is read as frames, of which it has none.
    const answer = await raw(upgrade() + hidden);
    expect(answer).toMatch(/^HTTP\/1\.1 101 /);
    expect(answer).not.toContain('HTTP/1.1 200');
  });

  test('for another protocol, or where there is no socket, is an ordinary request', async () => {
    const close = (bytes: string): string =>
      bytes.replace('Connection: Upgrade', 'Connection: Upgrade, close');
    expect(await raw(close(upgrade()).replace('websocket', 'h2c'))).toMatch(/^HTTP\/1\.1 426 /);
    expect(await raw(close(upgrade()).replace(cdpPath(id), '/health'))).toMatch(
      /^HTTP\/1\.1 200 .*"status":"ok"/s,
    );
    expect(await raw(close(upgrade()).replace(cdpPath(id), `/v1/browsers/${id}`))).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    expect(await raw(close(upgrade()).replace(cdpPath(id), '/nowhere'))).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('that is never finished ends by itself', async () => {
    const half = Array.from({ length: 50 }, () => raw(upgrade().slice(0, 120)));
    expect((await server.api.get(id)).status).toBe(200);
    for (const answer of await Promise.all(half)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('on an open socket', () => {
  const refuses = async (client: Bare, ...commands: [string, object?][]): Promise<void> => {
    const sessionId = await client.attach();
    for (const [method, params] of commands)
      for (const session of [undefined, sessionId])
        await expect(client.send(method, params, session), method).rejects.toThrow();
  };

  test('files, Chromium’s own pages, the way out and the end of the browser stay closed', async () => {
    const client = await connectWithKey(server.api, id);
    await refuses(
      client,
      ['Page.navigate', { url: 'file:///etc/passwd' }],
      ['Target.createTarget', { url: 'chrome://version' }],
      ['Target.createBrowserContext', { proxyServer: 'http://127.0.0.1:1' }],
      ['DOM.setFileInputFiles', { files: ['/etc/passwd'], nodeId: 1 }],
      ['Browser.crash'],
      ['Browser.getBrowserCommandLine'],
      ['SystemInfo.getProcessInfo'],
      ['Tracing.start', {}],
      ['Target.exposeDevToolsProtocol', { targetId: 'x' }],
      ['Target.sendMessageToTarget', { message: '{}' }],
      ['Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false }],
    );
    client.socket.close();
  });

  test('what is no command is answered, or passed over, and harms nobody', async () => {
    const client = await connectWithKey(server.api, id);
    for (const noise of [
      '',
      '[]',
      'null',
      '{',
      '\u0000',
      '{"id":999}',
      `{"id":${'9'.repeat(400)}}`,
      '['.repeat(1e6),
    ])
      client.socket.send(noise);
    client.socket.send(Buffer.from([0xff, 0xfe, 0x00]));
    expect((await client.send('Browser.getVersion')).product).toMatch(/Chrome/);
    client.socket.close();
  });

  test('a hundred thousand tiny messages are all answered, and others are served meanwhile', async () => {
    const client = await connectWithKey(server.api, id);
    let answers = 0;
    client.socket.on('message', () => answers++);
    const many = 100_000;
    for (let n = 0; n < many; n++) client.socket.send(`{"id":${n},"method":"Browser.getVersion"}`);
    const other = await connectWithKey(server.api, id);
    expect((await other.send('Browser.getVersion')).product).toMatch(/Chrome/);
    await expect.poll(() => answers, { timeout: 170_000 }).toBe(many);
    client.socket.close();
    other.socket.close();
  });

  test('a client that never reads is sent away before it costs too much', async () => {
    const client = await connectWithKey(server.api, id);
    const sessionId = await client.attach();
    await client.send(
      'Runtime.evaluate',
      { expression: "window.much = 'x'.repeat(8 * 1024 ** 2); 1" },
      sessionId,
    );
    const before = process.memoryUsage().rss;
    client.socket.pause();
    for (let n = 0; n < 20; n++)
      client.socket.send(
        JSON.stringify({
          id: 1000 + n,
          method: 'Runtime.evaluate',
          params: { expression: 'much' },
          sessionId,
        }),
      );
    const other = await connectWithKey(server.api, id);
    const second = await other.attach();
    // Answers come in order: when this one is there, Chromium has said all of the above.
    await other.send('Runtime.evaluate', { expression: 'delete window.much' }, second);
    await new Promise((resolve) => setImmediate(resolve));
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 ** 2);
    client.socket.resume();
    expect((await client.closed).code).toBeOneOf([4003, 1006]);
    other.socket.close();
  });
});

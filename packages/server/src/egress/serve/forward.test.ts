import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { exit, get, hangsUp, listening, local, openSite, readUntil, soon, speak } from '../egress.fixture.ts';

describe('plain requests', () => {
  test('are refused before a policy is given', async () => {
    const egress = await exit();
    const got = await get(egress, 'http://example.com/secret');
    expect(got.status).toBe(403);
    expect(got.headers['x-browserd-refused']).toBe('not_allowed_yet');
    expect(egress.refusals).toEqual([
      { url: 'http://example.com/secret', host: 'example.com', port: 80, rule: 'not_allowed_yet' },
    ]);
  });

  test('reach a site that the policy allows, with method, path, headers and body', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow(local);
    const got = await get(egress, `http://localhost:${site.port}/a%20b?c=d`, {
      method: 'PUT',
      headers: {
        'X-Mine': 'yes',
        'Proxy-Connection': 'keep-alive',
        Connection: 'keep-alive, x-hop',
        'X-Hop': 'gone',
      },
      body: 'ünï',
    });
    expect(got.status).toBe(200);
    const seen = JSON.parse(got.body);
    expect(seen).toMatchObject({ method: 'PUT', url: '/a%20b?c=d', body: 'ünï' });
    expect(seen.headers).toMatchObject({ 'x-mine': 'yes', host: `localhost:${site.port}` });
    expect(seen.headers).not.toHaveProperty('x-hop');
    expect(seen.headers).not.toHaveProperty('proxy-connection');
    expect(egress.stats()).toMatchObject({ refused: 0 });
    expect(egress.stats().bytesOut).toBeGreaterThan(100);
    expect(egress.stats().bytesIn).toBeGreaterThan(100);
  });

  test('carry a chunked body, an empty body and an expectation', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow(local);
    const url = `http://127.0.0.1:${site.port}/`;
    const chunked = await get(egress, url, {
      method: 'POST',
      headers: { 'Transfer-Encoding': 'chunked' },
      body: 'abc',
    });
    expect(JSON.parse(chunked.body)).toMatchObject({
      body: 'abc',
      headers: { 'transfer-encoding': 'chunked' },
    });
    const empty = await get(egress, url, { method: 'POST' });
    expect(JSON.parse(empty.body)).toMatchObject({ body: '', headers: { 'content-length': '0' } });
    const heard = await speak(
      egress,
      `POST ${url} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok`,
      /"body":"ok"/,
    );
    expect(heard).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  test('are sent again when a kept connection ends just then', async () => {
    let connections = 0;
    const site = await listening(
      createServer((socket) => {
        connections++;
        socket.once('data', () => {
          socket.once('data', () => socket.destroy());
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        });
      }),
    );
    const egress = await exit();
    egress.allow(local);
    for (let i = 0; i < 3; i++) expect((await get(egress, `http://127.0.0.1:${site.port}/`)).body).toBe('ok');
    expect(connections).toBe(3);
  });

  test('keep the connection to the site, and begin another when the kept one has ended', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow(local);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const url = `http://127.0.0.1:${site.port}/`;
    for (let i = 0; i < 20; i++) expect((await get(egress, url, { agent })).status).toBe(200);
    expect(site.connections).toBe(1);
    site.closeAllConnections();
    for (let i = 0; i < 3; i++) expect((await get(egress, url, { agent })).status).toBe(200);
    agent.destroy();
  });

  test('go where the request target says, whatever the Host header says', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow({ ...local, allowedDomains: ['127.0.0.1'] });
    const got = await get(egress, `http://127.0.0.1:${site.port}/`, { headers: { Host: 'other.example' } });
    expect(JSON.parse(got.body).headers.host).toBe(`127.0.0.1:${site.port}`);
    const refused = await get(egress, 'http://other.example/', {
      headers: { Host: `127.0.0.1:${site.port}` },
    });
    expect(refused.headers['x-browserd-refused']).toBe('not_in_allow_list');
  });

  test('cannot be answered in the name of the exit', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow(local);
    const got = await get(egress, `http://127.0.0.1:${site.port}/`);
    expect(got.headers).not.toHaveProperty('x-browserd-refused');
  });

  test('that hide another host, have no host or a wrong port are refused', async () => {
    const egress = await exit();
    egress.allow(local);
    const rules: Record<string, string> = {
      'http://user@example.com/': 'invalid_host',
      'http://example.com@127.0.0.1:80/': 'invalid_host',
      'http:///path': 'invalid_host',
      'http://:80/': 'invalid_host',
      '/just/a/path': 'invalid_host',
      'http://example.com:0/': 'invalid_port',
      'http://example.com:65536/': 'invalid_port',
      'http://example.com:/': 'invalid_port',
      'https://example.com/': 'unsupported_scheme',
      'ftp://example.com/': 'unsupported_scheme',
      'file:///etc/passwd': 'unsupported_scheme',
    };
    for (const [url, rule] of Object.entries(rules)) {
      const got = await get(egress, url);
      expect([url, got.status, got.headers['x-browserd-refused']]).toEqual([url, 403, rule]);
    }
    expect(egress.refusals).toHaveLength(Object.keys(rules).length);
    expect(egress.stats().refused).toBe(Object.keys(rules).length);
  });

  test('that two readers could read differently are thrown out', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow(local);
    const head = `POST http://127.0.0.1:${site.port}/ HTTP/1.1\r\nHost: x\r\n`;
    const smuggled = [
      `${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `${head}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`,
      `${head}Transfer-Encoding: chunked, identity\r\n\r\nabc`,
      `${head}X-Folded: a\r\n b\r\nContent Length: 1\r\n\r\n`,
      `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
      `GET http://127.0.0.1:${site.port}/\r\nX: y HTTP/1.1\r\nHost: x\r\n\r\n`,
      `CONNECT 127.0.0.1:${site.port}\r\nX: y HTTP/1.1\r\n\r\n`,
    ];
    for (const text of smuggled) expect(await speak(egress, text, /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 400 /);
    expect(site.seen).toEqual([]);
  });

  test('with a head too large are told so', async () => {
    const egress = await exit();
    egress.allow({});
    const heard = await speak(
      egress,
      `GET http://a.example/ HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`,
    );
    expect(heard).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('to a port where nobody listens fail as such', async () => {
    const site = await openSite();
    const { port } = site;
    await new Promise((resolve) => site.close(resolve));
    const egress = await exit();
    egress.allow(local);
    const url = `http://127.0.0.1:${port}/`;
    await hangsUp(egress, url);
    const netError = 'ERR_CONNECTION_REFUSED';
    expect(egress.unreached).toMatchObject([{ host: '127.0.0.1', netError }]);
    expect([egress.outcome(url), egress.refusals]).toEqual([{ netError }, []]);
  });

  test('to a site that asks for a proxy password do not ask the browser for one', async () => {
    const site = await listening(
      createServer((socket) =>
        socket.end('HTTP/1.1 407 Ask\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n'),
      ),
    );
    const egress = await exit();
    egress.allow(local);
    await hangsUp(egress, `http://127.0.0.1:${site.port}/`);
    expect(egress.unreached).toMatchObject([{ netError: 'ERR_UNEXPECTED_PROXY_AUTH' }]);
  });

  test.each([
    ['ends the connection', (socket: Socket) => socket.end(), 'ERR_EMPTY_RESPONSE'],
    ['resets it', (socket: Socket) => socket.resetAndDestroy(), 'ERR_CONNECTION_RESET'],
    ['speaks no HTTP', (socket: Socket) => socket.end('220 mail here\r\n'), 'ERR_INVALID_HTTP_RESPONSE'],
    [
      'sends a head without end',
      (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(300_000)}\r\n\r\n`),
      'ERR_RESPONSE_HEADERS_TOO_BIG',
    ],
  ])('to a site that %s fail as a connection, and the exit knows why', async (_, answer, netError) => {
    const site = await listening(createServer((socket) => socket.once('data', () => answer(socket))));
    const egress = await exit();
    egress.allow(local);
    const url = `http://127.0.0.1:${site.port}/`;
    await hangsUp(egress, url);
    const address = { ip: '127.0.0.1', port: site.port };
    expect(egress.outcome(url)).toEqual({ address, netError });
  });

  test.each([
    [
      'keeps its connection',
      'Connection: keep-alive\r\nKeep-Alive: timeout=5\r\nContent-Length: 2\r\n',
      'ok',
    ],
    ['closes it', 'Connection: close\r\nContent-Length: 2\r\n', 'ok'],
    ['says nothing of it', 'X-Own: yes\r\nContent-Length: 2\r\n', 'ok'],
    ['sends chunks', 'tRansfer-encoding: Chunked\r\nX-Own: yes\r\n', '1\r\no\r\n1\r\nk\r\n0\r\n\r\n'],
    ['ends its body with the connection', 'X-Own: yes\r\n', 'ok'],
    ['offers another protocol', 'Upgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 2\r\n', 'ok'],
  ])('are answered byte by byte as a site does that %s', async (_, headers, body) => {
    const answer = `HTTP/1.1 200 Fine\r\n${headers}\r\n${body}`;
    const site = await listening(createServer((socket) => socket.once('data', () => socket.end(answer))));
    const egress = await exit();
    egress.allow(local);
    const ask = `GET http://127.0.0.1:${site.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
    expect(await speak(egress, ask, /ok$|\r\n0\r\n\r\n$/)).toBe(answer);
  });

  test('look to the site like those of a browser without a proxy', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow(local);
    for (const body of ['', 'sent'])
      await get(egress, `http://127.0.0.1:${site.port}/`, {
        method: body ? 'POST' : 'GET',
        headers: { 'Proxy-Connection': 'keep-alive', 'X-Own': 'yes' },
        body,
      });
    for (const { rawHeaders } of site.seen)
      expect(rawHeaders.slice(0, 6)).toEqual([
        ...['Host', `127.0.0.1:${site.port}`, 'Connection', 'keep-alive', 'X-Own', 'yes'],
      ]);
    expect(site.seen).toHaveLength(2);
  });

  test('that the browser gives up are given up towards the site', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow(local);
    const socket = connect(egress.port, '127.0.0.1');
    socket.write(`GET http://127.0.0.1:${site.port}/slow HTTP/1.1\r\nHost: x\r\n\r\n`);
    await readUntil(socket, (heard) => heard.includes('begun'));
    const given = once(site.seen[0]!.socket, 'close');
    socket.destroy();
    await given;
    await soon(() => egress.stats().connections).toBe(0);
  });
});

import { createServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import {
  exit,
  get,
  hangsUp,
  listening,
  local,
  openEcho,
  openSite,
  openTunnel,
  soon,
  speak,
} from '../egress.fixture.ts';
import { parseUpstream } from '../egress.ts';
import { localhostCertificate, openHttpProxy, openSocksProxy } from './upstream.fixture.ts';

const noAddress = async (host: string): Promise<string[]> => {
  throw new Error(`${host} was resolved here`);
};

describe('an HTTP upstream', () => {
  test('gets plain requests in absolute form and tunnels by CONNECT, with names and credentials', async () => {
    const site = await openSite();
    const echo = await openEcho();
    const proxy = await openHttpProxy({ user: 'ann:p@ss:word' });
    const egress = await exit({ resolve: noAddress });
    egress.allow(local, parseUpstream(`http://ann:p%40ss%3Aword@127.0.0.1:${proxy.port}`));

    const got = await get(egress, `http://site.example:${site.port}/path`);
    expect([got.status, JSON.parse(got.body).url]).toEqual([200, '/path']);
    const posted = await get(egress, `http://site.example:${site.port}/`, { method: 'POST', body: 'form' });
    expect(JSON.parse(posted.body).body).toBe('form');
    const { status, echo: send } = await openTunnel(egress, `echo.example:${echo.port}`);
    expect([status, await send('hello')]).toEqual([200, 'hello']);

    const plain = `http://site.example:${site.port}/`;
    expect(proxy.asked).toEqual([`${plain}path`, plain, `CONNECT echo.example:${echo.port}`]);
    expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${btoa('ann:p@ss:word')}`]));
    expect(egress.failures).toEqual([]);
  });

  test('carries a WebSocket over plain HTTP in a tunnel', async () => {
    const site = await openSite();
    const proxy = await openHttpProxy();
    const egress = await exit({ resolve: noAddress });
    egress.allow(local, parseUpstream(`http://127.0.0.1:${proxy.port}`));
    const ask = `GET http://site.example:${site.port}/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect(await speak(egress, `${ask}ping`, /ping$/)).toMatch(/^HTTP\/1\.1 101 [\s\S]*hi ping$/);
    expect(proxy.asked).toEqual([`CONNECT site.example:${site.port}`]);
  });

  test('that refuses the password is PROXY_AUTH_FAILED, for requests and tunnels alike', async () => {
    const site = await openSite();
    const proxy = await openHttpProxy({ user: 'ann:right' });
    const egress = await exit({ resolve: noAddress });
    egress.allow(
      local,
      parseUpstream({ server: `http://127.0.0.1:${proxy.port}`, username: 'ann', password: 'wrong' }),
    );
    await hangsUp(egress, `http://site.example:${site.port}/`);
    const outcome = egress.outcome(`http://site.example:${site.port}/`);
    expect(outcome?.netError).toBe('ERR_INVALID_AUTH_CREDENTIALS');
    const { status, headers } = await openTunnel(egress, `site.example:${site.port}`);
    expect(status).toBe(502);
    expect(headers).toContain('X-Browserd-Error: proxy_auth_failed');
    expect(egress.failures.map(({ code }) => code)).toEqual(['PROXY_AUTH_FAILED', 'PROXY_AUTH_FAILED']);
    expect(JSON.stringify(egress.failures)).not.toContain('wrong');
    expect(site.seen).toEqual([]);
  });

  test('that is dead is PROXY_UNREACHABLE, and nothing goes out directly', async () => {
    const site = await openSite();
    const dead = await listening(createServer((socket) => socket.destroy()));
    const gone = await openSite();
    await new Promise((resolve) => gone.close(resolve));
    for (const port of [dead.port, gone.port]) {
      const egress = await exit();
      egress.allow(local, parseUpstream(`http://127.0.0.1:${port}`));
      const { status } = await openTunnel(egress, `127.0.0.1:${site.port}`);
      expect(status).toBe(502);
      expect(egress.failures).toMatchObject([{ code: 'PROXY_UNREACHABLE' }]);
      const outcome = egress.outcome(`https://127.0.0.1:${site.port}/`);
      expect(outcome).toMatchObject({ netError: 'ERR_PROXY_CONNECTION_FAILED' });
      await hangsUp(egress, `http://127.0.0.1:${site.port}/`);
    }
    expect(site.connections).toBe(0);
  });

  test('that cannot reach the site is not itself the trouble', async () => {
    const proxy = await openHttpProxy({ connectStatus: 503 });
    const egress = await exit({ resolve: noAddress });
    egress.allow(local, parseUpstream(`http://127.0.0.1:${proxy.port}`));
    const { status, headers } = await openTunnel(egress, 'site.example:443');
    expect(status).toBe(502);
    expect(headers).toContain('X-Browserd-Error: upstream');
    expect(egress.failures).toEqual([]);
  });

  test('does not change what the policy refuses', async () => {
    const proxy = await openHttpProxy();
    const egress = await exit({ resolve: noAddress });
    const upstream = parseUpstream(`http://127.0.0.1:${proxy.port}`);
    egress.allow({ privateAccess: { cidrs: ['127.0.0.1/32'] }, blockedDomains: ['bad.example'] }, upstream);
    const rules: Record<string, string> = {
      'bad.example': 'blocked_domain',
      'www.bad.example': 'blocked_domain',
      '10.0.0.1': 'private_address',
      '[::1]': 'private_address',
      '169.254.169.254': 'metadata_address',
      'metadata.google.internal': 'private_name',
      printer: 'private_name',
      'nas.local': 'private_name',
    };
    for (const [host, rule] of Object.entries(rules)) {
      const got = await get(egress, `http://${host}/`);
      expect([host, got.headers['x-browserd-refused']]).toEqual([host, rule]);
      const { headers } = await openTunnel(egress, `${host}:443`);
      expect(headers).toContain(`X-Browserd-Refused: ${rule}`);
    }
    expect(proxy.asked).toEqual([]);
  });

  test('is left out for the hosts of its bypass list, which stay under the policy', async () => {
    const site = await openSite();
    const proxy = await openHttpProxy();
    const egress = await exit({ resolve: async () => ['127.0.0.1'] });
    const server = `http://127.0.0.1:${proxy.port}`;
    egress.allow(
      { ...local, blockedDomains: ['no.direct.example'] },
      parseUpstream({ server, bypass: ['*.direct.example'] }),
    );
    expect((await get(egress, `http://www.direct.example:${site.port}/`)).status).toBe(200);
    expect((await get(egress, 'http://no.direct.example/')).status).toBe(403);
    expect(proxy.asked).toEqual([]);
    expect((await get(egress, `http://other.example:${site.port}/`)).status).toBe(200);
    expect(proxy.asked).toHaveLength(1);
  });
});

describe('an HTTPS upstream', () => {
  test('works with a certificate for its name, and not without one', async () => {
    const site = await openSite();
    const proxy = await openHttpProxy({ secure: true, user: 'ann:secret' });
    const egress = await exit();
    egress.allow(local, parseUpstream(`https://ann:secret@localhost:${proxy.port}`));
    await hangsUp(egress, `http://site.example:${site.port}/`);
    expect(egress.failures).toMatchObject([
      { code: 'PROXY_UNREACHABLE', message: expect.stringContaining('CERT') },
    ]);

    setDefaultCACertificates([...getCACertificates(), localhostCertificate]);
    expect((await get(egress, `http://site.example:${site.port}/`)).status).toBe(200);
    const { status, socket } = await openTunnel(egress, `site.example:${site.port}`);
    expect(status).toBe(200);
    egress.allow(
      { ...local, blockedDomains: ['site.example'] },
      parseUpstream(`https://ann:secret@localhost:${proxy.port}`),
    );
    await new Promise((resolve) => socket.resume().once('close', resolve));
    await soon(() => egress.stats().connections).toBe(0);
    expect(egress.stats().bytesIn).toBeGreaterThan(500);
  });
});

describe('a SOCKS5 upstream', () => {
  test('gets names, not addresses, for requests and tunnels, with credentials', async () => {
    const site = await openSite();
    const proxy = await openSocksProxy({ user: 'ann:geheim' });
    const egress = await exit({ resolve: noAddress });
    egress.allow(local, parseUpstream(`socks5://ann:geheim@127.0.0.1:${proxy.port}`));
    expect((await get(egress, `http://site.example:${site.port}/`)).status).toBe(200);
    const { status } = await openTunnel(egress, `127.0.0.1:${site.port}`);
    expect(status).toBe(200);
    expect(proxy.asked).toEqual([`site.example:${site.port}`, `127.0.0.1:${site.port}`]);
    expect(proxy.credentials).toEqual(['ann:geheim', 'ann:geheim']);
  });

  test('works without credentials', async () => {
    const echo = await openEcho();
    const proxy = await openSocksProxy();
    const egress = await exit({ resolve: noAddress });
    egress.allow(local, parseUpstream(`socks5://127.0.0.1:${proxy.port}`));
    const { echo: send } = await openTunnel(egress, `echo.example:${echo.port}`);
    expect(await send('hello')).toBe('hello');
  });

  test.each([
    ['socks5://ann:wrong@', 'a wrong password'],
    ['socks5://', 'no password'],
  ])('%s: %s is PROXY_AUTH_FAILED', async (server) => {
    const proxy = await openSocksProxy({ user: 'ann:right' });
    const egress = await exit({ resolve: noAddress });
    egress.allow(local, parseUpstream(`${server}127.0.0.1:${proxy.port}`));
    expect((await openTunnel(egress, 'site.example:443')).status).toBe(502);
    expect(egress.failures).toMatchObject([{ code: 'PROXY_AUTH_FAILED' }]);
  });

  test('that speaks something else is PROXY_UNREACHABLE', async () => {
    const site = await openSite();
    const egress = await exit({ resolve: noAddress });
    egress.allow(local, parseUpstream(`socks5://127.0.0.1:${site.port}`));
    expect((await openTunnel(egress, 'site.example:443')).status).toBe(502);
    expect(egress.failures).toMatchObject([{ code: 'PROXY_UNREACHABLE' }]);
  });

  test('that cannot reach the site is not itself the trouble', async () => {
    const proxy = await openSocksProxy({ reply: 4 });
    const egress = await exit({ resolve: noAddress });
    egress.allow(local, parseUpstream(`socks5://127.0.0.1:${proxy.port}`));
    expect((await openTunnel(egress, 'site.example:443')).headers).toContain('X-Browserd-Error: upstream');
    const netError = 'ERR_SOCKS_CONNECTION_HOST_UNREACHABLE';
    expect(egress.outcome('https://site.example/')).toMatchObject({ netError });
    expect(egress.failures).toEqual([]);
  });
});

describe('the address of an upstream', () => {
  test('must be public unless the policy opens it', async () => {
    const site = await openSite();
    const proxy = await openHttpProxy();
    const egress = await exit({ resolve: async () => ['93.184.215.14', '127.0.0.1'] });
    for (const host of ['127.0.0.1', 'localhost', '2130706433', 'proxy.example']) {
      egress.allow({}, parseUpstream(`http://${host}:${proxy.port}`));
      expect((await openTunnel(egress, `site.example:${site.port}`)).status).toBe(502);
      await hangsUp(egress, `http://site.example:${site.port}/`);
    }
    expect(egress.failures).toHaveLength(8);
    expect(egress.failures[0]).toMatchObject({
      code: 'PROXY_UNREACHABLE',
      message: expect.stringContaining('privateAccess'),
    });
    expect(egress.refusals[0]).toEqual({
      url: `http://127.0.0.1:${proxy.port}`,
      host: '127.0.0.1',
      port: proxy.port,
      address: '127.0.0.1',
      rule: 'private_address',
    });
    expect(proxy.asked).toEqual([]);
  });

  test('is never a listener of the service or the exit of another browser', async () => {
    const proxy = await openHttpProxy();
    const other = await exit();
    const egress = await exit({ ownListeners: () => [{ host: '0.0.0.0', port: proxy.port }] });
    for (const port of [proxy.port, other.port, egress.port]) {
      egress.allow(local, parseUpstream(`http://127.0.0.1:${port}`));
      expect((await openTunnel(egress, 'site.example:443')).status).toBe(502);
    }
    expect(egress.refusals.map(({ rule }) => rule)).toEqual(Array(3).fill('own_listener'));
    expect(proxy.asked).toEqual([]);
  });

  test('being fine does not make the listeners of the service reachable through it', async () => {
    const own = await openSite();
    const proxy = await openHttpProxy();
    const resolve = async () => ['127.0.0.1'];
    const egress = await exit({ resolve, ownListeners: () => [{ host: '127.0.0.1', port: own.port }] });
    egress.allow(local, parseUpstream(`http://127.0.0.1:${proxy.port}`));
    for (const host of ['127.0.0.1', 'localhost', 'rebind.example']) {
      const got = await get(egress, `http://${host}:${own.port}/`);
      expect([host, got.headers['x-browserd-refused']]).toEqual([host, 'own_listener']);
      expect((await openTunnel(egress, `${host}:${own.port}`)).status).toBe(403);
    }
    expect(proxy.asked).toEqual([]);
  });
});

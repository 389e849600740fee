import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exit, get, local, openEcho, openSite, openTunnel, readUntil, soon } from './egress.fixture.ts';
import { openEgress, PolicyError, parseUpstream } from './egress.ts';
import { openHttpProxy } from './way/upstream.fixture.ts';

const closed = (socket: Socket): Promise<unknown> =>
  socket.destroyed ? Promise.resolve() : new Promise((resolve) => socket.resume().once('close', resolve));

describe('a change of the policy', () => {
  test('cuts the tunnels it no longer allows and leaves the others', async () => {
    const echo = await openEcho();
    const egress = await exit({ resolve: async () => ['127.0.0.1'] });
    egress.allow(local);
    const doomed = await openTunnel(egress, `www.bad.example:${echo.port}`);
    const spared = await openTunnel(egress, `good.example:${echo.port}`);
    expect(await doomed.echo('a')).toBe('a');
    egress.allow({ ...local, blockedDomains: ['bad.example'] });
    await closed(doomed.socket);
    expect(await spared.echo('still here')).toBe('still here');
    egress.allow({});
    await closed(spared.socket);
    await soon(() => egress.stats().connections).toBe(0);
  });

  test('cuts requests under way and WebSockets', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow(local);
    const head = `HTTP/1.1\r\nHost: x\r\n`;
    const slow = connect(egress.port, '127.0.0.1');
    slow.write(`GET http://127.0.0.1:${site.port}/slow ${head}\r\n`);
    const socket = connect(egress.port, '127.0.0.1');
    socket.write(
      `GET http://127.0.0.1:${site.port}/ ${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    await readUntil(slow, (heard) => heard.includes('begun'));
    await readUntil(socket, (heard) => heard.includes('hi '));
    egress.allow({ ...local, allowedDomains: ['example.com'] });
    await Promise.all([closed(slow), closed(socket)]);
    await soon(() => egress.stats().connections).toBe(0);
  });

  test('drops kept connections, so that none serves under the old rules', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow(local);
    const url = `http://127.0.0.1:${site.port}/`;
    expect((await get(egress, url)).status).toBe(200);
    egress.allow({});
    expect((await get(egress, url)).headers['x-browserd-refused']).toBe('private_address');
    await soon(() => egress.stats().connections).toBe(0);
  });

  test('reaches connections that are just being made', async () => {
    const echo = await openEcho();
    const answers: ((addresses: string[]) => void)[] = [];
    const egress = await exit({ resolve: () => new Promise((resolve) => answers.push(resolve)) });
    egress.allow(local);
    const asking = openTunnel(egress, `slow.example:${echo.port}`);
    await soon(() => answers.length).toBe(1);
    egress.allow({});
    answers[0]!(['127.0.0.1']);
    await soon(() => answers.length).toBe(2);
    answers[1]!(['127.0.0.1']);
    expect((await asking).headers).toContain('private_address');
  });

  test('of the upstream moves open connections to the new way', async () => {
    const site = await openSite();
    const proxy = await openHttpProxy();
    const egress = await exit({ resolve: async () => ['127.0.0.1'] });
    egress.allow(local);
    const direct = await openTunnel(egress, `site.example:${site.port}`);
    egress.allow(local, parseUpstream(`http://127.0.0.1:${proxy.port}`));
    await closed(direct.socket);
    const through = await openTunnel(egress, `site.example:${site.port}`);
    egress.allow(
      { ...local, blockedDomains: ['x.example'] },
      parseUpstream(`http://127.0.0.1:${proxy.port}`),
    );
    expect(through.socket.destroyed).toBe(false);
    egress.allow(local);
    await closed(through.socket);
    expect(proxy.asked).toEqual([`CONNECT site.example:${site.port}`]);
  });

  test('that makes no sense changes nothing', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow(local);
    expect(() => egress.allow({ allowedDomains: ['a b'] })).toThrow(PolicyError);
    expect((await get(egress, `http://127.0.0.1:${site.port}/`)).status).toBe(200);
  });
});

describe('close', () => {
  test('ends every socket, also those still waiting for a name', async () => {
    const echo = await openEcho();
    const ends = { open: 0 };
    echo.on('connection', (socket) => {
      ends.open++;
      socket.once('close', () => ends.open--);
    });
    const egress = await exit({ resolve: () => new Promise(() => undefined) });
    egress.allow(local);
    const { socket } = await openTunnel(egress, `127.0.0.1:${echo.port}`);
    const waiting = connect(egress.port, '127.0.0.1');
    const idle = connect(egress.port, '127.0.0.1');
    for (const one of [waiting, idle]) one.on('error', () => undefined);
    waiting.write('CONNECT never.example:443 HTTP/1.1\r\n\r\n');
    await once(idle, 'connect');
    await Promise.all([egress.close(), egress.close()]);
    expect(egress.stats().connections).toBe(0);
    await Promise.all([closed(socket), closed(waiting), closed(idle)]);
    await soon(() => ends.open).toBe(0);
    const late = connect(egress.port, '127.0.0.1');
    expect(await once(late, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }]);
  });

  test('leaves nothing that keeps the process alive', async () => {
    const site = await openSite();
    const before = process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
    const egress = await exit();
    egress.allow(local);
    await get(egress, `http://127.0.0.1:${site.port}/`);
    await egress.close();
    site.closeAllConnections();
    await soon(
      () => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length,
    ).toBeLessThanOrEqual(before);
  });
});

describe('a listener from another process', () => {
  test('is taken over and closed with the exit', async () => {
    const site = await openSite();
    const script = `const s = require('node:net').createServer().listen(0, '127.0.0.1', () => process.send('it', s, () => process.exit()))`;
    const child = fork('-e', [script], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const ended = once(child, 'exit');
    const [, listener] = (await once(child, 'message')) as [string, Server];
    await ended;
    const egress = await openEgress({ listener, ownListeners: () => [] });
    onTestFinished(() => egress.close());
    const port = Number(new URL(egress.url).port);
    expect(port).toBe((listener.address() as AddressInfo).port);
    egress.allow(local);
    expect((await get({ port }, `http://127.0.0.1:${site.port}/`)).status).toBe(200);
    await egress.close();
    expect(listener.listening).toBe(false);
  });

  test('may also be of this one', async () => {
    const site = await openSite();
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const egress = await exit({ listener });
    egress.allow(local);
    expect((await get(egress, `http://127.0.0.1:${site.port}/`)).status).toBe(200);
  });
});

test('activity is told while bytes flow, but not for every one of them', async () => {
  const echo = await openEcho();
  let told = 0;
  const egress = await exit({ onActivity: () => told++ });
  egress.allow(local);
  const { echo: send } = await openTunnel(egress, `127.0.0.1:${echo.port}`);
  for (let i = 0; i < 50; i++) await send('tick');
  expect(told).toBeGreaterThanOrEqual(1);
  expect(told).toBeLessThan(25);
});

test('more connections than any browser opens are turned away', async () => {
  const egress = await exit();
  const sockets = Array.from({ length: 512 }, () => connect(egress.port, '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const oneMore = connect(egress.port, '127.0.0.1');
  oneMore.on('error', () => undefined);
  await closed(oneMore);
  sockets[0]!.destroy();
  await soon(async () => (await get(egress, 'http://a.example/').catch(() => undefined))?.status).toBe(403);
});

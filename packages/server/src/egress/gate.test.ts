import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import {
  connect as connectTls,
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
} from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  exit,
  get,
  listening,
  local,
  openEcho,
  openSite,
  openTunnel,
  readUntil,
  soon,
} from './egress.fixture.ts';
import { Gate, parseUpstream } from './egress.ts';
import { privateAccessIn } from './policy/policy.ts';
import { makeAuthority } from './vouch/vouch.fixture.ts';
import { readAuthorities, Voucher } from './vouch/vouch.ts';
import { createOutgoing } from './way/outgoing.ts';
import { localhostCertificate, openHttpProxy, openSocksProxy } from './way/upstream.fixture.ts';

/** A lease that ends as it does for a process that was paused: without a word. That it is regained is told. */
function lease() {
  const listeners = new Set<(held: boolean) => void>();
  let held = true;
  return {
    held: () => held,
    onChange(listener: (held: boolean) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    end() {
      held = false;
    },
    regain() {
      held = true;
      for (const listener of listeners) listener(true);
    },
  };
}

function gated() {
  const own = lease();
  const gate = new Gate(own);
  onTestFinished(() => gate[Symbol.dispose]());
  return { lease: own, gate };
}

/** The bytes have come as far as the gate. */
const keptBack = (gate: Gate, count = 1) => soon(() => gate.waiting).toBe(count);

/** Notes every byte that comes in. */
async function openEar() {
  let heard = '';
  let ended = false;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.setEncoding('latin1').on('data', (text: string) => {
      heard += text;
    });
    socket.on('end', () => {
      ended = true;
      socket.end();
    });
  });
  const ear = await listening(server);
  return { port: ear.port, heard: () => heard, ended: () => ended };
}

describe('while the lease of the node is over', () => {
  test('no connection is opened and no name is asked for; both happen when it is regained', async () => {
    const site = await openSite();
    const { lease, gate } = gated();
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return ['127.0.0.1'];
    };
    const egress = await exit({ gate, resolve });
    egress.allow({ privateAccess: { cidrs: ['127.0.0.0/8'] } });
    lease.end();
    const answer = get(egress, `http://site.example:${site.port}/`);
    await keptBack(gate);
    expect(asked).toEqual([]);
    lease.regain();
    expect((await answer).status).toBe(200);
    expect([asked, site.connections]).toEqual([['site.example'], 1]);
  });

  test('a connection that was about to be opened is not', async () => {
    const site = await openSite();
    const { lease, gate } = gated();
    const resolve = async () => {
      lease.end();
      return ['127.0.0.1'];
    };
    const egress = await exit({ gate, resolve });
    egress.allow({ privateAccess: { cidrs: ['127.0.0.0/8'] } });
    const socket = client(egress.port, `CONNECT site.example:${site.port} HTTP/1.1\r\n\r\n`);
    await soon(() => lease.held()).toBe(false);
    // Another connection shows that time passes and the site listens.
    const other = await exit();
    other.allow(local);
    expect((await get(other, `http://127.0.0.1:${site.port}/`)).status).toBe(200);
    expect(site.connections).toBe(1);
    lease.regain();
    expect(await readUntil(socket, (heard) => heard.includes('\r\n\r\n'))).toMatch(/^HTTP\/1\.1 200 /);
    expect(site.connections).toBe(2);
  });

  test('a request on a kept connection waits in it, and is answered on it later', async () => {
    const site = await openSite();
    const { lease, gate } = gated();
    const egress = await exit({ gate });
    egress.allow(local);
    expect((await get(egress, `http://127.0.0.1:${site.port}/first`)).status).toBe(200);
    // Over between the admission of the request and its first byte: only a look at the write sees it.
    const { held } = lease;
    let looks = 0;
    lease.held = () => {
      if (looks++ > 0) lease.end();
      return held();
    };
    const answer = get(egress, `http://127.0.0.1:${site.port}/second`);
    await keptBack(gate);
    expect(site.seen.map(({ url }) => url)).toEqual(['/first']);
    lease.held = held;
    lease.regain();
    expect((await answer).status).toBe(200);
    expect([site.connections, site.seen.at(-1)?.url]).toEqual([1, '/second']);
  });

  test('no byte of a tunnel leaves, nor its end; they follow in order', async () => {
    const ear = await openEar();
    const { lease, gate } = gated();
    const egress = await exit({ gate });
    egress.allow(local);
    const { socket } = await openTunnel(egress, `127.0.0.1:${ear.port}`);
    socket.write('before ');
    await soon(() => ear.heard()).toBe('before ');
    lease.end();
    socket.write('after');
    socket.end(' and the end');
    await keptBack(gate);
    expect([ear.heard(), ear.ended()]).toEqual(['before ', false]);
    lease.regain();
    await soon(() => [ear.heard(), ear.ended()]).toEqual(['before after and the end', true]);
  });

  test('the end alone of a tunnel waits as well', async () => {
    const ear = await openEar();
    const { lease, gate } = gated();
    const egress = await exit({ gate });
    egress.allow(local);
    const { socket } = await openTunnel(egress, `127.0.0.1:${ear.port}`);
    lease.end();
    socket.end();
    await keptBack(gate);
    expect(ear.ended()).toBe(false);
    lease.regain();
    await soon(() => ear.ended()).toBe(true);
  });

  test('what was kept back is dropped with its connection', async () => {
    const ear = await openEar();
    const { lease, gate } = gated();
    const egress = await exit({ gate });
    egress.allow(local);
    const { socket } = await openTunnel(egress, `127.0.0.1:${ear.port}`);
    lease.end();
    socket.write('never');
    await keptBack(gate);
    await egress.close();
    await soon(() => gate.waiting).toBe(0);
    lease.regain();
    expect(ear.heard()).toBe('');
  });

  test('a client that leaves is not waited for', async () => {
    const { lease, gate } = gated();
    const egress = await exit({ gate });
    egress.allow(local);
    lease.end();
    const socket = client(egress.port, 'GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: x\r\n\r\n');
    await keptBack(gate);
    socket.destroy();
    await keptBack(gate, 0);
    expect(egress.unreached).toEqual([]);
  });

  test('a WebSocket says nothing', async () => {
    const site = await openSite();
    const { lease, gate } = gated();
    const egress = await exit({ gate });
    egress.allow(local);
    const ask = `GET http://127.0.0.1:${site.port}/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    const socket = client(egress.port, ask);
    await readUntil(socket, (heard) => heard.endsWith('hi '));
    lease.end();
    socket.write('ping');
    await keptBack(gate);
    const echoed = readUntil(socket, (heard) => heard.length > 0);
    lease.regain();
    expect(await echoed).toBe('ping');
  });

  test.each([
    ['an HTTP proxy', () => openHttpProxy(), 'http'],
    ['an HTTPS proxy', () => openHttpProxy({ secure: true }), 'https'],
    ['a SOCKS proxy', () => openSocksProxy(), 'socks5'],
  ] as const)('nothing leaves through %s', async (_name, open, scheme) => {
    trustLocalhost();
    const ear = await openEar();
    const proxy = await open();
    const { lease, gate } = gated();
    const egress = await exit({ gate });
    egress.allow(local, parseUpstream(`${scheme}://localhost:${proxy.port}`));
    const { status, socket } = await openTunnel(egress, `ear.example:${ear.port}`);
    expect(status).toBe(200);
    lease.end();
    socket.write('later');
    await keptBack(gate);
    expect(ear.heard()).toBe('');
    lease.regain();
    await soon(() => ear.heard()).toBe('later');
  });

  test('nothing leaves on a connection on which the exit speaks TLS for the site', async () => {
    const house = makeAuthority('the house');
    const heard: string[] = [];
    const server = createTlsServer(house.issue({ name: 'ours', host: 'localhost' }), (socket) => {
      socket.on('error', () => undefined).on('data', (chunk: Buffer) => heard.push(chunk.toString()));
    });
    const site = await listening(server);
    const { lease, gate } = gated();
    const egress = await exit({ gate, voucher: new Voucher() });
    egress.allow(local, undefined, { authorities: readAuthorities([house.cert]) });
    const { socket } = await openTunnel(egress, `localhost:${site.port}`);
    const tls = connectTls({ socket, servername: 'localhost', rejectUnauthorized: false });
    tls.on('error', () => undefined);
    await once(tls, 'secureConnect');
    lease.end();
    tls.write('later');
    await keptBack(gate);
    expect(heard).toEqual([]);
    lease.regain();
    await soon(() => heard).toEqual(['later']);
    tls.destroy();
  });

  test('no webhook is sent, and its time has not begun', async () => {
    const site = await openSite();
    const { lease, gate } = gated();
    const outgoing = createOutgoing({
      privateAccess: privateAccessIn(['localhost']),
      ownListeners: () => [],
      gate,
    });
    lease.end();
    const sent = outgoing.post(`http://127.0.0.1:${site.port}/`, {
      headers: {},
      body: 'x',
      timeoutMs: 60_000,
    });
    await keptBack(gate);
    expect(site.connections).toBe(0);
    lease.regain();
    expect((await sent).status).toBe(200);
  });
});

test('without a gate the bytes of a tunnel leave although the lease is over', async () => {
  const ear = await openEar();
  const { lease } = gated();
  const egress = await exit();
  egress.allow(local);
  const { socket } = await openTunnel(egress, `127.0.0.1:${ear.port}`);
  lease.end();
  socket.write('leaks');
  await soon(() => ear.heard()).toBe('leaks');
});

test('a gate that is open changes nothing: both directions, and each end on its own', async () => {
  const echo = await openEcho();
  const { gate } = gated();
  const egress = await exit({ gate });
  egress.allow(local);
  const block = 'x'.repeat(1 << 20);
  const { socket } = await openTunnel(egress, `127.0.0.1:${echo.port}`);
  const back = readUntil(socket, (heard) => heard.length === block.length);
  socket.end(block);
  expect(await back).toBe(block);
});

function client(port: number, said: string): Socket {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(said);
  return socket;
}

function trustLocalhost(): void {
  const before = getCACertificates();
  setDefaultCACertificates([...before, localhostCertificate]);
  onTestFinished(() => setDefaultCACertificates(before));
}

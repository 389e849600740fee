import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp, createServer as createNetServer } from 'node:net';
import { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { connect, createServer, type SecureContextOptions, type TLSSocket, type TlsOptions } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { exit, listening, local, openEcho, openTunnel, soon } from '../egress.fixture.ts';
import { makeAuthority } from '../vouch/vouch.fixture.ts';
import { readAuthorities, Voucher } from '../vouch/vouch.ts';

const house = makeAuthority('the house');
const ours = house.issue({ name: 'ours', host: 'localhost' });
const theirs = makeAuthority('a stranger').issue({ name: 'theirs', host: 'localhost' });
const trust = { authorities: readAuthorities([house.cert]) };

/** Sends back every byte; counts connections as they are dialled. */
async function openSecureEcho(made: SecureContextOptions, options: TlsOptions = {}) {
  const server = createServer({ ...made, allowHalfOpen: true, ...options }, (socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  server.on('tlsClientError', () => undefined);
  const site = Object.assign(await listening(server), { dialled: 0 });
  server.on('connection', () => site.dialled++);
  return site;
}

async function trusting(voucher = new Voucher()) {
  const egress = await exit({ voucher });
  egress.allow(local, undefined, trust);
  return egress;
}

/** TLS as Chromium would speak it, with the exit or the site. */
async function secure(socket: Duplex, ALPNProtocols?: string[]): Promise<TLSSocket> {
  const tls = connect({
    socket,
    servername: 'localhost',
    rejectUnauthorized: false,
    ...(ALPNProtocols && { ALPNProtocols }),
  });
  onTestFinished(() => void tls.destroy());
  tls.on('error', () => undefined);
  await once(tls, 'secureConnect');
  return tls;
}

const through = async (egress: { port: number }, port: number, protocols?: string[]): Promise<TLSSocket> =>
  secure((await openTunnel(egress, `localhost:${port}`)).socket, protocols);

const isVouched = (tls: TLSSocket, voucher: Voucher): boolean => {
  const key = tls.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' });
  return (
    createHash('sha256')
      .update(key ?? '')
      .digest('base64') === voucher.keyHash
  );
};

async function echoed(tls: TLSSocket, bytes: Buffer): Promise<Buffer> {
  tls.end(bytes);
  return buffer(tls);
}

test('a site that a trusted authority has signed is vouched for, in the protocol that it speaks', async () => {
  const voucher = new Voucher();
  const egress = await trusting(voucher);
  const site = await openSecureEcho(ours, { ALPNProtocols: ['http/1.1'] });
  const tls = await through(egress, site.port, ['h2', 'http/1.1']);
  expect([isVouched(tls, voucher), tls.alpnProtocol, site.dialled]).toEqual([true, 'http/1.1', 1]);
  const silent = await openSecureEcho(ours);
  expect((await through(egress, silent.port, ['h2'])).alpnProtocol).toBe(false);
  const bytes = randomBytes(5_000_000);
  expect((await echoed(tls, bytes)).equals(bytes)).toBe(true);
});

test('any other is left to Chromium, untouched, and is not looked at again for a while', async () => {
  const voucher = new Voucher();
  const egress = await trusting(voucher);
  const site = await openSecureEcho(theirs);
  const many = await Promise.all(Array.from({ length: 6 }, () => through(egress, site.port)));
  expect(many.map((tls) => tls.getPeerX509Certificate()?.subject)).toEqual(Array(6).fill('CN=theirs'));
  expect(site.dialled).toBe(7);
  const bytes = randomBytes(100_000);
  expect((await echoed(await through(egress, site.port), bytes)).equals(bytes)).toBe(true);
  expect(site.dialled).toBe(8);
  expect(egress.unreached).toEqual([]);
});

test('a certificate that a trusted authority has signed and that does not hold is told, and left to Chromium', async () => {
  const egress = await trusting();
  const site = await openSecureEcho(house.issue({ name: 'elsewhere', host: 'elsewhere.test' }));
  for (const dialled of [2, 4]) {
    expect((await through(egress, site.port)).getPeerX509Certificate()?.subject).toBe('CN=elsewhere');
    expect(site.dialled).toBe(dialled);
  }
  expect(egress.unreached[0]).toMatchObject({ host: 'localhost', netError: 'ERR_CERT_COMMON_NAME_INVALID' });
  expect(egress.outcome(`https://localhost:${site.port}/`)).toMatchObject({
    certificateError: 'ERR_CERT_COMMON_NAME_INVALID',
  });
  expect(egress.outcome(`https://localhost:${site.port}/`)?.address).toEqual({
    ip: '127.0.0.1',
    port: site.port,
  });
});

test('what is not TLS goes through as it came', async () => {
  const egress = await trusting();
  const echo = await openEcho();
  const { echo: said } = await openTunnel(egress, `localhost:${echo.port}`);
  expect(await said('GET / HTTP/1.1\r\n\r\n')).toBe('GET / HTTP/1.1\r\n\r\n');
  const { socket, echo: more } = await openTunnel(egress, `localhost:${echo.port}`);
  socket.write('\x16');
  expect(await more('not TLS after all')).toContain('\x16not TLS after');
});

test('a site that breaks the handshake off is dialled again for Chromium', async () => {
  const egress = await trusting();
  const site = await openSecureEcho(ours);
  let dialled = 0;
  const rude = await listening(
    createNetServer((socket) => {
      dialled++;
      if (dialled === 1) return void socket.destroy();
      const onward = connectTcp(site.port, '127.0.0.1').on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
      socket.pipe(onward).pipe(socket);
    }),
  );
  expect((await through(egress, rude.port)).getPeerX509Certificate()?.subject).toBe('CN=ours');
});

test('a client that is not Chromium speaks with the site itself', async () => {
  const voucher = new Voucher();
  const egress = await trusting(voucher);
  const site = await openSecureEcho(ours);
  const { near, other } = pair();
  egress.accept(other);
  near.write(`CONNECT localhost:${site.port} HTTP/1.1\r\n\r\n`);
  await once(near, 'readable');
  expect(String(near.read())).toContain('200');
  const tls = await secure(near);
  expect([isVouched(tls, voucher), tls.getPeerX509Certificate()?.subject]).toEqual([false, 'CN=ours']);
});

test('nothing stays open: not for a client that hangs up midway, and not when the exit closes', async () => {
  const egress = await trusting();
  const site = await openSecureEcho(ours);
  const { socket } = await openTunnel(egress, `localhost:${site.port}`);
  socket.write('\x16\x03\x01\x02\x00');
  socket.destroy();
  const tls = await through(egress, site.port);
  tls.destroy();
  await soon(() => egress.stats().connections).toBe(0);
  const last = await through(egress, site.port);
  const closed = once(last, 'close');
  await egress.close();
  await closed;
});

test('a change ends what rested on an authority that is gone, and nothing else', async () => {
  const egress = await trusting();
  const [site, other] = await Promise.all([openSecureEcho(ours), openSecureEcho(theirs)]);
  const [vouched, untouched] = await Promise.all([through(egress, site.port), through(egress, other.port)]);
  const more = readAuthorities([house.cert, makeAuthority('one more').cert]);
  egress.allow(local, undefined, { authorities: more });
  const said = once(vouched, 'data');
  vouched.write('still here');
  expect(String((await said)[0])).toBe('still here');
  const ended = once(vouched, 'close');
  egress.allow(local, undefined, {});
  await ended;
  const heard = once(untouched, 'data');
  untouched.write('here as well');
  expect(String((await heard)[0])).toBe('here as well');
});

/** Two ends of one connection, neither of them a socket. */
function pair(): { near: Duplex; other: Duplex } {
  const ends: Duplex[] = [];
  const make = (i: number): Duplex =>
    new Duplex({
      allowHalfOpen: true,
      read: () => undefined,
      write: (chunk, _, done) => {
        ends[1 - i]?.push(chunk);
        done();
      },
      final: (done) => {
        ends[1 - i]?.push(null);
        done();
      },
    });
  ends.push(make(0), make(1));
  for (const end of ends) onTestFinished(() => void end.destroy());
  return { near: ends[0] as Duplex, other: ends[1] as Duplex };
}

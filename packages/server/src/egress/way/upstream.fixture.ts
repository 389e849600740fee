/** For tests: small upstream proxies that note what they were asked. Certificate and key are for localhost only. */
import { createServer, request, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer as createNetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { listening } from '../egress.fixture.ts';

export const localhostKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPZ5/acoEC2UeXxQm
pli5FpEMdlPLC0GAJylEM6Zb5QqhRANCAARN5LCNyTBeM56rkOPdRPBUqxagqDFb
lAL4I9/3ul+7F3U3n0bLL9rhVMPKCBA+QuLQpTLzthhz5xRtEWqfDRR0
-----END PRIVATE KEY-----`;

export const localhostCertificate = `-----BEGIN CERTIFICATE-----
MIIBYTCCAQegAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABE3ksI3JMF4znquQ
491E8FSrFqCoMVuUAvgj3/e6X7sXdTefRssv2uFUw8oIED5C4tClMvO2GHPnFG0R
ap8NFHSjSDBGMBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAPBgNVHRMBAf8EBTADAQH/
MB0GA1UdDgQWBBSak6tS/stl/tjOFWzNTLjA0e9AwjAKBggqhkjOPQQDAgNIADBF
AiEAjKsn3xiZYCeY0xNy0d+fkgRPjhxus+jF2HBKayP7UQECIGARQAVoOneEH7+/
T9LE9SMnIXO0QTDJvW0fVeea2msC
-----END CERTIFICATE-----`;

interface TestProxy {
  port: number;
  /** Targets, in order. */
  asked: string[];
  /** Proxy-Authorization as it came, or the SOCKS user and password. */
  credentials: (string | undefined)[];
}

const tie = (one: Duplex, other: Duplex): void => {
  one.on('error', () => other.destroy());
  other.on('error', () => one.destroy());
  one.pipe(other);
  other.pipe(one);
};

/** Whatever name is asked for, it connects to this machine: names are the proxy's to resolve. */
export async function openHttpProxy(
  options: { user?: string; secure?: boolean; connectStatus?: number } = {},
): Promise<TestProxy> {
  const server: Server = options.secure
    ? (createSecureServer({ key: localhostKey, cert: localhostCertificate }) as unknown as Server)
    : createServer();
  const proxy: TestProxy = { port: 0, asked: [], credentials: [] };
  const expected = options.user && `Basic ${Buffer.from(options.user).toString('base64')}`;
  server.on('request', (asked, answer) => {
    proxy.asked.push(asked.url!);
    proxy.credentials.push(asked.headers['proxy-authorization']);
    if (expected && asked.headers['proxy-authorization'] !== expected)
      return void answer.writeHead(407).end();
    const { port, pathname } = new URL(asked.url!);
    const onward = request({ host: '127.0.0.1', port, path: pathname, method: asked.method }, (got) => {
      answer.writeHead(got.statusCode!, got.headers);
      got.pipe(answer);
    });
    asked.pipe(onward);
  });
  server.on('connect', (asked, client) => {
    proxy.asked.push(`CONNECT ${asked.url}`);
    proxy.credentials.push(asked.headers['proxy-authorization']);
    if (expected && asked.headers['proxy-authorization'] !== expected) {
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 2\r\n\r\nno');
    }
    if (options.connectStatus) return void client.end(`HTTP/1.1 ${options.connectStatus} No\r\n\r\n`);
    const onward = connect(Number(asked.url!.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      tie(client, onward);
    });
  });
  return Object.assign(proxy, { port: (await listening(server)).port });
}

/** RFC 1928 by hand, a byte at a time in its answers, so that no client can rely on packet boundaries. */
export async function openSocksProxy(options: { user?: string; reply?: number } = {}): Promise<TestProxy> {
  const proxy: TestProxy = { port: 0, asked: [], credentials: [] };
  const server = createNetServer((client) => {
    talk(client, proxy, options).catch(() => client.destroy());
  });
  return Object.assign(proxy, { port: (await listening(server)).port });
}

async function talk(
  client: Socket,
  proxy: TestProxy,
  options: { user?: string; reply?: number },
): Promise<void> {
  const take = async (size: number): Promise<Buffer> => {
    for (;;) {
      const got = client.read(size) as Buffer | null;
      if (got) return got;
      await new Promise((resolve, reject) => client.once('readable', resolve).once('close', reject));
    }
  };
  const say = async (bytes: number[]): Promise<void> => {
    for (const byte of bytes) await new Promise((resolve) => client.write(Buffer.from([byte]), resolve));
  };
  const methods = await take((await take(2))[1]!);
  if (options.user) {
    if (!methods.includes(2)) return say([5, 255]);
    await say([5, 2]);
    const name = await take((await take(2))[1]!);
    const secret = await take((await take(1))[0]!);
    proxy.credentials.push(`${name}:${secret}`);
    if (`${name}:${secret}` !== options.user) return say([1, 1]);
    await say([1, 0]);
  } else await say([5, 0]);
  const kind = (await take(4))[3];
  const host =
    kind === 3 ? String(await take((await take(1))[0]!)) : (await take(kind === 1 ? 4 : 16)).join('.');
  const port = (await take(2)).readUInt16BE();
  proxy.asked.push(`${host}:${port}`);
  if (options.reply) return say([5, options.reply, 0, 1, 0, 0, 0, 0, 0, 0]);
  const onward = connect(port, '127.0.0.1');
  await new Promise((resolve, reject) => onward.once('connect', resolve).once('error', reject));
  await say([5, 0, 0, 3, 1, 120, 0, 0]);
  tie(client, onward);
}

/**
 * SOCKS5 as a client (RFC 1928, RFC 1929): greeting, user name and password when asked, CONNECT by name, so that
 * names are resolved at the far end.
 */
import type { Socket } from 'node:net';
import { parseAddress, type Target } from '../policy/policy.ts';
import { Unreachable, UpstreamFailed } from './failures.ts';
import type { Upstream } from './upstream.ts';

const version = 5;
const methods = { none: 0, password: 2 } as const;
const replies = [
  'succeeded',
  'general failure',
  'not allowed by the ruleset',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'time to live expired',
  'command not supported',
  'address type not supported',
];

const hostUnreachable = replies.indexOf('host unreachable');

/** Fails when the socket closes first; the caller's deadline destroys the socket. */
function read(socket: Socket, size: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void): void => {
      socket.off('readable', look).off('end', gone).off('close', gone);
      settle();
    };
    const gone = (): void => done(() => reject(noSocks('closed the connection during the greeting')));
    const look = (): void => {
      const chunk = socket.read(size) as Buffer | null;
      if (chunk === null) return;
      done(() => (chunk.length === size ? resolve(chunk) : reject(noSocks('sent an answer cut short'))));
    };
    socket.on('readable', look).on('end', gone).on('close', gone);
    if (socket.destroyed || socket.readableEnded) gone();
    else look();
  });
}

const noSocks = (what: string): UpstreamFailed =>
  new UpstreamFailed('PROXY_UNREACHABLE', `the proxy ${what}`);

export async function connectThroughSocks(socket: Socket, upstream: Upstream, target: Target): Promise<void> {
  await greet(socket, upstream);
  socket.write(
    Buffer.from([version, 1, 0, ...destination(target.host), target.port >> 8, target.port & 0xff]),
  );
  const [spoken, reply, , kind] = await read(socket, 4);
  if (spoken !== version) throw noSocks('does not speak SOCKS5');
  if (reply !== 0) {
    const netError =
      reply === hostUnreachable ? 'ERR_SOCKS_CONNECTION_HOST_UNREACHABLE' : 'ERR_SOCKS_CONNECTION_FAILED';
    const said = replies[reply!] ?? `reply ${reply}`;
    throw new Unreachable('upstream', `the proxy could not connect: ${said}`, netError);
  }
  const size = kind === 1 ? 4 : kind === 4 ? 16 : kind === 3 ? (await read(socket, 1))[0]! : undefined;
  if (size === undefined) throw noSocks('sent an unknown address type');
  await read(socket, size + 2);
}

async function greet(socket: Socket, { username, password }: Upstream): Promise<void> {
  const offered = username === undefined ? [methods.none] : [methods.none, methods.password];
  socket.write(Buffer.from([version, offered.length, ...offered]));
  const [spoken, chosen] = await read(socket, 2);
  if (spoken !== version) throw noSocks('does not speak SOCKS5');
  if (chosen === methods.none) return;
  if (chosen !== methods.password || username === undefined) {
    throw new UpstreamFailed('PROXY_AUTH_FAILED', 'the proxy asks for another way to authenticate');
  }
  const name = Buffer.from(username);
  const secret = Buffer.from(password ?? '');
  socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([secret.length]), secret]));
  const [, status] = await read(socket, 2);
  if (status !== 0)
    throw new UpstreamFailed('PROXY_AUTH_FAILED', 'the proxy refused the user name or password');
}

function destination(host: string): number[] {
  const address = parseAddress(host);
  if (address === undefined) return [3, host.length, ...Buffer.from(host, 'ascii')];
  return [address.kind() === 'ipv4' ? 1 : 4, ...address.toByteArray()];
}

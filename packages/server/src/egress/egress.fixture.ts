/** For the tests of this folder: a local site, exits that close themselves, and a client that speaks to a proxy. */
import { once } from 'node:events';
import { type Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { type Egress, type EgressOptions, openEgress, type Refusal } from './egress.ts';

/** For what becomes true without an event; patient, because a busy machine is no failure. */
export const soon = (probe: () => unknown) => expect.poll(probe, { timeout: 90_000, interval: 10 });

export const local = { privateAccess: { localhost: true } };

export async function listening<S extends NetServer>(
  server: S,
  host = '127.0.0.1',
): Promise<S & { port: number }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return Object.assign(server, { port: (server.address() as AddressInfo).port });
}

/** Answers with what it was asked; /slow never ends its answer. Upgrades to an echo. */
export async function openSite(): Promise<
  Server & { port: number; seen: IncomingMessage[]; connections: number }
> {
  const seen: IncomingMessage[] = [];
  const server = createServer((asked, answer) => {
    seen.push(asked);
    if (asked.url === '/slow') return void answer.write('begun');
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      answer.setHeader('X-Browserd-Refused', 'forged');
      answer.end(JSON.stringify({ method: asked.method, url: asked.url, headers: asked.headers, body }));
    });
  });
  server.on('upgrade', (asked, socket, head) => {
    seen.push(asked);
    if (asked.url === '/no') return void socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno');
    socket.on('error', () => undefined);
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\nhi ',
    );
    socket.write(head);
    socket.pipe(socket);
  });
  const site = Object.assign(server, { seen, connections: 0 });
  server.on('connection', () => site.connections++);
  return listening(site);
}

/** Sends back every byte, and its own end after the client's. */
export const openEcho = (): Promise<NetServer & { port: number }> =>
  listening(createNetServer({ allowHalfOpen: true }, (socket) => void socket.pipe(socket)));

interface TestExit extends Egress {
  port: number;
  refusals: Refusal[];
  unreached: { host: string; netError: string; message: string }[];
  failures: { code: string; message: string }[];
}

export async function exit(options: Partial<EgressOptions> = {}): Promise<TestExit> {
  const refusals: Refusal[] = [];
  const unreached: TestExit['unreached'] = [];
  const failures: { code: string; message: string }[] = [];
  const egress = await openEgress({
    ownListeners: () => [],
    onRefused: (refusal) => refusals.push(refusal),
    onUnreachable: (failure) => unreached.push(failure),
    onUpstreamFailure: (failure) => failures.push(failure),
    ...options,
  });
  onTestFinished(() => egress.close());
  return Object.assign(egress, { refusals, unreached, failures, port: Number(new URL(egress.url).port) });
}

interface Got {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

/** One plain request through the proxy. */
export function get(
  egress: { port: number; host?: string },
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; agent?: Agent } = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const { body, ...rest } = options;
    const asking = request(
      { host: egress.host ?? '127.0.0.1', port: egress.port, path: url, ...rest },
      (answer) => {
        const { statusCode, headers } = answer;
        text(answer).then((heard) => resolve({ status: statusCode!, headers, body: heard }), reject);
      },
    );
    asking.on('error', reject);
    asking.end(body);
  });
}

/** What a browser sees of a plain request that was not refused, and failed: a connection that ends. */
export const hangsUp = (egress: { port: number }, url: string): Promise<void> =>
  expect(get(egress, url)).rejects.toThrow('socket hang up');

/** Bytes as they are, until the proxy closes or says enough. */
export async function speak(egress: { port: number }, said: string, until?: RegExp): Promise<string> {
  const socket = connect(egress.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(said, 'latin1');
  let heard = '';
  for await (const chunk of socket) {
    heard += String(chunk);
    if (until?.test(heard)) break;
  }
  socket.destroy();
  return heard;
}

interface Tunnel {
  status: number;
  socket: Socket;
  headers: string;
  /** Sends and waits for as many bytes to come back. */
  echo: (text: string) => Promise<string>;
}

export async function openTunnel(egress: { port: number }, authority: string): Promise<Tunnel> {
  const socket = connect(egress.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: forged.example\r\n\r\n`);
  const headers = await readUntil(socket, (heard) => heard.includes('\r\n\r\n'));
  const echo = async (text: string): Promise<string> => {
    socket.write(text);
    return readUntil(socket, (heard) => heard.length >= text.length);
  };
  return { status: Number(headers.split(' ')[1]), socket, headers, echo };
}

export function readUntil(socket: Socket, enough: (heard: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const done = (settle: () => void): void => {
      socket.off('data', hear).off('close', gone);
      socket.pause();
      settle();
    };
    const gone = (): void => done(() => reject(new Error(`closed after ${JSON.stringify(heard)}`)));
    const hear = (chunk: Buffer): void => {
      heard += chunk.toString();
      if (enough(heard)) done(() => resolve(heard));
    };
    socket.on('data', hear).on('close', gone);
    socket.resume();
    if (socket.destroyed) gone();
  });
}

import { once } from 'node:events';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { WebSocketServer } from 'ws';
import type { Made } from '../../src/egress/vouch/vouch.fixture.ts';

/** Sites behind TLS, one for each host with a certificate of its own, over HTTP/2 and HTTP/1.1, with WebSockets. */
export interface SecureSite {
  port: number;
  /** With its port. */
  at(host: string): string;
  /** Each request: host, path, protocol, and whom its client showed itself as. */
  asked: { host: string; path: string; version: string; client: string | undefined }[];
  /** TLS handshakes that came as far as a connection. */
  handshakes: number;
  /** From now on the host has this certificate. */
  use(host: string, made: Made): void;
  close(): Promise<void>;
}

const page = (title: string): string => `<!doctype html><title>${title}</title>`;
const worker = `addEventListener('fetch', (event) => {
  if (event.request.url.endsWith('/answered')) event.respondWith(new Response('from the worker'));
});
addEventListener('activate', (event) => event.waitUntil(clients.claim()));`;

const subjectOf = (socket: TLSSocket): string | undefined =>
  'getPeerX509Certificate' in socket ? socket.getPeerX509Certificate()?.subject : undefined;

/** `clients`: the authority whose certificates are asked for, and have to be shown. `old`: HTTP/1.1 over TLS 1.2. */
export async function startSecureSite(
  hosts: Record<string, Made>,
  options: { clients?: string; old?: boolean } = {},
): Promise<SecureSite> {
  const made = new Map(Object.entries(hosts));
  const [first] = made.values();
  const asked: SecureSite['asked'] = [];
  const clients = new WeakMap<object, string | undefined>();
  const sockets = new Set<Socket>();
  const maxVersion = options.old ? 'TLSv1.2' : 'TLSv1.3';
  const tls = {
    ...first,
    maxVersion,
    SNICallback: (host: string, done: (error: null, context: SecureContext) => void) =>
      done(null, createSecureContext({ ...(made.get(host) ?? first), ca: options.clients, maxVersion })),
    ...(options.clients && { ca: options.clients, requestCert: true, rejectUnauthorized: true }),
  } as const;
  const answer = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    const path = request.url ?? '/';
    const version = request.httpVersion;
    const client = clients.get(request.stream?.session ?? request) ?? subjectOf(request.socket as TLSSocket);
    const host = (request.headers[':authority'] ?? request.headers.host ?? '').replace(/:\d+$/, '');
    asked.push({ host, path, version, client });
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html');
    response.end(path === '/worker.js' ? worker : page(`${host} ${version}`));
  };
  const server = options.old
    ? createServer(tls, answer as never)
    : createSecureServer({ ...tls, allowHTTP1: true }, answer);
  const site = { handshakes: 0 };
  server.on('session', (session) => clients.set(session, subjectOf(session.socket as TLSSocket)));
  server.on('secureConnection', (socket: TLSSocket) => {
    site.handshakes++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  const webSockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    asked.push({
      host: request.headers.host.replace(/:\d+$/, ''),
      path: request.url,
      version: 'websocket',
      client: subjectOf(socket),
    });
    webSockets.handleUpgrade(request, socket, head, (client) => {
      client.on('message', (data) => client.send(`heard ${data}`));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(site, {
    port,
    at: (host: string) => `https://${host}:${port}`,
    asked,
    use: (host: string, next: Made) => void made.set(host, next),
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  });
}

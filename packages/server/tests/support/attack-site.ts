import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/**
 * A web site that serves whatever the attack asks for:
 *
 *   /serve?type=…&body=…&header=Name: value&header=…     /to?status=302&url=…     any other path: a plain page
 *
 * It also accepts WebSockets, and counts the ones that are open.
 */
export interface AttackSite extends AsyncDisposable {
  origin: string;
  port: number;
  paths: string[];
  webSockets: Set<Socket>;
  /** The address of a page with this body. */
  serve(body: string, options?: { type?: string; headers?: string[] }): string;
  redirect(to: string, status?: number): string;
}

const acceptKey = (key: string): string =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');

export async function startAttackSite(): Promise<AttackSite> {
  const paths: string[] = [];
  const webSockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    const asked = (name: string, fallback: string): string => url.searchParams.get(name) ?? fallback;
    paths.push(url.pathname);
    response.setHeader('service-worker-allowed', '/');
    for (const header of url.searchParams.getAll('header')) {
      const [name, value] = header.split(/: (.*)/s);
      response.setHeader(name ?? '', value ?? '');
    }
    if (url.pathname === '/to')
      response.writeHead(Number(asked('status', '302')), { location: asked('url', '/') }).end();
    else
      response
        .writeHead(200, { 'content-type': asked('type', 'text/html') })
        .end(asked('body', '<title>site</title>'));
  });
  server.on('upgrade', (request, socket: Socket) => {
    paths.push(request.url ?? '');
    webSockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.resume();
    socket.on('close', () => webSockets.delete(socket));
    const accept = acceptKey(request.headers['sec-websocket-key'] ?? '');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    port,
    paths,
    webSockets,
    serve: (body, { type = 'text/html', headers = [] } = {}) => {
      const asked = [['type', type], ['body', body], ...headers.map((header) => ['header', header])];
      return `${origin}/serve?${new URLSearchParams(asked)}`;
    },
    redirect: (to, status = 302) =>
      `${origin}/to?${new URLSearchParams({ status: String(status), url: to })}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of webSockets) socket.destroy();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The web that the checks visit: one server under two names, so that frames of the other are another site's. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { WebSocketServer } from 'ws';
import { pages } from './site-pages.ts';

export interface ConformanceSite extends AsyncDisposable {
  origin: string;
  /** The same server as another site. */
  otherOrigin: string;
  port: number;
  /** A port on which nothing listens. */
  closedPort: number;
  /** Bodies that were sent to a path. */
  received(path: string): string[];
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => void | Promise<void>;

const text = (response: ServerResponse, body: string | Buffer, headers: Record<string, string> = {}): void =>
  void response
    .writeHead(200, { 'content-type': 'text/plain', 'content-length': Buffer.byteLength(body), ...headers })
    .end(body);

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** What is more than a page. */
const answers: Record<string, Answer> = {
  '/status': (_request, response, url) =>
    void response
      .writeHead(Number(url.searchParams.get('code')), { 'content-type': 'text/html' })
      .end('<title>status</title>'),
  '/nothing': (_request, response) => void response.writeHead(204).end(),
  '/redirect': (_request, response, url) => {
    const left = Number(url.searchParams.get('times') ?? 1);
    const to = left > 1 ? `/redirect?times=${left - 1}` : (url.searchParams.get('to') ?? '/plain');
    response.writeHead(302, { location: to }).end();
  },
  '/drop': (request) => void request.socket.destroy(),
  '/cut': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' });
    response.write('begun', () => response.socket?.destroy());
  },
  '/never': () => undefined,
  '/echo': async (request, response) => {
    const body = await bodyOf(request);
    const { host: _, ...headers } = request.headers;
    text(
      response,
      JSON.stringify({ method: request.method, url: request.url, headers, body: body.toString() }),
      {
        'content-type': 'application/json',
      },
    );
  },
  '/hash': async (request, response) =>
    text(
      response,
      createHash('sha256')
        .update(await bodyOf(request))
        .digest('hex'),
    ),
  '/large': (_request, response) => text(response, Buffer.alloc(5_000_000, 'x')),
  '/gzip': (_request, response) =>
    text(response, gzipSync('packed and unpacked'), { 'content-encoding': 'gzip' }),
  '/chunked': async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    for (const part of ['one ', 'two ', 'three']) response.write(part);
    response.end();
  },
  '/cached': (_request, response) => text(response, 'kept', { 'cache-control': 'max-age=3600' }),
  '/cookies': (_request, response) =>
    text(response, 'baked', {
      'set-cookie': ['plain=1; Path=/', 'hidden=2; Path=/; HttpOnly', 'lax=3; Path=/; SameSite=Lax'] as never,
    }),
  '/auth': (request, response) => {
    const asked = Buffer.from('ann:secret').toString('base64');
    if (request.headers.authorization === `Basic ${asked}`) text(response, 'welcome');
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="house"' }).end('who?');
  },
  '/events': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: first\n\ndata: second\n\n');
  },
  '/picture.png': (_request, response) => text(response, png, { 'content-type': 'image/png' }),
  '/report.csv': (_request, response) =>
    text(response, 'a,b\n1,2\n', {
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="report.csv"',
    }),
  '/endless.bin': (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="endless.bin"',
      'content-length': '10000000',
    });
    response.write(Buffer.alloc(1000));
  },
  '/beacon': async (_request, response) => void response.writeHead(204).end(),
};

export async function startConformanceSite(): Promise<ConformanceSite> {
  const received = new Map<string, string[]>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://site');
    const page = pages[url.pathname];
    const answer = answers[url.pathname];
    if (url.pathname === '/beacon')
      received.set('/beacon', [...(received.get('/beacon') ?? []), (await bodyOf(request)).toString()]);
    if (answer) await answer(request, response, url);
    else if (page) response.writeHead(200, { 'content-type': page.type, ...page.headers }).end(page.body);
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<title>not found</title>');
  };
  const server = createServer(
    (request, response) => void serve(request, response).catch(() => response.destroy()),
  );
  const sockets = new WebSocketServer({ server, path: '/socket' });
  sockets.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => {
      if (data.toString() === 'close') socket.close(4001, 'as asked');
      else socket.send(isBinary ? data : `echo ${data.toString()}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    otherOrigin: `http://localhost:${port}`,
    port,
    closedPort: await closedPort(),
    received: (path) => received.get(path) ?? [],
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** A site whose pages use the network in every way that the log tells apart, and in ways that are meant to hurt it. */
export interface NetworkSite extends AsyncDisposable {
  origin: string;
  /** The same site under another name: another site to a browser. */
  other: string;
  port: number;
}

type Answer = (request: IncomingMessage, response: ServerResponse, site: { port: number }) => void;

const page =
  (title: string, script = '', body = ''): Answer =>
  (_, response, { port }) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<!doctype html><title>${title}</title>${body.replaceAll('PORT', String(port))}<script>${script.replaceAll('PORT', String(port))}</script>`,
      );
const to =
  (location: string): Answer =>
  (_, response) =>
    void response.writeHead(302, { location }).end();
const script =
  (code: string): Answer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/javascript' }).end(code);
const json =
  (value: unknown, headers: Record<string, string | string[]> = {}): Answer =>
  (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(value));

const answers: Record<string, Answer> = {
  '/': page('home'),
  '/first': to('/second?access_token=abc123'),
  '/second': to('/final'),
  '/final': page('final'),
  '/data': json({ fine: true, password: 'hunter2hunter2' }, { 'set-cookie': ['sid=topsecret', 'b=2'] }),
  '/broken': (_, response) => void response.writeHead(503).end('not now'),
  '/cached': (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'public, max-age=3600' })
      .end('globalThis.cachedRan = true'),
  '/uses-cached': page('uses cached', '', '<script src="/cached"></script>'),
  '/worker': page('worker', `new Worker('/worker.js').onmessage = () => { document.title = 'worked' }`),
  '/worker.js': script(`fetch('/from-worker').then(() => postMessage('done'))`),
  '/from-worker': json(1),
  '/service': page(
    'service',
    `navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)
     .then(() => new Promise((resolve) => navigator.serviceWorker.controller ? resolve() : navigator.serviceWorker.addEventListener('controllerchange', resolve)))
     .then(() => fetch('/by-service')).then((answer) => answer.text()).then((text) => { document.title = text })`,
  ),
  '/sw.js': script(`addEventListener('install', () => skipWaiting());
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));
    addEventListener('fetch', (event) => { if (event.request.url.endsWith('/by-service')) event.respondWith(fetch('/behind').then(() => new Response('served'))) })`),
  '/behind': json(2),
  '/frames': page('frames', '', '<iframe src="http://localhost:PORT/framed"></iframe>'),
  '/framed': page('framed', `fetch('/from-frame').then(() => parent.postMessage('done', '*'))`),
  '/from-frame': json(3),
  '/socket': page(
    'socket',
    `const socket = new WebSocket('ws://127.0.0.1:PORT/ws');
     socket.onopen = () => { for (let n = 0; n < 3; n++) socket.send('hello') };
     let heard = 0;
     socket.onmessage = () => { if (++heard === 3) document.title = 'heard' }`,
  ),
  '/never': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const timer = setInterval(() => response.write('x'.repeat(1000)), 50);
    response.once('close', () => clearInterval(timer));
  },
  '/asks-never': page('asks never', `fetch('/never').then(() => { document.title = 'begun' })`),
  '/popup': page(
    'popup',
    `fetch('/from-popup').then((answer) => answer.text()).then(() => { document.title = 'popped' })`,
  ),
  '/from-popup': json(4),
  '/flood': page(
    'flood',
    `(async () => { const url = URL.createObjectURL(new Blob(['x']));
       for (let n = 0; n < 26; n++) await Promise.all(Array.from({ length: 50 }, () => fetch(url)));
       document.title = 'flooded' })()`,
  ),
  '/long': page(
    'long',
    `(async () => {
       await fetch('data:text/plain,' + 'x'.repeat(10e6)).then((answer) => answer.text());
       await fetch('/tiny', { headers: { 'x-long': 'x'.repeat(10e6) } }).catch(() => 0);
       await fetch('/tiny?' + 'q'.repeat(1.5e6)).catch(() => 0);
       document.title = 'done' })()`,
  ),
  '/long-answer': (request) => {
    request.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n');
    for (let n = 0; n < 100; n++) request.socket.write(`x-${n}: ${'y'.repeat(100_000)}\r\n`);
    request.socket.end('\r\n');
  },
  '/tiny': json(5),
};

export async function startNetworkSite(): Promise<NetworkSite> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const answer = answers[pathname];
    if (answer) answer(request, response, { port });
    else response.writeHead(404).end('nothing here');
  });
  const sockets = new WebSocketServer({ server, path: '/ws' });
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    other: `http://localhost:${port}`,
    port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

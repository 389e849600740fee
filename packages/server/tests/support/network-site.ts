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

/** What must be in no file that is kept of a visit to `/opens`, unless it is revealed. */
export const opening = {
  address: 'opens1address',
  script: 'opens2script',
  fetched: 'opens3fetched',
  bearer: 'opens4bearer',
  apiKey: 'opens5apikey',
  redirect: 'opens6redirect',
  location: 'opens7location',
  fragment: 'opens8fragment',
  socket: 'opens9socket',
  failed: 'opens10failed',
  cookie: 'opens11cookie',
  form: 'opens12form',
  answer: 'opens13answer',
};
/** Where the page of it begins. */
export const opensPath = `/opens?access_token=${opening.address}`;

/** Answers that wait for `/stream-on`. */
const streams = new Set<ServerResponse>();

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
  '/stream': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).write('x'.repeat(1000));
    streams.add(response);
    response.once('close', () => streams.delete(response));
  },
  '/stream-on': (_, response) => {
    for (const stream of streams) stream.end('y'.repeat(2000));
    response.writeHead(204).end();
  },
  '/asks-stream': page('asks stream', `fetch('/stream').then(() => { document.title = 'begun' })`),
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
  // It forbids itself what it asks for: nothing is quicker, since its own process answers.
  '/pours': page(
    'pours',
    `let made = 0;
     const pour = () => { for (let n = 0; n < 4000; n++) new Image().src = '/forbidden'; made += 4000; };`,
    `<meta http-equiv="content-security-policy" content="img-src 'none'">`,
  ),
  '/opens': (request, response, at) => {
    response.setHeader('set-cookie', `sid=${opening.cookie}`);
    page(
      'opens',
      '',
      `<img src="/picture?token=${opening.address}"><script src="/opens.js?sig=${opening.script}"></script>`,
    )(request, response, at);
  },
  '/opens.js': script(`(async () => {
    await fetch('/opens-data?code=${opening.fetched}',
      { headers: { authorization: 'Bearer ${opening.bearer}', 'x-api-key': '${opening.apiKey}' } }).then((a) => a.text());
    await fetch('/opens-hop?state=${opening.redirect}').then((a) => a.text());
    await fetch('http://127.0.0.1:2/closed?token=${opening.failed}').catch(() => console.error('failed at ' + location.href));
    await fetch('/opens-data', { method: 'POST', body: new URLSearchParams({ user: 'ada', password: '${opening.form}' }) }).then((a) => a.text());
    await new Promise((done) => { new WebSocket('ws://' + location.host + '/ws?token=${opening.socket}').onopen = done });
    document.title = 'opened' })()`),
  '/opens-data': json({ fine: true, access_token: opening.answer }, { 'set-cookie': `b=${opening.cookie}` }),
  '/opens-hop': to(`/tiny?session=${opening.location}#id_token=${opening.fragment}`),
  '/picture': (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'image/svg+xml' })
      .end('<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>'),
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

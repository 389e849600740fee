import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** A site whose page asks the network for one thing of each kind that the panel shows in its own way. */
export interface RequestsSite extends AsyncDisposable {
  origin: string;
  port: number;
}

/** Eight by eight, red. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mN4YKCAFTEMLQkA4ntMATGIpckAAAAASUVORK5CYII=',
  'base64',
);

/** Waits for all it asks for, and says so in its title. Every word of it that is shown is hostile. */
const shop = `<!doctype html><title>Shop</title><link rel="stylesheet" href="/shop.css"><img src="/picture.png">
<script src="/cached.js"></script><script>(async () => {
  const quiet = () => undefined;
  const get = (url, options) => fetch(url, options).then((answer) => answer.text()).catch(quiet);
  await get('/data.json?name=%22%3E%3Cimg%20src=x%20onerror=parent.hacked=1%3E', {
    headers: { 'x-odd': \`it's "odd" $(id) \\\`id\\\` \\\\\`, Authorization: 'Bearer topsecret' },
  });
  await get('/first');
  await get('/missing');
  await get('/escape', { headers: { 'x-escape': 'a\\u001b[201~b' } });
  await get('http://10.9.8.7/refused');
  await get('/page.html');
  await get('/posted', { method: 'POST', body: 'name=ada' });
  await get('/%E2%80%AEgpj.exe');
  await new Promise((done) => {
    const socket = new WebSocket('ws://127.0.0.1:PORT/ws');
    let heard = 0;
    socket.onopen = () => { for (let n = 0; n < 3; n++) socket.send('hello') };
    socket.onmessage = () => { if (++heard === 3) done() };
  });
  document.title = 'done';
})()</script>`;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const as =
  (type: string, body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type, ...headers }).end(body);

const answers: Record<string, Answer> = {
  '/': as('text/html', '<!doctype html><title>home</title>'),
  '/shop.css': as('text/css', 'h1 { color: red }'),
  '/cached.js': as('text/javascript', 'globalThis.ran = 1', { 'cache-control': 'public, max-age=3600' }),
  '/picture.png': as('image/png', picture),
  '/data.json': as('application/json', '{"fine":true,"turned":"a\u202eb"}', {
    'set-cookie': 'sid=topsecret',
  }),
  '/page.html': as(
    'text/html',
    '<img src=x onerror="document.documentElement.dataset.hacked=1"><h1>Markup</h1>',
  ),
  '/first': (_, response) => void response.writeHead(302, { location: '/second' }).end(),
  '/second': as('text/plain', 'arrived'),
  '/posted': as('text/plain', 'taken'),
  '/%E2%80%AEgpj.exe': as('application/octet-stream', 'MZ'),
  // more than the log keeps, at the cost of no connection
  '/many': as(
    'text/html',
    `<!doctype html><title>many</title><script>(async () => {
       const url = URL.createObjectURL(new Blob(['x']));
       for (let n = 0; n < 22; n++) await Promise.all(Array.from({ length: 50 }, () => fetch(url)));
       document.title = 'all' })()</script>`,
  ),
};

export async function startRequestsSite(): Promise<RequestsSite> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const answer = pathname.startsWith('/item/') ? as('text/plain', 'x') : answers[pathname];
    if (pathname === '/shop') as('text/html', shop.replaceAll('PORT', String(port)))(request, response);
    else if (answer) answer(request, response);
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here');
  });
  const sockets = new WebSocketServer({ server, path: '/ws' });
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

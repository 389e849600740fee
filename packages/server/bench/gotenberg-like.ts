/**
 * A rival in a process of its own: an HTTP server that makes PDFs and pictures as Gotenberg does. One Chromium is kept;
 * every request gets a browser context and a target of its own over one WebSocket, and they are gone with the answer.
 *
 *   node gotenberg-like.ts CHROMIUM ─> prints its address ─> POST /forms/chromium/{convert,screenshot}/{url,html}
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { WebSocket } from 'ws';

interface Message {
  id?: number;
  method?: string;
  sessionId?: string;
  result?: Record<string, string>;
  error?: { message: string };
}

type Send = (method: string, params?: object, sessionId?: string) => Promise<Record<string, string>>;

const profileDir = await mkdtemp(join(tmpdir(), 'gotenberg-like-'));
const chromium = spawn(
  process.argv[2] ?? '',
  [
    '--headless',
    // As in Gotenberg's own container.
    '--no-sandbox',
    '--no-first-run',
    '--hide-scrollbars',
    '--remote-debugging-port=0',
    `--user-data-dir=${profileDir}`,
    'about:blank',
  ],
  { stdio: ['ignore', 'ignore', 'pipe'] },
);
const ended = once(chromium, 'exit');
const address = await new Promise<string>((resolve) => {
  let said = '';
  chromium.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
    const found = /DevTools listening on (\S+)/.exec(said)?.[1];
    if (found) resolve(found);
  });
});

const socket = new WebSocket(address, { perMessageDeflate: false, maxPayload: 256 * 1024 ** 2 });
const pending = new Map<number, PromiseWithResolvers<Record<string, string>>>();
const loaded = new Map<string, () => void>();
let lastId = 0;
socket.on('message', (data: Buffer) => {
  const { id, method, sessionId, result, error } = JSON.parse(data.toString()) as Message;
  const asked = pending.get(id ?? 0);
  pending.delete(id ?? 0);
  if (error) asked?.reject(new Error(error.message));
  else asked?.resolve(result ?? {});
  if (method === 'Page.loadEventFired') loaded.get(sessionId ?? '')?.();
});
await once(socket, 'open');

const send: Send = (method, params = {}, sessionId) => {
  const asked = Promise.withResolvers<Record<string, string>>();
  const id = ++lastId;
  pending.set(id, asked);
  socket.send(JSON.stringify({ id, method, params, sessionId }));
  return asked.promise;
};

async function made(kind: string, form: FormData): Promise<Buffer> {
  const { browserContextId = '' } = await send('Target.createBrowserContext', { disposeOnDetach: true });
  try {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId = '' } = await send('Target.attachToTarget', { targetId, flatten: true });
    const metrics = { width: 1280, height: 720, deviceScaleFactor: 1, mobile: false };
    await Promise.all([
      ...['Page', 'Network', 'Runtime'].map((domain) => send(`${domain}.enable`, {}, sessionId)),
      send('Emulation.setDeviceMetricsOverride', metrics, sessionId),
    ]);
    const there = new Promise<void>((resolve) => loaded.set(sessionId, resolve));
    const html = form.get('files');
    if (html instanceof File)
      await send('Page.setDocumentContent', { frameId: targetId, html: await html.text() }, sessionId);
    else await send('Page.navigate', { url: String(form.get('url')) }, sessionId);
    await there;
    loaded.delete(sessionId);
    const { data = '' } = await (kind === 'convert'
      ? send('Page.printToPDF', { printBackground: false, generateTaggedPDF: true }, sessionId)
      : send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true }, sessionId));
    return Buffer.from(data, 'base64');
  } finally {
    void send('Target.disposeBrowserContext', { browserContextId }).catch(() => undefined);
  }
}

async function formOf(request: IncomingMessage): Promise<FormData> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  return new Response(await buffer(request), { headers }).formData();
}

const server = createServer((request, response) => {
  const kind = request.url?.split('/')[3] ?? '';
  formOf(request)
    .then((form) => made(kind, form))
    .then(
      (bytes) => response.end(bytes),
      (error: Error) => response.writeHead(500).end(error.message),
    );
}).listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

await once(process, 'SIGTERM');
chromium.kill('SIGKILL');
await ended;
await rm(profileDir, { recursive: true, force: true, maxRetries: 5 });
process.exit(0);

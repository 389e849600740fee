import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * A local web site as the outside world. Its pages act by themselves (they keep state, open tabs, loop) and
 * report what they find, so that a test sees the browser through a page's eyes.
 */
export interface Site {
  origin: string;
  port: number;
  /** Reports of `/state` pages so far, oldest first. */
  reports: StateReport[];
  requests: { url: string; headers: IncomingMessage['headers'] }[];
  /** Resolves with the next report that fits. */
  nextReport(fits?: (report: StateReport) => boolean): Promise<StateReport>;
  /** Answers the requests that wait at `/gate`, and later ones. */
  openGate(): void;
  close(): Promise<void>;
}

export interface StateReport {
  name: string;
  cookies: string;
  localStorage: string | null;
  indexedDb: string | null;
  width: number;
  height: number;
  language: string;
  timezone: string;
  userAgent: string;
  worker?: string;
  geolocation?: string;
}

/** Keeps a session cookie, a lasting cookie, local storage and IndexedDB; reports what was there before. */
const statePage = (name: string): string => `<!doctype html><title>state ${name}</title><script>
const open = () => new Promise((resolve, reject) => {
  const request = indexedDB.open('kept', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('things');
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
const inStore = (db, mode, work) => new Promise((resolve, reject) => {
  const transaction = db.transaction('things', mode);
  const request = work(transaction.objectStore('things'));
  transaction.oncomplete = () => resolve(request.result);
  transaction.onerror = () => reject(transaction.error);
});
(async () => {
  const db = await open();
  const found = {
    name: ${JSON.stringify(name)},
    cookies: document.cookie,
    localStorage: localStorage.getItem('kept'),
    indexedDb: (await inStore(db, 'readonly', (store) => store.get('kept'))) ?? null,
    width: innerWidth, height: innerHeight, language: navigator.language,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, userAgent: navigator.userAgent,
  };
  if (location.search.includes('geolocation'))
    found.geolocation = await new Promise((resolve) => navigator.geolocation.getCurrentPosition(
      (place) => resolve(place.coords.latitude + ',' + place.coords.longitude), (error) => resolve(error.message)));
  if (location.search.includes('worker'))
    found.worker = await new Promise((resolve) => {
      const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(navigator.userAgent)'])));
      worker.onmessage = ({ data }) => resolve(data);
    });
  document.cookie = 'session_kept=yes; path=/';
  document.cookie = 'lasting_kept=yes; path=/; max-age=86400';
  localStorage.setItem('kept', 'in-local-storage');
  await inStore(db, 'readwrite', (store) => store.put('in-indexed-db', 'kept'));
  await fetch('/report', { method: 'POST', body: JSON.stringify(found) });
  document.title = 'kept ' + found.name;
})();
</script>`;

const pages: Record<string, string> = {
  '/': '<!doctype html><title>home</title><h1>Home</h1>',
  '/other': '<!doctype html><title>other</title>',
  '/busy': '<!doctype html><title>busy</title><script>setTimeout(() => { while (true); }, 50)</script>',
  '/alert':
    '<!doctype html><title>alert</title><script>alert("stop"); document.title = "after alert"</script>',
  '/errors':
    '<!doctype html><title>errors, done</title><script>console.error("logged", { a: 1 }, 2n); console.log("fine"); setTimeout(() => { throw new Error("not caught") }); Promise.reject(new TypeError("rejected"))</script>',
  '/floods':
    '<!doctype html><title>floods</title><script>for (let n = 0; n < 600; n++) console.log(n); console.error("x".repeat(1e6)); setTimeout(() => { console.error("too late"); document.title = "done" }, 200)</script>',
  '/opens-tabs':
    '<!doctype html><title>opener</title><script>if (!localStorage.opened) { localStorage.opened = 1; window.open("/state?name=second"); window.open("/other") }</script>',
};

/** Of RFC 6455. */
const webSocketGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** `more` are pages of a spec's own, by their path. */
export async function startSite(more: Record<string, string> = {}): Promise<Site> {
  const reports: StateReport[] = [];
  const requests: Site['requests'] = [];
  const gate = Promise.withResolvers<void>();
  const waiting = new Set<(report: StateReport) => void>();
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    requests.push({ url: request.url ?? '', headers: request.headers });
    if (url.pathname === '/report') {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const report = JSON.parse(body) as StateReport;
        reports.push(report);
        for (const tell of waiting) tell(report);
        response.end();
      });
      return;
    }
    if (url.pathname === '/gate') {
      void gate.promise.then(() => response.end('open'));
      return;
    }
    const page =
      url.pathname === '/state'
        ? statePage(url.searchParams.get('name') ?? 'first')
        : (more[url.pathname] ?? pages[url.pathname]);
    const type = url.pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(page ? 200 : 404, { 'content-type': type });
    response.end(page ?? 'nothing here');
  });
  const sockets = new Set<Duplex>();
  server.on('upgrade', (request, socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}${webSocketGuid}`);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key.digest('base64')}\r\n\r\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    reports,
    requests,
    openGate: () => gate.resolve(),
    nextReport: (fits = () => true) =>
      new Promise((resolve) => {
        const tell = (report: StateReport): void => {
          if (!fits(report)) return;
          waiting.delete(tell);
          resolve(report);
        };
        waiting.add(tell);
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of sockets) socket.destroy();
      }),
  };
}

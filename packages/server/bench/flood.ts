/**
 * How long one page can hold up the loop of the service by what it asks of the network: the longest pause of each second,
 * of which the longest of all is p95. The browser of the page is the only one.
 */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause } from './cpu.ts';
import { type Row, summarize } from './measure.ts';
import { type Bench, startBench } from './service.ts';

const seconds = 15;
const policy = { privateAccess: { localhost: true } };

/** Many at once, in several threads; none of them has to leave the machine. */
const fast = `const url = URL.createObjectURL(new Blob(['x']));
const more = async () => { for (;;) { made += 50; await Promise.all(Array.from({ length: 50 }, () => fetch(url).catch(() => 0))) } };
for (let n = 0; n < 8; n++) more();`;
const inWorker = `let made = 0; setInterval(() => { postMessage(made); made = 0 }, 100); ${fast}`;
/** The quickest of all: the page forbids itself what it asks for, so that its own process answers. */
const forbidden = `document.head.innerHTML = '<meta http-equiv="content-security-policy" content="img-src blob:">';
setInterval(() => { for (let n = 0; n < 2000; n++) { made++; new Image().src = '/forbidden' } }, 0);`;

/** Code of pages. What they have `made` they tell the site, since what asks their browser would have to wait. */
const attacks: Record<string, string> = {
  'nothing but an open page': '',
  'requests as fast as a page can': `${fast}
    for (let n = 0; n < 3; n++)
      new Worker(URL.createObjectURL(new Blob([${JSON.stringify(inWorker)}]))).onmessage = ({ data }) => { made += data };`,
  'requests that the page forbids itself': forbidden,
  'requests with headers of 10 MB': `const long = 'x'.repeat(10e6);
    (async () => { for (;;) { made++; await fetch('/any', { headers: { 'x-long': long } }).catch(() => 0) } })()`,
  'answers with headers of 10 MB': `
    (async () => { for (;;) { made++; await fetch('/long-headers').catch(() => 0) } })()`,
  'addresses of 2 MB': `const long = 'x'.repeat(2e6);
    (async () => { for (;;) { made++; await fetch('/any?' + long).catch(() => 0) } })()`,
  'answers that never end': `
    for (let n = 0; n < 120; n++) fetch('http://h' + n % 30 + '.localhost:' + location.port + '/never', { mode: 'no-cors' })
      .then(() => { made++ }, () => 0)`,
};

const pageOf = (code: string): string =>
  `<!doctype html><title>flood</title><script>let made = 0;
   setInterval(() => fetch('/made?' + made), 500);${code}</script>`;

/** What the page has told last. */
let made = 0;

const answer: RequestListener = (request, response) => {
  const { pathname, search } = new URL(request.url ?? '/', 'http://site');
  response.on('error', () => undefined);
  const attack = Object.values(attacks)[Number(pathname.slice(1) || Number.NaN)];
  if (attack !== undefined) response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(attack));
  else if (pathname === '/made') {
    made = Number(search.slice(1));
    response.writeHead(204).end();
  } else if (pathname === '/never') {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const timer = setInterval(() => response.write('x'.repeat(1000)), 10);
    response.once('close', () => clearInterval(timer));
  } else if (pathname === '/long-headers') {
    request.socket.on('error', () => undefined);
    request.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n');
    for (let n = 0; n < 100; n++) request.socket.write(`x-${n}: ${'y'.repeat(100_000)}\r\n`);
    request.socket.end('\r\n');
  } else response.writeHead(404).end();
};

export async function benchFlood(): Promise<Row[]> {
  const site = createServer(answer).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  await using bench = await startBench({ BROWSERD_POOL_SIZE: '0', BROWSERD_PRIVATE_ACCESS: 'localhost' });
  const rows: Row[] = [];
  for (const [index, what] of Object.keys(attacks).entries()) {
    const { pauses, rate } = await measure(bench, `${origin}/${index}`);
    rows.push(...summarize('flood', { [`longest pause of a second: ${what}`]: pauses }));
    if (rate > 0) rows.push(...summarize('flood', { [`made a second: ${what}`]: [rate] }, ''));
  }
  site.closeAllConnections();
  site.close();
  return rows;
}

async function measure(bench: Bench, startUrl: string): Promise<{ pauses: number[]; rate: number }> {
  made = -1;
  const { id } = await bench.create({ policy, startUrl });
  while (made < 0) await pause(50);
  const longest = (): Promise<number> => bench.number('browserd_event_loop_delay_seconds{quantile="max"}');
  await longest();
  const before = made;
  const began = performance.now();
  const pauses: number[] = [];
  for (let second = 0; second < seconds; second++) {
    await pause(1000);
    pauses.push((await longest()) * 1000);
  }
  const rate = ((made - before) / (performance.now() - began)) * 1000;
  await bench.remove(id);
  return { pauses, rate };
}

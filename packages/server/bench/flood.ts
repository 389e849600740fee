import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause } from './cpu.ts';
import { type Row, summarize } from './measure.ts';
import { type Bench, startBench } from './service.ts';

/**
 * How long one page can hold up the loop of the service by what it asks of the network: the longest pause of each second,
 * of which the longest of all is p95. The browser of the page is the only one.
 */
const seconds = 15;
const policy = { privateAccess: { localhost: true } };

interface Attack {
  page: string;
  /** How often it was done so far, told by the page. */
  count: string;
}

/** Many at once, in several threads; nothing of it has to leave the machine. */
const fast = `const url = URL.createObjectURL(new Blob(['x']));
let made = 0;
const more = async () => { for (;;) { made += 50; await Promise.all(Array.from({ length: 50 }, () => fetch(url).catch(() => 0))) } };
for (let n = 0; n < 8; n++) more();`;

const attacks: Record<string, Attack> = {
  'nothing but an open page': { page: '<title>calm</title>', count: '0' },
  'requests as fast as a page can': {
    page: `<script>${fast}
      globalThis.elsewhere = {};
      for (let n = 0; n < 3; n++) {
        const code = ${JSON.stringify(fast)} + 'setInterval(() => postMessage(made), 100)';
        new Worker(URL.createObjectURL(new Blob([code]))).onmessage = ({ data }) => { elsewhere[n] = data };
      }</script>`,
    count: 'made + Object.values(elsewhere).reduce((a, b) => a + b, 0)',
  },
  'requests with headers of 10 MB': {
    page: `<script>let made = 0; const long = 'x'.repeat(10e6);
      (async () => { for (;;) { made++; await fetch('/any', { headers: { 'x-long': long } }).catch(() => 0) } })()</script>`,
    count: 'made',
  },
  'answers with headers of 10 MB': {
    page: `<script>let made = 0;
      (async () => { for (;;) { made++; await fetch('/long-headers').catch(() => 0) } })()</script>`,
    count: 'made',
  },
  'addresses of 2 MB': {
    page: `<script>let made = 0; const long = 'x'.repeat(2e6);
      (async () => { for (;;) { made++; await fetch('/any?' + long).catch(() => 0) } })()</script>`,
    count: 'made',
  },
  'answers that never end': {
    page: `<script>let made = 0;
      for (let n = 0; n < 120; n++) { made++; fetch('http://h' + n % 30 + '.localhost:' + location.port + '/never', { mode: 'no-cors' }).catch(() => 0) }</script>`,
    count: 'made',
  },
};

const answer: RequestListener = (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  response.on('error', () => undefined);
  const attack = Object.values(attacks)[Number(pathname.slice(1))];
  if (attack) response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>${attack.page}`);
  else if (pathname === '/never') {
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
  for (const [index, [what, attack]] of Object.entries(attacks).entries()) {
    const { pauses, rate } = await measure(bench, `${origin}/${index}`, attack);
    rows.push(...summarize('flood', { [`longest pause of a second: ${what}`]: pauses }));
    if (rate > 0) rows.push(...summarize('flood', { [`made a second: ${what}`]: [rate] }, ''));
  }
  site.closeAllConnections();
  site.close();
  return rows;
}

async function measure(
  bench: Bench,
  url: string,
  { count }: Attack,
): Promise<{ pauses: number[]; rate: number }> {
  const { id } = await bench.create({ policy });
  const run = async (code: string): Promise<number> => {
    const path = `/v1/browsers/${id}/script/execute`;
    const { result, error } = await bench.call<{ result: number; error?: object }>('POST', path, { code });
    if (error) throw new Error(JSON.stringify(error));
    return result;
  };
  // `load` would be waited for in vain: some of these pages never end to load.
  await run(`await page.goto(${JSON.stringify(url)}, { waitUntil: 'commit' }); return 1`);
  await pause(1000);
  const longest = (): Promise<number> => bench.number('browserd_event_loop_delay_seconds{quantile="max"}');
  await longest();
  const before = await run(`return page.evaluate(() => ${count})`);
  const began = performance.now();
  const pauses: number[] = [];
  for (let second = 0; second < seconds; second++) {
    await pause(1000);
    pauses.push((await longest()) * 1000);
  }
  const made = (await run(`return page.evaluate(() => ${count})`)) - before;
  await bench.remove(id);
  return { pauses, rate: (made / (performance.now() - began)) * 1000 };
}

/**
 * What a filter list costs a page, and what it saves: pages of 200 requests, with the list on and off in turns, in two
 * browsers of one service. All of *.localhost is the site; the list is about as long as those that people use.
 */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Row, summarize } from './measure.ts';
import { type Bench, startBench } from './service.ts';

const requests = 200;
/** Of 200: what advertising makes of an ordinary news page. */
const advertised = 60;
const filters = 60_000;
const rounds = 12;
const loadsEach = 2;
const policy = { privateAccess: { localhost: true } };
/** Not an SVG: Chromium makes a document of each, and takes longer for them from load to load. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Filters of the kinds that such lists have most of: hosts, paths, and words in addresses. */
const list = [
  '||ads.localhost^',
  '/banner/*$image',
  ...Array.from({ length: filters / 3 }, (_, n) => `||ads${n}.example-${n % 977}.com^$third-party`),
  ...Array.from({ length: filters / 3 }, (_, n) => `/advert${n}/track-${n % 311}/$image,script`),
  ...Array.from({ length: filters / 3 }, (_, n) => `-pixel${n}.gif?campaign=`),
].join('\n');

/** As those of advertising are: long, and they put something onto the page. */
const script = `/* ${'x'.repeat(30_000)} */
for (let n = 0; n < 5; n++) document.body.append(Object.assign(document.createElement('aside'), { textContent: 'Buy!' }));
document.body.getBoundingClientRect();`;

type Kind = 'picture' | 'script';

/** In an address, and in the name of a row. */
interface Advertised {
  count: number;
  kind: Kind;
}

const pageOf = (port: number, { count, kind }: Advertised): string => {
  const advert = (n: number): string =>
    kind === 'script'
      ? `<script src="http://ads.localhost:${port}/${n}.js"></script>`
      : `<img src="http://ads.localhost:${port}/${n}.png">`;
  const parts = Array.from({ length: requests }, (_, n) =>
    isAdvert(n, count) ? advert(n) : `<img src="/${n}.png">`,
  );
  return `<!doctype html><title>page</title><body>${parts.join('')}`;
};

/** Spread over the page. */
const isAdvert = (n: number, of: number): boolean =>
  Math.floor(((n + 1) * of) / requests) > Math.floor((n * of) / requests);

/** The load time is the page's own; the answers are not cached. */
const load = `const ms = [];
for (let n = 0; n < args.times; n++) {
  await page.goto(args.url + '?' + Math.random(), { timeout: 100_000 });
  ms.push(await page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd));
}
return ms`;

const pages: Record<string, Advertised> = {
  '60 of 200 blocked, scripts': { count: advertised, kind: 'script' },
  '60 of 200 blocked, pictures': { count: advertised, kind: 'picture' },
  'none of 200 blocked': { count: 0, kind: 'picture' },
};

export async function benchRules(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'browserd-bench-lists-'));
  const site = createServer(({ url = '/' }, response) => {
    const [, kind, count] = /^\/(picture|script)-(\d+)/.exec(url) ?? [];
    const [type, body] = kind
      ? ['text/html', pageOf(port, { kind: kind as Kind, count: Number(count) })]
      : url.endsWith('.js')
        ? ['text/javascript', script]
        : ['image/png', picture];
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' });
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  try {
    await writeFile(join(folder, 'ads.txt'), list);
    await using bench = await startBench({
      BROWSERD_POOL_SIZE: '0',
      BROWSERD_PRIVATE_ACCESS: 'localhost',
      BROWSERD_FILTER_LISTS: folder,
    });
    const rows: Row[] = [];
    for (const [what, { kind, count }] of Object.entries(pages))
      rows.push(...(await inTurns(bench, what, `http://shop.localhost:${port}/${kind}-${count}`, count)));
    return rows;
  } finally {
    site.closeAllConnections();
    site.close();
    await rm(folder, { recursive: true });
  }
}

async function inTurns(bench: Bench, what: string, url: string, blocked: number): Promise<Row[]> {
  const names = { on: `${what}, list on`, off: `${what}, list off` };
  const ms: Record<string, number[]> = { [names.on]: [], [names.off]: [] };
  const ids = {
    on: (await bench.create({ policy: { ...policy, lists: ['ads'] } })).id,
    off: (await bench.create({ policy })).id,
  };
  for (let round = 0; round <= rounds; round++)
    for (const side of ['on', 'off'] as const) {
      const measured = await loads(bench, ids[side], url);
      // the first round warms up
      if (round > 0) ms[names[side]]?.push(...measured);
    }
  await checkBlocked(bench, ids.on, blocked);
  await Promise.all(Object.values(ids).map((id) => bench.remove(id)));
  return summarize('rules', ms);
}

/** A list that blocks nothing would measure nothing. */
async function checkBlocked(bench: Bench, id: string, blocked: number): Promise<void> {
  const { ruleHits } = await bench.call<{ ruleHits?: { lists?: Record<string, number> } }>(
    'GET',
    `/v1/browsers/${id}`,
  );
  const wanted = blocked * (rounds + 1) * loadsEach;
  if (ruleHits?.lists?.ads !== wanted)
    throw new Error(`the list blocked ${ruleHits?.lists?.ads} requests instead of ${wanted}`);
}

async function loads(bench: Bench, id: string, url: string): Promise<number[]> {
  const body = { code: load, args: { url, times: loadsEach }, timeoutMs: 120_000 };
  const { result, error } = await bench.call<{ result: number[]; error?: object }>(
    'POST',
    `/v1/browsers/${id}/script/execute`,
    body,
  );
  if (error) throw new Error(JSON.stringify(error));
  return result;
}

/**
 * What the log of requests costs a page: the same pages on two services, one with it and one without, in turns. And what
 * of that is Chromium's own: a bare Chromium under Playwright, with and without a second session that hears of requests.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { below, cpuOf } from './cpu.ts';
import { type Row, summarize } from './measure.ts';
import { playwrightPage } from './rivals.ts';
import { type Bench, startBench } from './service.ts';

const pictures = (count: number): string =>
  Array.from({ length: count }, (_, n) => `<img src=/${n}.png>`).join('');
const pages: Record<string, string> = {
  // an article, a shop's page whose scripts build it, and one that does nothing but ask
  '/article': `<!doctype html><title>article</title><link rel=stylesheet href=/a.css>${'<p>Words that are worth reading.</p>'.repeat(60)}${pictures(8)}`,
  '/shop': `<!doctype html><title>shop</title><link rel=stylesheet href=/a.css><main></main>${Array.from({ length: 8 }, (_, n) => `<script src=/${n}.js></script>`).join('')}`,
  '/many': `<!doctype html><title>many</title>${pictures(200)}`,
};
/** One pixel: what a load takes is then the requests' own time, not that of drawing. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
);
/** A script of usual size that lays out a shelf of goods. */
const script = `/* ${'x'.repeat(60_000)} */
for (let n = 0; n < 120; n++) {
  const card = document.createElement('section');
  card.innerHTML = '<h2>Thing ' + n + '</h2><p>' + 'A thing to have. '.repeat(8) + '</p><button>Buy</button>';
  if (n % 40 === 0) card.append(Object.assign(new Image(), { src: '/' + Math.random() + '.png' }));
  document.querySelector('main').append(card);
  if (n % 30 === 0) card.getBoundingClientRect();
}`;
const answers: [pattern: RegExp, type: string, body: string | Buffer][] = [
  [/\.css$/, 'text/css', 'body{margin:0}section{display:inline-block;width:200px;padding:8px}'],
  [/\.js$/, 'text/javascript', script],
  [/\.png$/, 'image/png', picture],
];
const rounds = 12;
const loadsEach = 2;
const policy = { privateAccess: { localhost: true } };

/** The load time is the page's own; the answers are not cached. */
const loadTime = `performance.getEntriesByType('navigation')[0].loadEventEnd`;
const code = `const ms = [];
for (let n = 0; n < args.times; n++) {
  await page.goto(args.url + '?' + Math.random());
  ms.push(await page.evaluate(${JSON.stringify(loadTime)}));
}
return ms`;

/** One way to load a page some times: how long each took, and the CPU time of all processes. */
type Loads = (url: string) => Promise<{ ms: number[]; cpu: number }>;

export async function benchNetwork(): Promise<Row[]> {
  const site = createServer(({ url = '/' }, response) => {
    const [, type = 'text/html', body = pages[url.replace(/\?.*/, '')]] =
      answers.find(([pattern]) => pattern.test(url)) ?? [];
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' });
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const settings = { BROWSERD_POOL_SIZE: '0', BROWSERD_PRIVATE_ACCESS: 'localhost' };
  await using on = await startBench(settings);
  await using off = await startBench({ ...settings, BROWSERD_NETWORK_LOG: 'off' });
  const bare = await playwrightPage('');
  const second = await bare.page.context().newCDPSession(bare.page);
  const rows: Row[] = [];
  for (const path of Object.keys(pages)) {
    const ids = { on: (await on.create({ policy })).id, off: (await off.create({ policy })).id };
    const measured = await inTurns(origin + path, {
      logged: serviceLoads(on, ids.on),
      'not logged': serviceLoads(off, ids.off),
    });
    const floor = await inTurns(origin + path, {
      'bare Chromium, a second session hears': bareLoads(bare.page, () => second.send('Network.enable')),
      'bare Chromium': bareLoads(bare.page, () => second.send('Network.disable')),
    });
    for (const ways of [measured, floor])
      for (const kind of ['ms', 'cpu'] as const)
        rows.push(...summarize('network', named(`${kind === 'ms' ? 'load' : 'CPU'} of ${path}`, ways, kind)));
    await Promise.all([on.remove(ids.on), off.remove(ids.off)]);
  }
  await bare.close();
  site.closeAllConnections();
  site.close();
  return rows;
}

type Measured = Record<string, { ms: number[]; cpu: number[] }>;

const named = (what: string, ways: Measured, kind: 'ms' | 'cpu'): Record<string, number[]> =>
  Object.fromEntries(Object.entries(ways).map(([way, samples]) => [`${what}, ${way}`, samples[kind]]));

async function inTurns(url: string, ways: Record<string, Loads>): Promise<Measured> {
  const measured: Measured = Object.fromEntries(Object.keys(ways).map((way) => [way, { ms: [], cpu: [] }]));
  for (let round = 0; round <= rounds; round++)
    for (const [way, loads] of Object.entries(ways)) {
      const { ms, cpu } = await loads(url);
      // the first round warms up
      if (round === 0) continue;
      measured[way]?.ms.push(...ms);
      measured[way]?.cpu.push(cpu / loadsEach);
    }
  return measured;
}

const serviceLoads =
  (bench: Bench, id: string): Loads =>
  async (url) => {
    const clock = async (): Promise<number> => cpuOf(bench.pid) + (await below(bench.pid));
    const before = await clock();
    const body = { code, args: { url, times: loadsEach }, timeoutMs: 120_000 };
    const run = `/v1/browsers/${id}/script/execute`;
    const { result, error } = await bench.call<{ result: number[]; error?: object }>('POST', run, body);
    if (error) throw new Error(JSON.stringify(error));
    return { ms: result, cpu: (await clock()) - before };
  };

/** Chromium's processes only: this program serves the site as well. */
const bareLoads =
  (page: Awaited<ReturnType<typeof playwrightPage>>['page'], setUp: () => Promise<unknown>): Loads =>
  async (url) => {
    await setUp();
    const ms: number[] = [];
    const before = await below(process.pid);
    for (let n = 0; n < loadsEach; n++) {
      await page.goto(`${url}?${Math.random()}`);
      ms.push(await page.evaluate<number>(loadTime));
    }
    return { ms, cpu: (await below(process.pid)) - before };
  };

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { below, cpuOf } from './cpu.ts';
import { type Row, summarize } from './measure.ts';
import { type Bench, startBench } from './service.ts';

/** What the log of requests costs a page: the same pages on two services, one with it and one without, in turns. */
const pages: Record<string, string> = {
  '/few': `<!doctype html><title>few</title><link rel=stylesheet href=/a.css>${Array.from({ length: 8 }, (_, n) => `<img src=/${n}.svg>`).join('')}`,
  '/many': `<!doctype html><title>many</title>${Array.from({ length: 200 }, (_, n) => `<img src=/${n}.svg>`).join('')}`,
};
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20"/></svg>';
const rounds = 12;
const loadsEach = 2;
const policy = { privateAccess: { localhost: true } };

/** The load time is the page's own; the answers are not cached. */
const load = `const ms = [];
for (let n = 0; n < args.times; n++) {
  await page.goto(args.url + '?' + Math.random());
  ms.push(await page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd));
}
return ms`;

export async function benchNetwork(): Promise<Row[]> {
  const site = createServer(({ url = '/' }, response) => {
    const page = pages[url.replace(/\?.*/, '')];
    const type = page ? 'text/html' : url.endsWith('.css') ? 'text/css' : 'image/svg+xml';
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' });
    response.end(page ?? (type === 'text/css' ? 'body{margin:0}' : picture));
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  await using on = await startBench({ BROWSERD_POOL_SIZE: '0', BROWSERD_PRIVATE_ACCESS: 'localhost' });
  await using off = await startBench({
    BROWSERD_POOL_SIZE: '0',
    BROWSERD_PRIVATE_ACCESS: 'localhost',
    BROWSERD_NETWORK_LOG: 'off',
  });
  const rows: Row[] = [];
  for (const path of Object.keys(pages)) {
    const names = { on: `load of ${path}, logged`, off: `load of ${path}, not logged` };
    const ms: Record<string, number[]> = { [names.on]: [], [names.off]: [] };
    const cpu: Record<string, number[]> = { [`CPU ${names.on}`]: [], [`CPU ${names.off}`]: [] };
    const ids = { on: (await on.create({ policy })).id, off: (await off.create({ policy })).id };
    for (let round = 0; round <= rounds; round++)
      for (const side of ['on', 'off'] as const) {
        const bench = side === 'on' ? on : off;
        const measured = await loads(bench, ids[side], origin + path);
        // the first round warms up
        if (round === 0) continue;
        ms[names[side]]?.push(...measured.ms);
        cpu[`CPU ${names[side]}`]?.push(measured.cpu / loadsEach);
      }
    rows.push(...summarize('network', ms), ...summarize('network', cpu));
  }
  site.closeAllConnections();
  site.close();
  return rows;
}

async function loads(bench: Bench, id: string, url: string): Promise<{ ms: number[]; cpu: number }> {
  const clock = async (): Promise<number> => cpuOf(bench.pid) + (await below(bench.pid));
  const before = await clock();
  const body = { code: load, args: { url, times: loadsEach }, timeoutMs: 120_000 };
  const run = `/v1/browsers/${id}/script/execute`;
  const { result, error } = await bench.call<{ result: number[]; error?: object }>('POST', run, body);
  if (error) throw new Error(JSON.stringify(error));
  return { ms: result, cpu: (await clock()) - before };
}

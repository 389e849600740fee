import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Row, summarize } from './measure.ts';
import { startBench } from './service.ts';

/**
 * What a page with 200 requests costs, half of them to hosts that a list of 20,000 filters names: with the list, with 200 rules
 * that block the same hosts, with a rule for which every request is stopped and nothing is blocked, and with none. The page's own
 * clock, in turns.
 */
const adHosts = Array.from({ length: 10 }, (_, n) => `ads${n}.localhost`);
const filters = Array.from({ length: 20_000 }, (_, n) => `||tracker-${n}.example^`);
const policy = { privateAccess: { localhost: true } };
const block = (host: string) => ({ match: { host }, do: { action: 'block' } });
const rules = [...Array.from({ length: 190 }, (_, n) => block(`other-${n}.example`)), ...adHosts.map(block)];
const variants: Record<string, object> = {
  'with the list': { ...policy, lists: ['ads'] },
  'with 200 rules': { ...policy, rules },
  'every request stopped, none blocked': {
    ...policy,
    rules: [
      { match: { url: '*nowhere*' }, do: { action: 'block' } },
      { match: { thirdParty: false, method: 'PUT' }, do: { action: 'block' } },
    ],
  },
  'without any': policy,
};
const rounds = 10;

export async function benchRules(): Promise<Row[]> {
  const site = createServer(({ url = '/' }, response) => {
    const { port } = site.address() as AddressInfo;
    const image = (n: number) =>
      `<img src="http://${n % 2 ? adHosts[n % 10] : 'shop.localhost'}:${port}/${n}.svg?${url.slice(2)}">`;
    const page = `<!doctype html>${Array.from({ length: 200 }, (_, n) => image(n)).join('')}`;
    const isPage = url.startsWith('/?');
    response.setHeader('cache-control', 'no-store');
    response.setHeader('content-type', isPage ? 'text/html' : 'image/svg+xml');
    response.end(isPage ? page : '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), 'browserd-bench-lists-'));
  await writeFile(join(folder, 'ads.txt'), [...filters, ...adHosts.map((host) => `||${host}^`)].join('\n'));
  const series: Record<string, number[]> = Object.fromEntries(
    Object.keys(variants).map((name) => [name, []]),
  );
  await using bench = await startBench({ BROWSERD_FILTER_LISTS: folder });
  const ids = new Map<string, string>();
  for (const [name, each] of Object.entries(variants))
    ids.set(name, (await bench.create({ policy: each })).id);
  await bench.settled();
  for (let round = 0; round <= rounds; round++)
    for (const [name, id] of ids) {
      const code = `await page.goto('http://shop.localhost:${port}/?${round}', { waitUntil: 'load' });
        return page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventStart)`;
      const { result } = await bench.call<{ result: number }>('POST', `/v1/browsers/${id}/script/execute`, {
        code,
      });
      // The first one of each starts its runner.
      if (round > 0) series[name]?.push(result);
    }
  site.closeAllConnections();
  site.close();
  await rm(folder, { recursive: true });
  const without = 'without any';
  return Object.keys(variants)
    .filter((name) => name !== without)
    .flatMap((name) =>
      summarize('rules', { [name]: series[name] ?? [], [without]: series[without] ?? [] }).slice(
        0,
        name === 'with the list' ? 2 : 1,
      ),
    );
}

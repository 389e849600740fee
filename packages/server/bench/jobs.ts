/** A batch beside direct calls of the quick action: what the rows, leases and turns of a job cost. Milliseconds a page. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Row, summarize, timed } from './measure.ts';
import { type Bench, startBench } from './service.ts';

/** A page of a size that is common, different for each address. */
const page = (path: string): string =>
  `<!doctype html><title>${path}</title><main><h1>${path}</h1>${Array.from(
    { length: 40 },
    (_, n) => `<p>Paragraph ${n} of ${path}, with words enough that it is worth reading to its very end.</p>`,
  ).join('')}</main>`;

const pages = 200;
const atOnce = 4;
const rounds = 3;
const policy = { privateAccess: { localhost: true } };

export async function benchJobs(): Promise<Row[]> {
  const site = createServer(({ url = '/' }, response) => {
    response.setHeader('content-type', 'text/html').end(page(url));
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  await using bench = await startBench({ BROWSERD_RATE_LIMIT: '1000000' });
  const ways: Record<string, (urls: string[]) => Promise<unknown>> = {
    [`batch of ${pages}, ${atOnce} at once`]: (urls) => batch(bench, urls),
    [`direct calls, ${atOnce} at once`]: (urls) => direct(bench, urls),
  };
  const series = Object.fromEntries(Object.keys(ways).map((what) => [what, [] as number[]]));
  for (let round = 0; round <= rounds; round++)
    for (const [what, work] of Object.entries(ways)) {
      const urls = Array.from({ length: pages }, (_, n) => `${origin}/${round}/${n}`);
      const { ms } = await timed(() => work(urls));
      // the first is for warming up
      if (round > 0) series[what]?.push(ms / pages);
    }
  site.close();
  return summarize('jobs', series);
}

/** Until the stream of its results ends, which is when a caller has them all. */
async function batch(bench: Bench, urls: string[]): Promise<void> {
  const items = urls.map((url) => ({ url }));
  const body = { kind: 'batch', items, concurrency: atOnce, options: { policy } };
  const { id } = await bench.call<{ id: string }>('POST', '/v1/jobs', body);
  const response = await fetch(`${bench.url}/v1/jobs/${id}/results`, {
    headers: { authorization: `Bearer ${bench.key}`, accept: 'text/event-stream' },
  });
  const done = (await response.text()).match(/"status":"done"/g)?.length ?? 0;
  if (done < urls.length) throw new Error(`only ${done} of ${urls.length} pages were done`);
}

async function direct(bench: Bench, urls: string[]): Promise<void> {
  const left = [...urls];
  const work = async (): Promise<void> => {
    for (let url = left.shift(); url; url = left.shift())
      await bench.call('POST', '/v1/scrape', { url, policy });
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

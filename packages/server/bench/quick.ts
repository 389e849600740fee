import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { type Row, summarize, timed } from './measure.ts';
import { playwrightContexts, playwrightOnce } from './rivals.ts';
import { startBench } from './service.ts';

/** An article with a style sheet and some pictures: the most common request. */
const paragraphs = Array.from(
  { length: 40 },
  (_, n) =>
    `<p>Paragraph ${n}, with words enough that it is worth reading to its very end, and a <a href="/${n}">link</a>.</p>`,
).join('');
const article = `<!doctype html><title>An article</title><link rel=stylesheet href=/style.css><nav><a href=/>Home</a></nav>
  <article><h1>An article</h1>${paragraphs}<img src=/1.svg><img src=/2.svg></article>`;
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="teal"/></svg>';
const answers: [pattern: RegExp, type: string, body: string][] = [
  [/\.css$/, 'text/css', 'body{font:16px serif;max-width:700px;margin:auto}'],
  [/\.svg$/, 'image/svg+xml', picture],
  [/./, 'text/html', article],
];

const atOnce = [1, 4, 8];
const rounds = 6;
const policy = { privateAccess: { localhost: true } };

type Job = () => Promise<unknown>;

/**
 * The same job by the service and by the two scripts that users would write themselves, one at a time and several at
 * once. Besides the time of each, how long a job takes when that many run: what a second of the machine is worth.
 */
export async function benchQuick(): Promise<Row[]> {
  const site = createServer(({ url = '/' }, response) => {
    const [, type = '', body = ''] = answers.find(([pattern]) => pattern.test(url)) ?? [];
    response.setHeader('content-type', type).end(body);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/article`;
  await using bench = await startBench();
  await bench.settled();
  const kept = await playwrightContexts();
  const text = (page: Page) => page.evaluate('document.body.innerText');
  const works: Record<string, (page: Page) => Promise<unknown>> = {
    screenshot: (page) => page.screenshot(),
    pdf: (page) => page.pdf(),
    scrape: text,
  };
  const rows: Row[] = [];
  for (const [action, work] of Object.entries(works)) {
    const ways: Record<string, Job> = {
      [action]: () => bench.bytes('POST', `/v1/${action}`, { url, policy }),
      'Playwright, a context each': () => kept.visit(url, work),
      'Playwright, a launch each': () => playwrightOnce(url, work),
    };
    for (const count of atOnce) rows.push(...summarize(`quick, ${count} at once`, await raced(ways, count)));
  }
  await kept.close();
  site.close();
  return rows;
}

/** Milliseconds a job, of `count` at once; way after way in every round. */
async function raced(ways: Record<string, Job>, count: number): Promise<Record<string, number[]>> {
  const name = (what: string): string => `${what}, ${count} at once`;
  const series = Object.fromEntries(Object.keys(ways).map((what) => [name(what), [] as number[]]));
  for (let round = 0; round <= rounds; round++)
    for (const [what, job] of Object.entries(ways)) {
      const { ms } = await timed(() => Promise.all(Array.from({ length: count }, job)));
      // the first is for warming up
      if (round > 0) series[name(what)]?.push(ms / count);
    }
  return series;
}

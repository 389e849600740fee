/**
 * The same job by the service and by what users would run themselves: scripts that keep a browser or launch one for each
 * page, and a server like Gotenberg; and the least that Chromium itself takes. Alone, the time of a page counts; of several
 * at once, the pages a second: of a burst after a rest, and of callers that go on and on. These keep every processor busy, so
 * that the processor time of a page decides: it is printed with them, of the whole machine, with callers and site.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { type Row, summarize, timed } from './measure.ts';
import { bareContexts, type bareWorks, gotenbergLike, playwrightContexts, playwrightOnce } from './rivals.ts';
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

const usualCounts = [1, 4, 8];
/** A page alone takes so little that single ones say nothing. */
const roundsAlone = 25;
const rounds = 5;
/** Beside busy loops each takes several times as long. */
const busyRounds = 3;
/** Pages that each of several callers asks for, one after another, in the steady part. */
const inARow = 4;
const steadyRounds = 3;
/**
 * What one way leaves to be cleaned up, or prepares for its next page, must not fall into the time of another: each rests, and
 * then waits until the machine does, too. Beside busy loops that never is, so it is a longer rest.
 */
const restMs = 500;
const longRestMs = 1500;
const windowMs = 100;
const mostWindows = 100;
const stillShare = 0.15;
const policy = { privateAccess: { localhost: true } };

type Job = () => Promise<unknown>;
type Ways = Record<string, Job>;
type Series = Record<string, number[]>;

const kept = 'Playwright, a context each';
const least = 'Chromium, bare';
const launched = 'Playwright, a launch each';

export interface QuickBenchOptions {
  /** Some of the actions; empty: all. */
  only: readonly string[];
  /** How many pages at once; empty: the usual numbers. */
  atOnce: readonly number[];
  /** Processes that loop for nothing beside all that is measured. */
  busy: number;
}

export async function benchQuick({ only, atOnce, busy }: QuickBenchOptions): Promise<Row[]> {
  using _loops = busyLoops(busy);
  const site = createServer(({ url = '/' }, response) => {
    const [, type = '', body = ''] = answers.find(([pattern]) => pattern.test(url)) ?? [];
    response.setHeader('content-type', type).end(body);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/article`;
  await using bench = await startBench();
  await bench.settled();
  const playwright = await playwrightContexts();
  const bare = await bareContexts();
  const gotenberg = await gotenbergLike();
  const form = new FormData();
  form.set('url', url);
  const works: Record<keyof typeof bareWorks, { work(page: Page): Promise<unknown>; path?: string }> = {
    screenshot: { work: (page) => page.screenshot(), path: '/forms/chromium/screenshot/url' },
    // All make the same one: with the structure that screen readers need.
    pdf: { work: (page) => page.pdf({ tagged: true }), path: '/forms/chromium/convert/url' },
    scrape: { work: (page) => page.evaluate('document.body.innerText') },
  };
  const rows: Row[] = [];
  for (const action of ['screenshot', 'pdf', 'scrape'] as const) {
    if (only.length > 0 && !only.includes(action)) continue;
    const { work, path } = works[action];
    const ways: Ways = {
      [action]: () => bench.bytes('POST', `/v1/${action}`, { url, policy }),
      [kept]: () => playwright.visit(url, work),
      ...(path && { 'Gotenberg-like server': () => gotenberg.post(path, form) }),
      [least]: () => bare.visit(url, action),
      [launched]: () => playwrightOnce(url, work),
    };
    const counts = atOnce.length > 0 ? atOnce : usualCounts;
    for (const count of counts) rows.push(...(await compared(ways, count, busy > 0)));
  }
  await Promise.all([playwright.close(), bare.close(), gotenberg.close()]);
  site.close();
  return rows;
}

async function compared(ways: Ways, count: number, isBusy: boolean): Promise<Row[]> {
  const burst = (job: Job) => Promise.all(Array.from({ length: count }, job));
  const rest = isBusy ? () => setTimeout(longRestMs) : machineRests;
  if (count === 1) {
    // Launches take long, and would leave the machine busy for long.
    const { [launched]: launch = () => Promise.resolve(), ...lasting } = ways;
    const [{ ms }, once] = [
      await raced(lasting, roundsAlone, burst, rest),
      await raced({ [launched]: launch }, rounds, burst, rest),
    ];
    Object.assign(ms, once.ms);
    return withBound(summarize('quick, alone', named('alone', ms)));
  }
  const persistent = async (job: Job): Promise<void> => {
    for (let page = 0; page < inARow; page++) await job();
  };
  const steady = (job: Job) => Promise.all(Array.from({ length: count }, () => persistent(job)));
  // It is beside the point how many launches a machine stands at once.
  const { [launched]: _, ...lasting } = ways;
  const each = (series: Series, of: (value: number) => number): Series =>
    Object.fromEntries(Object.entries(series).map(([what, values]) => [what, values.map(of)]));
  const perSecond = (pages: number, series: Series) => each(series, (ms) => (1000 * pages) / ms);
  const rows = (how: string, series: Series, unit: string): Row[] =>
    withBound(summarize(`quick, ${how}`, named(how, series), unit));
  // Beside busy loops all of it takes several times as long, and the processors are busy in any case.
  const raceable = isBusy ? Object.fromEntries(Object.entries(lasting).slice(0, 2)) : lasting;
  const { ms } = await raced(raceable, isBusy ? busyRounds : rounds, burst, rest);
  const bursts = rows(`${count} at once`, perSecond(count, ms), 'pages/s');
  if (isBusy) return bursts;
  const pages = count * inARow;
  const steadily = await raced(lasting, steadyRounds, steady, rest);
  return [
    ...bursts,
    ...rows(`${count} at once, steady`, perSecond(pages, steadily.ms), 'pages/s'),
    ...rows(
      `${count} at once, steady, CPU a page`,
      each(steadily.cpuMs, (ms) => ms / pages),
      'ms',
    ),
  ];
}

/** What a bare Chromium reaches beside Playwright: no service does better with the same Chromium and as little made ahead. */
function withBound(rows: Row[]): Row[] {
  const find = (way: string) => rows.find(({ what }) => what.startsWith(way));
  const [bound, rival] = [find(least), find(kept)];
  if (bound && rival) bound.ratios[rival.what] = Number((bound.p50 / rival.p50).toPrecision(3));
  return rows;
}

const named = (how: string, series: Series): Series =>
  Object.fromEntries(Object.entries(series).map(([what, values]) => [`${what}, ${how}`, values]));

/**
 * How long `all` of it took, and how much processor time of the machine, with what it leaves to be cleaned up; way after way in
 * every round, the first of which is for warming up.
 */
async function raced(
  ways: Ways,
  times: number,
  all: (job: Job) => Promise<unknown>,
  rest: () => Promise<unknown>,
): Promise<{ ms: Series; cpuMs: Series }> {
  const empty = (): Series => Object.fromEntries(Object.keys(ways).map((what) => [what, []]));
  const [took, cpuMs] = [empty(), empty()];
  for (let round = 0; round <= times; round++)
    for (const [what, job] of Object.entries(ways)) {
      const before = busyMs();
      const { ms } = await timed(() => all(job));
      await rest();
      if (round === 0) continue;
      took[what]?.push(ms);
      cpuMs[what]?.push(busyMs() - before);
    }
  return { ms: took, cpuMs };
}

/** Of all processors since the machine was started. */
const busyMs = (): number =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);

async function machineRests(): Promise<void> {
  await setTimeout(restMs);
  // On a machine that does something else all the time it is given up.
  for (let windows = 0; windows < mostWindows; windows++) {
    const before = busyMs();
    await setTimeout(windowMs);
    if (busyMs() - before < stillShare * windowMs * cpus().length) return;
  }
}

function busyLoops(count: number): Disposable {
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;);']));
  const end = (): void => loops.forEach((loop) => void loop.kill('SIGKILL'));
  process.once('exit', end);
  return {
    [Symbol.dispose]() {
      process.off('exit', end);
      end();
    },
  };
}

/**
 * What an operator plans with: the memory and CPU of a browser by what it shows, and the CPU of one piece of work.
 * docs/sizing.md has its table from here.
 */
import { readFileSync } from 'node:fs';
import { processTree } from '../src/process/process-tree.ts';
import { below, costs, cpuOf, pause } from './cpu.ts';
import { type Row, summarize } from './measure.ts';
import { pssOf } from './memory.ts';
import { animated, startPages } from './moving-pages.ts';
import { engines } from './rivals.ts';
import { type Bench, startBench } from './service.ts';

const words = 'Managed browsers over plain HTTP, each with a profile and a network exit of its own. '.repeat(
  6,
);
const article = `<!doctype html><title>article</title><h1>An article</h1>${`<h2>Part</h2><p>${words}</p>`.repeat(60)}`;
/** As an application is: many elements, listeners, and 60 MB of live objects. */
const application = `<!doctype html><title>application</title><body><script>
const table = document.createElement('table');
for (let row = 0; row < 3000; row++) {
  const line = table.insertRow();
  for (let cell = 0; cell < 8; cell++) line.insertCell().textContent = 'cell ' + row + ', ' + cell;
  line.addEventListener('click', () => line.remove());
}
document.body.append(table);
window.kept = Array.from({ length: 600_000 }, (_, i) => ({ i, text: 'item ' + i }));
</script>`;
const pages: Record<string, string> = { article, application, animation: animated };
const together = 5;

const alone = { BROWSERD_POOL_SIZE: '0', BROWSERD_RUNNER_POOL_SIZE: '0' };
const policy = { privateAccess: { localhost: true } };

/** Browsers that show one page and are left alone. */
async function showing(engine: string, page: string, startUrl: string | undefined): Promise<Row[]> {
  await using bench = await startBench({ ...alone, BROWSERD_ENGINE: engine });
  // several share what Chromium's processes have in common; of what is always busy, one is enough for a core
  const open = page === 'animation' ? 1 : together;
  for (let count = 0; count < open; count++) await bench.create({ startUrl, policy });
  await pause(4000);
  const memory = (await pssOf(bench.pid, bench.pid)) / open;
  const [chromium = 0, service = 0] = await costs(
    () => below(bench.pid),
    () => cpuOf(bench.pid),
  );
  const name = `${engine}, ${page}`;
  return [
    ...summarize('sizing', { [`${name}: memory of a browser`]: [memory] }, 'MB'),
    ...summarize('sizing', { [`${name}: CPU of a browser`]: [(chromium + service) / open] }, '% of a core'),
  ];
}

/** Of a process and of its children that have ended, which only it still knows. */
function usedBy(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]) * 10, 0);
  } catch {
    return 0;
  }
}
const allUsed = async ({ pid }: Bench): Promise<number> =>
  (await processTree(pid)).reduce((sum, ref) => sum + usedBy(ref.pid), 0);

/** With what its Chromium takes to start. They stay open: of a box that has ended nothing is left to read. */
async function creating(): Promise<Row[]> {
  await using bench = await startBench(alone);
  await bench.create();
  const before = await allUsed(bench);
  for (let count = 0; count < together; count++) await bench.create();
  await pause(1000);
  const each = ((await allUsed(bench)) - before) / together;
  return summarize('sizing', { 'create a browser': [each] }, 'ms of CPU');
}

/** CPU seconds of one piece of work, all processes together. */
async function works(origin: string): Promise<Row[]> {
  await using bench = await startBench({ BROWSERD_POOL_SIZE: '2' });
  await bench.settled();
  const { id } = await bench.create({ startUrl: `${origin}/article`, policy });
  const code = { code: 'return page.title()' };
  const quick = { url: `${origin}/article`, policy };
  const kinds: Record<string, () => Promise<unknown>> = {
    'a script call on a hot browser': () => bench.call('POST', `/v1/browsers/${id}/script/execute`, code),
    'a scrape of an article': () => bench.call('POST', '/v1/scrape', quick),
    'a screenshot of an article': () => bench.bytes('POST', '/v1/screenshot', quick),
    'a PDF of an article': () => bench.bytes('POST', '/v1/pdf', quick),
  };
  const rows: Row[] = [];
  for (const [what, work] of Object.entries(kinds)) {
    await work();
    await bench.settled();
    const before = await allUsed(bench);
    for (let round = 0; round < 10; round++) await work();
    await bench.settled();
    rows.push(...summarize('sizing', { [what]: [((await allUsed(bench)) - before) / 10] }, 'ms of CPU'));
  }
  const own = await pssOf(bench.pid);
  await bench.remove(id);
  await pause(2000);
  const idle = await pssOf(bench.pid);
  const text = readFileSync(`/proc/${bench.pid}/smaps_rollup`, 'utf8');
  const service = Number(/^Pss:\s+(\d+)/m.exec(text)?.[1]) / 1024;
  rows.push(
    ...summarize('sizing', { 'the service itself': [service] }, 'MB'),
    ...summarize('sizing', { 'the service with 2 warm browsers and 2 warm runners': [idle] }, 'MB'),
    ...summarize('sizing', { 'a browser that runs scripts, with its runner': [own - idle] }, 'MB'),
  );
  return rows;
}

export async function benchSizing(): Promise<Row[]> {
  await using site = await startPages(pages, article);
  const rows: Row[] = [];
  for (const engine of engines)
    for (const page of ['empty', ...Object.keys(pages)])
      rows.push(...(await showing(engine, page, page === 'empty' ? undefined : `${site.origin}/${page}`)));
  return [...rows, ...(await creating()), ...(await works(site.origin))];
}

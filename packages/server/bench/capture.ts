/** A screenshot and a PDF of the same page on a browser that lives already, beside raw CDP and Playwright. */
import { type Row, summarize, timed } from './measure.ts';
import { playwrightPage, rawPage } from './rivals.ts';
import { startBench } from './service.ts';

/** Text, colours and many boxes: about what a page of results looks like. */
const html = `<!doctype html><title>results</title><body style="font:16px sans-serif">${Array.from(
  { length: 120 },
  (_, n) =>
    `<div style="float:left;width:180px;height:90px;margin:6px;padding:8px;border-radius:8px;background:linear-gradient(hsl(${n * 3} 80% 70%),hsl(${n * 5} 60% 40%))">Result ${n}, with some words</div>`,
).join('')}`;

const rounds = 25;

export async function benchCapture(): Promise<Row[]> {
  await using bench = await startBench();
  await bench.settled();
  const { id } = await bench.create();
  const show = { code: 'await page.setContent(args)', args: html };
  await bench.call('POST', `/v1/browsers/${id}/script/execute`, show);
  const raw = await rawPage();
  await raw.show(html);
  const { page, close } = await playwrightPage(html);
  const ways = {
    png: {
      'screenshot, png': () => bench.bytes('POST', `/v1/browsers/${id}/screenshot`),
      'raw CDP, optimizeForSpeed': () => raw.capture({ optimizeForSpeed: true }),
      'raw CDP, smallest png': () => raw.capture(),
      'Playwright page.screenshot': () => page.screenshot(),
    },
    jpeg: {
      'screenshot, jpeg': () => bench.bytes('POST', `/v1/browsers/${id}/screenshot`, { format: 'jpeg' }),
      'raw CDP, jpeg': () => raw.capture({ format: 'jpeg' }),
      'Playwright page.screenshot, jpeg': () => page.screenshot({ type: 'jpeg' }),
    },
    fullPage: {
      'screenshot, full page': () => bench.bytes('POST', `/v1/browsers/${id}/screenshot`, { fullPage: true }),
      'Playwright page.screenshot, full page': () => page.screenshot({ fullPage: true }),
    },
    pdf: {
      pdf: () => bench.bytes('POST', `/v1/browsers/${id}/pdf`),
      'raw CDP, printToPDF': () => raw.print(),
      'Playwright page.pdf': () => page.pdf(),
    },
  };
  const rows: Row[] = [];
  for (const group of Object.values(ways)) rows.push(...summarize('capture', await interleaved(group)));
  await close();
  await raw.close();
  return rows;
}

/** One after the other in every round, so that changes of the machine's speed affect all alike. */
async function interleaved(ways: Record<string, () => Promise<Buffer>>): Promise<Record<string, number[]>> {
  const series = Object.fromEntries(Object.keys(ways).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds + 3; round++)
    for (const [name, way] of Object.entries(ways)) {
      const { ms } = await timed(way);
      if (round >= 3) series[name]?.push(ms);
    }
  return series;
}

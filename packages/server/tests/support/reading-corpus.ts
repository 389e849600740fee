/**
 * How well the main text of saved pages is found. What counts as text was marked by a person, page by page, as
 * selectors: the element that holds the article, and what stands in it without belonging to it. No text of the service
 * was looked at for that.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const folder = join(import.meta.dirname, '../reading/corpus');

export interface MarkedPage {
  page: string;
  /** Selects what is text. */
  text: string;
  /** Selects what in it is not. */
  without?: string;
  /** The rules were made without it: it was marked and measured when they stood. */
  unseen?: boolean;
}

export interface Corpus {
  /** Their licences allow to keep them here. */
  kept: MarkedPage[];
  /** Of packages that are fetched when they are measured. */
  packages: { name: string; version: string; folder: string; pages: MarkedPage[] }[];
}

export const readCorpus = async (): Promise<Corpus> =>
  JSON.parse(await readFile(join(folder, 'corpus.json'), 'utf8'));

export const keptPage = async (name: string): Promise<string> =>
  gunzipSync(await readFile(join(folder, `${name}.html.gz`))).toString();

/** For `script/execute`, with `{ html, text, without }`: the words of the marked part, parsed apart from any page. */
export const markedText = `return page.evaluate(({ html, text, without }) => {
  const saved = new DOMParser().parseFromString(html, 'text/html');
  for (const part of saved.querySelectorAll('script,style,noscript,iframe,template,svg,form input,select,textarea,button')) part.remove();
  if (without) for (const part of saved.querySelectorAll(without)) part.remove();
  for (const part of saved.querySelectorAll('p,div,li,td,th,dt,dd,h1,h2,h3,h4,h5,h6,br,pre,blockquote,section,tr,figcaption')) part.append(' ');
  const found = [...saved.querySelectorAll(text)];
  return found.filter((part) => !found.some((other) => other !== part && other.contains(part))).map((part) => part.textContent).join(' ');
}, args)`;

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;
const wordsOf = (text: string): string[] => text.toLowerCase().match(unspaced) ?? [];

/** The words that a reader of Markdown sees: no pictures, no addresses. */
export const proseOf = (markdown: string): string =>
  markdown
    .replace(/!\[(?:\\.|[^\]\\])*\]\([^()]*\)/g, ' ')
    .replace(/\]\([^()\s]*\)/g, '] ')
    .replace(/\\([[\]()*_`#|.\-+!>~<])/g, '$1')
    .replace(/<br>/g, ' ');

export interface Score {
  precision: number;
  recall: number;
  f1: number;
}

export function scoreOf(found: string, wanted: string): Score {
  const left = Map.groupBy(wordsOf(wanted), (word) => word);
  const words = wordsOf(found);
  const hits = words.filter((word) => left.get(word)?.pop() !== undefined).length;
  const precision = words.length === 0 ? 0 : hits / words.length;
  const recall = hits / Math.max(wordsOf(wanted).length, 1);
  return { precision, recall, f1: hits === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

/** The title is a field of its own in the answer, so a heading that repeats it counts neither way. */
export const withoutTitle = (markdown: string): string => markdown.replace(/^#{1,2} .*\n/, '');

export const meanOf = (scores: Score[]): Score => {
  const mean = (pick: (score: Score) => number) =>
    scores.reduce((sum, score) => sum + pick(score), 0) / Math.max(scores.length, 1);
  return { precision: mean((s) => s.precision), recall: mean((s) => s.recall), f1: mean((s) => s.f1) };
};

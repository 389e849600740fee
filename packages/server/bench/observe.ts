/**
 * What an agent is shown of ten real pages, beside what @playwright/mcp shows of them, which is Playwright's `ariaSnapshot` in the
 * mode `ai`: characters, time, and whether anything that can be operated is missing. OBSERVE_OUT names a folder for the texts.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Row, summarize, timed } from './measure.ts';
import { type ObservedPage, openRealPages, realPages } from './observe-pages.ts';
import { type Bench, startBench } from './service.ts';

interface Seen {
  chars: number;
  theirs: number;
  diff: number;
  lost: string[];
  ms: number;
  theirMs: number;
}

/** A button that opens a small menu: one click changes a page as clicks do. */
const open = `await page.goto(args, { waitUntil: 'load' });
await page.evaluate(() => {
  const button = Object.assign(document.createElement('button'), { id: 'bench-open', textContent: 'Open the menu' });
  button.onclick = () => button.insertAdjacentHTML('afterend', '<nav><ul><li><a href="#a">Profile</a></li><li><a href="#b">Settings</a></li><li><a href="#c">Sign out</a></li></ul></nav>');
  document.body.prepend(button);
})`;

/** Roles that are operated, and whatever shows a hand. */
const operated =
  /^\s*- '?(?:(?:link|button|textbox|searchbox|checkbox|radio|combobox|listbox|option|menuitem|menuitemcheckbox|menuitemradio|slider|spinbutton|switch|tab|treeitem)\b.*|.*\[cursor=pointer\].*)$/;

const refsIn = (text: string, lines: RegExp): string[] =>
  text
    .split('\n')
    .filter((line) => lines.test(line))
    .flatMap((line) => [...line.matchAll(/\[ref=(\w+)\]/g)].map(([, ref]) => ref ?? ''));

const tag = `const mark = (element, name) => element.setAttribute(name, '');
for (let from = 0; from < args.refs.length; from += 20)
  await Promise.all(args.refs.slice(from, from + 20).map((ref) =>
    page.locator('aria-ref=' + ref).evaluate(mark, args.name, { timeout: 5000 }).catch((error) => console.warn(ref, error.message))));`;

/** What Playwright has and we do not, and what HTML itself makes operable: each must be ours, or be in or around one that is. */
const missing = `return page.evaluate(() => {
  const operable = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [contenteditable=true], [role=button], [role=link], [role=checkbox], [role=tab], [role=menuitem]';
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && element.getBoundingClientRect().width > 1 && element.getBoundingClientRect().height > 1 && !element.closest('[inert], [aria-hidden=true]');
  const wanted = new Set([...document.querySelectorAll('[data-theirs]'), ...[...document.querySelectorAll(operable)].filter(shown)]);
  const has = (element) => element.hasAttribute('data-ours')
    || (!element.matches(operable) && (element.closest('[data-ours]') || element.querySelector('[data-ours]')))
    || [...(element.labels ?? [])].some((label) => label.matches('[data-ours]'));
  return [...wanted].filter((element) => !has(element)).map((element) => element.outerHTML.slice(0, 160).replace(/\\s+/g, ' '));
})`;

async function see(
  bench: Bench,
  url: string,
  keep: (name: string, text: string) => Promise<void>,
): Promise<Seen> {
  const { id } = await bench.create({
    policy: { privateAccess: { localhost: true }, allowedDomains: ['127.0.0.1'] },
  });
  const run = async <T>(code: string, args: unknown = null): Promise<T> => {
    const answer = await bench.call<{ success: boolean; result: T; error?: { message: string } }>(
      'POST',
      `/v1/browsers/${id}/script/execute`,
      { code, args, timeoutMs: 120_000 },
    );
    if (!answer.success) throw new Error(answer.error?.message);
    return answer.result;
  };
  const observe = (more: object = {}) =>
    bench.call<ObservedPage>('POST', `/v1/browsers/${id}/observe`, { maxChars: 1_000_000, ...more });
  await run(open, url);
  const theirs = await timed(() => run<string>("return page.ariaSnapshot({ mode: 'ai' })"));
  await run(tag, { refs: refsIn(theirs.value, operated), name: 'data-theirs' });
  const ours = await timed(observe);
  const { content } = ours.value;
  await run(tag, { refs: refsIn(content, /./), name: 'data-ours' });
  const lost = await run<string[]>(missing);
  // The marks have changed no line; what is compared is the click alone.
  await observe();
  await run("await page.evaluate(() => document.getElementById('bench-open').click())");
  const diff = await observe({ as: 'diff' });
  await Promise.all([
    keep('theirs.yml', theirs.value),
    keep('ours.txt', content),
    keep('diff.txt', diff.content),
    keep('lost.txt', lost.join('\n')),
  ]);
  await bench.remove(id);
  return {
    chars: content.length,
    theirs: theirs.value.length,
    diff: diff.content.length,
    lost,
    ms: ours.ms,
    theirMs: theirs.ms,
  };
}

async function keepText(page: string, name: string, text: string): Promise<void> {
  const folder = process.env.OBSERVE_OUT;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${page}.${name}`), text);
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

export async function benchObserve(): Promise<Row[]> {
  await using pages = await openRealPages();
  await using bench = await startBench({ BROWSERD_RATE_LIMIT: '100000' });
  const all: Seen[] = [];
  for (const { name } of realPages) {
    const seen = await see(bench, pages.url(name), (kind, text) => keepText(name, kind, text));
    all.push(seen);
    console.log(
      `  ${name.padEnd(24)} ${String(seen.chars).padStart(7)} characters, ${(seen.chars / seen.theirs).toFixed(2)} × ${seen.theirs}; after a click ${seen.diff} (${percent(seen.diff, seen.chars)}); lost ${seen.lost.length}`,
    );
  }
  const sum = (pick: (seen: Seen) => number): number => all.reduce((total, seen) => total + pick(seen), 0);
  console.log(
    `  in all: ${(sum((seen) => seen.chars) / sum((seen) => seen.theirs)).toFixed(2)} × the characters, ${sum((seen) => seen.lost.length)} lost, diffs ${percent(
      sum((seen) => seen.diff),
      sum((seen) => seen.chars),
    )}`,
  );
  return [
    ...summarize(
      'observe',
      {
        'observation, aria': all.map(({ chars }) => chars),
        'Playwright snapshot, mode ai': all.map(({ theirs }) => theirs),
      },
      'characters',
    ),
    ...summarize(
      'observe',
      { 'diff after one click': all.map(({ diff, chars }) => diff / chars) },
      'of the whole',
    ),
    ...summarize('observe', {
      'POST observe': all.map(({ ms }) => ms),
      'Playwright snapshot in a script': all.map(({ theirMs }) => theirMs),
    }),
  ];
}

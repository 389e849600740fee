/**
 * What has become of an outline since another time:
 *
 *     main [ref=e4]
 *       … 34 lines as before
 *   ~   button "Save" [ref=e12] [disabled]        says something else now
 *   +   alert: Saved                              is new, with all that is in it
 *   -   button "Undo" [ref=e13]                   is gone, with all that was in it
 *   >   row: Ada | 1                              is as before, but stands here now
 *
 * A thing is the same one as before if it has the same reference, or else says the same in the same place.
 */
import { type Entry, parse } from './entries.ts';
import { pair } from './pair.ts';

interface Diffed {
  text: string;
  /** Lines that differ. */
  changes: number;
}

type Mark = ' ' | '~' | '+' | '-' | '>';

export function diff(before: string, now: string, nested = true): Diffed {
  const known = new Map<string, number>();
  const out = new Output();
  compare(parse(before, known, nested), parse(now, known, nested), 0, out);
  out.endRun();
  return { text: out.text, changes: out.changes };
}

function compare(before: readonly Entry[], now: readonly Entry[], depth: number, out: Output): void {
  const { pairs, gone, moved } = pair(before, now);
  const tellGone = (upTo: number): void => {
    for (; gone[0] !== undefined && gone[0] < upTo; gone.shift()) {
      const entry = before[gone[0]];
      if (entry) out.gone(entry, depth);
    }
  };
  for (const [at, entry] of now.entries()) {
    const from = pairs[at];
    const old = from === undefined ? undefined : before[from];
    if (from !== undefined && !moved.has(at)) tellGone(from);
    if (!old) out.added(entry, depth);
    else if (old.id === entry.id && !moved.has(at)) out.same(entry, depth);
    else {
      const mark = old.text !== entry.text ? '~' : moved.has(at) ? '>' : ' ';
      out.line(mark, entry.text, depth);
      compare(old.below, entry.below, depth + 1, out);
      out.endRun();
    }
  }
  tellGone(before.length);
  out.endRun();
}

class Output {
  readonly #lines: string[] = [];
  #same = { lines: 0, depth: 0 };
  changes = 0;

  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }

  line(mark: Mark, text: string, depth: number): void {
    this.endRun();
    if (mark !== ' ') this.changes++;
    this.#lines.push(`${mark} ${'  '.repeat(depth)}${text}`);
  }

  added(entry: Entry, depth: number): void {
    this.line('+', entry.text, depth);
    for (const child of entry.below) this.added(child, depth + 1);
  }

  gone(entry: Entry, depth: number): void {
    const inside = entry.lines - 1;
    this.line(
      '-',
      inside > 0 ? `${entry.text} (and ${inside} ${lineWord(inside)} inside)` : entry.text,
      depth,
    );
  }

  same(entry: Entry, depth: number): void {
    this.#same = { lines: this.#same.lines + entry.lines, depth };
  }

  endRun(): void {
    const { lines, depth } = this.#same;
    this.#same = { lines: 0, depth: 0 };
    if (lines > 0) this.#lines.push(`  ${'  '.repeat(depth)}… ${lines} ${lineWord(lines)} as before`);
  }
}

const lineWord = (count: number): string => (count === 1 ? 'line' : 'lines');

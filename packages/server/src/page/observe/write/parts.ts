/** A long text in parts that end where lines end, and the index of them. */

export interface Part {
  content: string;
  /** Length of the whole. */
  chars: number;
  /** Where the next part begins; absent: there is none. */
  nextStart?: number;
}

export interface IndexEntry {
  startFrom: number;
  chars: number;
  /** The headings and parts of the page that begin in it, or its first words. */
  what: string;
}

/** A part is at least this much of what was asked for, also where an earlier end would be finer. */
const leastShare = 0.7;
const mostEntries = 40;
const mostWords = 4;
const longestWords = 60;

const highSurrogate = /[\ud800-\udbff]$/;

/** Where the part that begins at `from` ends: at a new heading or part of the page if there is one near, else at the end of a line. */
function endOf(whole: string, from: number, most: number): number {
  if (whole.length - from <= most) return whole.length;
  const reach = whole.slice(from, from + most);
  const least = Math.floor(most * leastShare);
  const beginnings = [...reach.slice(least).matchAll(/\n(?=#{1,6} |heading |[a-z])/g)];
  const fine = beginnings.at(-1);
  if (fine) return from + least + fine.index + 1;
  const line = reach.lastIndexOf('\n') + 1;
  if (line > 0) return from + line;
  // One line longer than the part: between two tags if it has some.
  const tag = reach.lastIndexOf('>') + 1;
  if (tag > least) return from + tag;
  return from + (highSurrogate.test(reach) && most > 1 ? most - 1 : most);
}

export function partOf(whole: string, startFrom: number, maxChars: number): Part {
  const from = Math.min(startFrom, whole.length);
  const to = endOf(whole, from, maxChars);
  return {
    content: whole.slice(from, to),
    chars: whole.length,
    ...(to < whole.length && { nextStart: to }),
  };
}

/** Parts of a size that can be asked for, larger ones where there would be too many. */
export function indexOf(whole: string, maxChars: number): IndexEntry[] {
  const size = Math.max(maxChars, Math.ceil(whole.length / (mostEntries * leastShare)));
  const entries: IndexEntry[] = [];
  for (let from = 0; from < whole.length; ) {
    const to = endOf(whole, from, size);
    entries.push({ startFrom: from, chars: to - from, what: titleOf(whole.slice(from, to)) });
    from = to;
  }
  return entries;
}

const isTitle =
  /^\s*(?:#{1,6} |heading |banner|navigation|main|contentinfo|complementary|region|search|form|dialog|iframe|table)/;

function titleOf(part: string): string {
  const titles: string[] = [];
  let first = '';
  for (const line of linesOf(part)) {
    if (first === '') first = line.trim();
    if (isTitle.test(line)) titles.push(line.trim());
    if (titles.length >= mostWords) break;
  }
  return (titles.length > 0 ? titles : [first]).map(short).join('; ');
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    yield text.slice(from, Math.min(to, from + 4 * longestWords));
    from = to + 1;
  }
}

const short = (text: string): string =>
  text.length > longestWords ? `${text.slice(0, longestWords).replace(highSurrogate, '')}…` : text;

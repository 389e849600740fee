/**
 * The text of a PDF has no paragraphs, only pieces at places. How they lie tells what they were:
 *
 *   pieces ──> lines ──> blocks   larger than most of the text: a heading
 *                                 the line had room for the next word: its end was meant
 */
export interface Piece {
  str: string;
  /** Of these the last four: the size, and where it begins. */
  transform: number[];
  width: number;
  hasEOL: boolean;
}

export interface Line {
  text: string;
  size: number;
  x: number;
  y: number;
  /** Where it ends on the right. */
  end: number;
}

export interface Block {
  size: number;
  /** As many as were meant to be. */
  lines: string[];
}

export function linesOf(pieces: Piece[]): Line[] {
  const lines: Line[] = [];
  let open: Line | undefined;
  for (const { str: written, transform, width, hasEOL } of pieces) {
    const str = written.replace(/\p{Cc}/gu, '');
    const [, , c = 0, d = 0, x = 0, y = 0] = transform;
    if (open) {
      open.text += str;
      if (str.trim()) open.end = Math.max(open.end, x + width);
    } else if (str.trim()) open = { text: str, size: Math.hypot(c, d) || 1, x, y, end: x + width };
    if (!hasEOL || !open) continue;
    lines.push(open);
    open = undefined;
  }
  return open ? [...lines, open] : lines;
}

/** Lines that begin at about the same place are one column; this is how far each reaches. */
function edgesOf(lines: Line[]): (line: Line) => number {
  const column = ({ x }: Line): number => Math.round(x / columnStep);
  const edges = new Map<number, number>();
  for (const line of lines) edges.set(column(line), Math.max(edges.get(column(line)) ?? 0, line.end));
  return (line) => Math.max(...[-1, 0, 1].map((near) => edges.get(column(line) + near) ?? 0));
}

const columnStep = 24;
const sameSize = (a: Line, b: Line): boolean => Math.abs(a.size - b.size) <= 0.06 * Math.max(a.size, b.size);

/** The distance of lines within a paragraph, in parts of their size: the least that is not rare. */
export function leadingOf(pages: Line[][]): number {
  const counts = new Map<number, number>();
  let all = 0;
  for (const lines of pages)
    for (const [at, line] of lines.entries()) {
      const before = lines[at - 1];
      const ratio = before && sameSize(before, line) ? (before.y - line.y) / line.size : 0;
      if (ratio < 0.8 || ratio > 3) continue;
      const step = Math.round(ratio * 10) / 10;
      counts.set(step, (counts.get(step) ?? 0) + 1);
      all++;
    }
  let seen = 0;
  for (const [step, count] of [...counts].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= all * 0.15) return step;
  }
  return 1.2;
}

export function blocksOf(lines: Line[], leading: number): Block[] {
  const edgeOf = edgesOf(lines);
  const blocks: Block[] = [];
  let before: Line | undefined;
  for (const line of lines) {
    const block = blocks.at(-1);
    const gap = before ? (before.y - line.y) / line.size : 0;
    const near = before !== undefined && sameSize(before, line) && gap > -0.5 && gap <= leading * 1.25;
    const ended =
      before !== undefined &&
      (leader.test(before.text.slice(-tailChars)) || roomFor(line, edgeOf(before) - before.end));
    const indented = before !== undefined && line.x - before.x > line.size * 0.8;
    if (!block || !near || (ended && indented) || listItem.test(line.text))
      blocks.push({ size: line.size, lines: [line.text.trim()] });
    else if (ended) block.lines.push(line.text.trim());
    else block.lines.push(joined(block.lines.pop() ?? '', line.text.trim()));
    before = line;
  }
  return blocks;
}

const listItem = /^\s*(?:[•◦▪‣●○■]|\(?\d{1,3}[.)]\s)/;

/** Dots that lead to a number, as tables of contents have them. */
const leader = /(?:\.\s?){4}\s*\S{1,6}\s*$/;
/** No more than this of a line is looked at for how it ends. */
const tailChars = 60;

/** The first word of this line would have fitted on the one before. Where there are no spaces, a word is a sign. */
function roomFor({ text, x, end }: Line, room: number): boolean {
  const words = text.trim();
  const first = cjk.test(words[0] ?? '') ? 2 : words.search(/\s|$/) + 2;
  return room > ((end - x) / Math.max(words.length, 1)) * first * 1.2;
}

const cjk = /[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** A word that was cut at the end of a line is whole again. */
function joined(before: string, after: string): string {
  if (before.endsWith('\u00ad')) return before.slice(0, -1) + after;
  const tail = before.slice(-tailChars);
  if (/(?:^|\s)\p{L}+\p{Ll}-$/u.test(tail) && /^\p{Ll}/u.test(after)) return before.slice(0, -1) + after;
  const tight = /\p{L}-$/u.test(tail) || (cjk.test(before.at(-1) ?? '') && cjk.test(after[0] ?? ''));
  return `${before}${tight ? '' : ' '}${after}`;
}

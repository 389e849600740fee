/**
 * A condensed tree as lines, two spaces deeper where one thing is in another. Rows of tables and the options of a closed list
 * are one line each; a line of dashes tells where the view ends.
 */
import type { SeenNode } from '../../inside/inside.ts';
import { type Child, isNode } from './condense.ts';
import { headOf, isPart, plain, type Wording } from './words.ts';

export interface OutlineLine {
  depth: number;
  text: string;
  /** In the view, or where outside it; undefined: as the line before. */
  place?: string;
}

/** A line must stay short enough to be read and to be cut around. */
const longestRow = 800;
const mostOptions = 60;

export function outline(root: SeenNode, options: Wording = {}): string {
  const lines: OutlineLine[] = [];
  for (const child of root.children) write(child, 0, options, lines);
  return textOf(options.places ? withPlaces(lines) : lines);
}

/** One node with all that is in it. */
export function outlineOf(node: Child, depth: number, options: Wording): OutlineLine[] {
  const lines: OutlineLine[] = [];
  write(node, depth, options, lines);
  return lines;
}

export const textOf = (lines: readonly OutlineLine[]): string =>
  lines.map(({ depth, text }) => `${'  '.repeat(depth)}${text}\n`).join('');

function write(child: Child, depth: number, options: Wording, lines: OutlineLine[]): void {
  if (!isNode(child)) {
    lines.push({ depth, text: `text: ${plain(child)}` });
    return;
  }
  const [only] = child.children;
  const place = placeIn(child);
  const inOneLine =
    child.role === 'row'
      ? rowText(child, options)
      : isClosedList(child)
        ? undefined
        : leafText(child, options);
  if (inOneLine !== undefined) lines.push({ depth, text: inOneLine, place });
  else if (only !== undefined && isNode(only) && isNamedBy(child, only)) {
    const [first, ...rest] = outlineOf(only, depth, options);
    const text = `${headOf(child, options, { name: false })} > ${first?.text}`;
    lines.push({ ...first, depth, text, place }, ...rest);
  } else {
    lines.push({ depth, text: valued(headOf(child, options), child.value), place });
    if (isClosedList(child)) lines.push({ depth: depth + 1, text: `options: ${optionsText(child)}` });
    else for (const each of child.children) write(each, depth + 1, options, lines);
  }
}

const valued = (head: string, value: string | undefined): string =>
  value === undefined || value === '' ? head : `${head}: ${plain(value)}`;

/** Of a node that holds nothing, or only a text. */
function leafText(node: SeenNode, options: Wording): string | undefined {
  const { children, value } = node;
  const [only] = children;
  if (children.length === 0) return valued(headOf(node, options), value);
  if (children.length === 1 && typeof only === 'string' && value === undefined)
    return `${headOf(node, options)}: ${plain(only)}`;
  return undefined;
}

/** A heading that is a link, say: one name, one line. */
const isNamedBy = (node: SeenNode, only: SeenNode): boolean =>
  !isPart(node) &&
  node.children.length === 1 &&
  node.value === undefined &&
  (!node.name || node.name === only.name);

const placeIn = ({ inView, place }: SeenNode): string | undefined => place ?? (inView && 'in');

const isClosedList = ({ role, children }: SeenNode): boolean =>
  role === 'combobox' &&
  children.length > 0 &&
  children.every((child) => isNode(child) && (child.role === 'option' || child.role === 'group'));

function optionsText(node: SeenNode): string {
  const names = optionNames(node);
  const more = names.length - mostOptions;
  return (
    names.slice(0, mostOptions).map(cellText).join(' | ') +
    (more > 0 ? ` | … ${more} more (scope: ${node.ref})` : '')
  );
}

const optionNames = ({ children }: SeenNode): string[] =>
  children
    .filter(isNode)
    .flatMap((child) => (child.role === 'group' ? optionNames(child) : [child.name ?? textIn(child)]));

const textIn = ({ children }: SeenNode): string =>
  children.map((child) => (isNode(child) ? (child.name ?? textIn(child)) : child)).join(' ');

const cellText = (text: string): string => plain(text).replaceAll('|', '\\|');

/** Its cells side by side, with what can be operated among their words; undefined: they hold too much for that. */
function rowText(row: SeenNode, options: Wording): string | undefined {
  const cells = row.children.map((cell) => cellOf(cell, options));
  if (cells.length === 0 || cells.includes(undefined)) return undefined;
  const text = `${headOf(row, options, { name: row.children.length === 0 })}: ${cells.join(' | ')}`;
  return text.length > longestRow ? undefined : text;
}

function cellOf(cell: Child, options: Wording): string | undefined {
  if (!isNode(cell)) return cellText(cell);
  const isBare = /cell$|header$/.test(cell.role) && !cell.interactive && !cell.marked && !cell.states?.length;
  if (isBare && cell.children.length === 0) return cellText(cell.name ?? '');
  const within = isBare ? cell.children.map((child) => leafOf(child, options)) : [leafOf(cell, options)];
  return within.includes(undefined) ? undefined : within.join(' ');
}

function leafOf(child: Child, options: Wording): string | undefined {
  if (!isNode(child)) return cellText(child);
  if (child.role === 'text' && !child.interactive) {
    const [only] = child.children;
    return child.children.length === 1 && typeof only === 'string' ? cellText(only) : undefined;
  }
  return isClosedList(child) ? undefined : leafText(child, options)?.replaceAll('|', '\\|');
}

const ends: Record<string, string> = {
  in: '--- in the view',
  above: '--- above the view',
  below: '--- below the view',
  left: '--- left of the view',
  right: '--- right of the view',
  'scrolled out': '--- scrolled out of its box',
};

/** Before the first line of each stretch that lies elsewhere than the one before. */
function withPlaces(lines: readonly OutlineLine[]): OutlineLine[] {
  let before = 'in';
  return lines.flatMap((line, index) => {
    const inside = lines[index + 1];
    // What something lies in reaches further than it does.
    const place = inside && inside.depth > line.depth ? before : (line.place ?? before);
    if (place === before) return [line];
    before = place;
    return [{ depth: 0, text: ends[place] ?? `--- ${place}` }, line];
  });
}

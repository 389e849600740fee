/**
 * A tree as the page has it repeats itself: wrappers that say nothing, names that stand again in the text below them. What is
 * left here says each thing once.
 */
import type { SeenNode } from '../../inside/inside.ts';

export type Child = SeenNode | string;

/** They only hold other things: those stand for themselves. */
const wrappers = new Set(['generic', 'none', 'presentation', 'paragraph', 'rowgroup', 'text']);
/** They say how a text looks, and it reads the same without. */
const emphases = new Set([
  ...['strong', 'emphasis', 'code', 'mark', 'time', 'subscript', 'superscript'],
  ...['insertion', 'deletion', 'abbr', 'term', 'definition'],
]);
/** An item in a list of its own line each needs no word of its own. */
const items = new Set(['listitem', 'cell', 'gridcell']);

export const isNode = (child: Child): child is SeenNode => typeof child !== 'string';

/** Something of its own to say or to do, beyond what is in it. */
const saysMore = ({ name, value, notes, interactive, marked, states }: SeenNode): boolean =>
  interactive === true ||
  marked === true ||
  Boolean(name) ||
  value !== undefined ||
  hasWords(notes) ||
  (states ?? []).length > 0;

const hasWords = (notes: SeenNode['notes']): boolean =>
  Object.keys(notes ?? {}).some((name) => name !== 'cursor');

export const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The title of the document, which names the root, is told elsewhere. */
export const condense = (root: SeenNode): SeenNode => ({ ...root, children: content(root) });

const condensed = (node: SeenNode): SeenNode => ({ ...node, children: said(node, content(node)) });

/** The children of a node as they are written, from the innermost out. */
function content(node: SeenNode): Child[] {
  const children: Child[] = [];
  const inColumn = isColumn(node);
  for (const child of node.children) {
    if (!isNode(child)) {
      addText(children, child);
      continue;
    }
    const own = condensed(child);
    if (emphases.has(own.role) && !saysMore(own) && !own.children.some(isNode))
      addText(children, own.children.join(' '));
    else if (isWrapper(own, node, inColumn)) children.push(...own.children.map(asBlock));
    else if (own.children.length > 0 || node.role === 'row' || !isEmpty(own)) children.push(own);
  }
  return children.filter((child) => isNode(child) || child !== '');
}

function isWrapper(node: SeenNode, parent: SeenNode, inColumn: boolean): boolean {
  const [only] = node.children;
  const named = only !== undefined && isNode(only) && only.name === node.name && node.children.length === 1;
  if (saysMore(named ? { ...node, name: undefined } : node)) return false;
  if (wrappers.has(node.role) || emphases.has(node.role)) return true;
  if (node.role === 'listitem') return node.children.length <= 1;
  if (node.role === 'row') return inColumn && node.children.length <= 1;
  return items.has(node.role) && parent.role === 'row' && parent.children.length === 1;
}

/** Rows of one cell are no table. */
const isColumn = ({ children }: SeenNode): boolean =>
  children.some((row) => isNode(row) && row.role === 'row') &&
  children.every((row) => isNode(row) && isSingle(row));

const isSingle = ({ children }: SeenNode): boolean => children.filter((child) => child !== '').length <= 1;

/** Nothing can be said of it but that it is there. */
const isEmpty = (node: SeenNode): boolean =>
  !saysMore(node) &&
  (wrappers.has(node.role) || emphases.has(node.role) || items.has(node.role) || node.role === 'list');

/** The text of one wrapper does not run on into that of the next. */
const asBlock = (child: Child): Child => (isNode(child) ? child : { role: 'text', children: [child] });

function addText(children: Child[], text: string): void {
  const words = squeezed(text);
  if (words === '') return;
  const last = children.at(-1);
  if (typeof last === 'string') children[children.length - 1] = `${last} ${words}`;
  else children.push(words);
}

/** Without what its name says already. */
function said(node: SeenNode, children: Child[]): Child[] {
  if (!node.name || children.length === 0 || children.some((child) => isNode(child) && mustStay(child)))
    return children;
  const name = bare(node.name);
  return wordsOf(children).every((words) => name.includes(bare(words))) ? [] : children;
}

/** It or something in it can be operated, or was looked for. */
const mustStay = (node: SeenNode): boolean =>
  node.interactive === true ||
  node.marked === true ||
  node.value !== undefined ||
  node.children.some((child) => isNode(child) && mustStay(child));

const bare = (text: string): string => text.replace(/\s+/g, '').toLowerCase();

function wordsOf(children: readonly Child[]): string[] {
  return children.flatMap((child) =>
    isNode(child)
      ? [child.name ?? '', ...Object.values(notesSaid(child)), ...wordsOf(child.children)]
      : [child],
  );
}

const notesSaid = ({ notes = {} }: SeenNode): Record<string, string> => {
  const { cursor, url, ...rest } = notes;
  return rest;
};

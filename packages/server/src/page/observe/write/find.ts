/** Only the elements that were looked for, each below the way to it. */
import type { SeenNode } from '../../inside/inside.ts';
import { isNode, squeezed } from './condense.ts';
import { type OutlineLine, outlineOf, textOf } from './outline.ts';
import { headOf, type Wording } from './words.ts';

export interface Sought {
  text?: string;
  role?: string;
  name?: string;
  css?: string;
}

export interface Found {
  text: string;
  matches: number;
}

const holds = (whole: string | undefined, part: string): boolean =>
  squeezed(whole ?? '')
    .toLowerCase()
    .includes(squeezed(part).toLowerCase());

/** What a node says itself. Text beside other things is told apart from what it is in. */
function ownWords({ name, value, notes = {}, children }: SeenNode): string {
  const { url, ...said } = notes;
  return [name, value, ...Object.values(said), ...(children.some(isNode) ? [] : children)].join(' ');
}

const asNode = (child: SeenNode | string): SeenNode =>
  isNode(child) ? child : { role: 'text', children: [child] };

function matches(node: SeenNode, { text, role, name, css }: Sought): boolean {
  return (
    (text === undefined || holds(ownWords(node), text)) &&
    (role === undefined || node.role.toLowerCase() === role.toLowerCase()) &&
    (name === undefined || holds(node.name, name)) &&
    (css === undefined || node.marked === true)
  );
}

export function find(root: SeenNode, sought: Sought, options: Wording): Found {
  const lines: OutlineLine[] = [];
  let count = 0;
  let last = '';
  const look = (node: SeenNode, way: readonly SeenNode[]): void => {
    const isLeaf = !node.children.some(isNode) && node !== root;
    for (const child of isLeaf ? [] : node.children.map(asNode)) {
      if (!matches(child, sought)) {
        look(child, [...way, child]);
        continue;
      }
      const path = way.map((each) => headOf(each, {})).join(' > ');
      if (path !== last && path !== '') lines.push({ depth: 0, text: `in ${path}` });
      last = path;
      lines.push(...outlineOf({ ...child, marked: true }, path === '' ? 0 : 1, options));
      count += 1 + matchesIn(child, sought);
    }
  };
  look(root, []);
  return { text: textOf(lines), matches: count };
}

/** They are shown as part of the one around them. */
const matchesIn = (node: SeenNode, sought: Sought): number =>
  node.children.some(isNode)
    ? node.children
        .map(asNode)
        .reduce((sum, child) => sum + (matches(child, sought) ? 1 : 0) + matchesIn(child, sought), 0)
    : 0;

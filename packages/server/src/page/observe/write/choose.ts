/** Less of a tree, as the caller asks for it. What is left out is counted where it was. */
import type { SeenNode } from '../../inside/inside.ts';
import { type Child, isNode } from './condense.ts';

export interface Choice {
  /** How many levels. */
  depth?: number;
  interactiveOnly?: boolean;
  viewportOnly?: boolean;
}

export function choose(root: SeenNode, { depth, interactiveOnly, viewportOnly }: Choice): SeenNode {
  let chosen = root;
  if (interactiveOnly) chosen = operable(chosen);
  if (viewportOnly) chosen = visible(chosen);
  return depth === undefined ? chosen : shallow(chosen, depth);
}

/** What can be operated, within the headings and parts of the page that tell what it is for. */
function operable(node: SeenNode): SeenNode {
  const children = node.children
    .filter(isNode)
    .filter((child) => child.role === 'heading' || canBeOperated(child))
    .map((child) => (child.interactive || child.role === 'heading' ? child : operable(child)));
  // A heading over nothing helps no choice.
  return {
    ...node,
    children: children.filter((child, at) => child.role !== 'heading' || leadsOn(children, at)),
  };
}

const canBeOperated = (node: SeenNode): boolean =>
  node.interactive === true || node.children.some((child) => isNode(child) && canBeOperated(child));

/** Something follows it before the next heading of its rank. */
function leadsOn(children: readonly SeenNode[], at: number): boolean {
  const heading = children[at];
  if (heading && canBeOperated(heading)) return true;
  const level = heading?.level ?? 0;
  for (const next of children.slice(at + 1)) {
    if (next.role !== 'heading' || canBeOperated(next)) return true;
    if ((next.level ?? 0) <= level) return false;
  }
  return false;
}

/** A text has no place of its own: it is where the things around it are. */
function visible(node: SeenNode): SeenNode {
  const children: Child[] = [];
  const left = new Map<string, number>();
  for (const child of node.children) {
    const place = isNode(child) ? outside(child) : undefined;
    if (!isNode(child)) children.push(child);
    else if (place === undefined) children.push(visible(child));
    else left.set(place, (left.get(place) ?? 0) + sizeOf(child));
  }
  const counted = [...left].map(([place, count]) => note(`${count} more ${outsideWords[place]}`));
  return { ...node, children: [...children, ...counted] };
}

const outsideWords: Record<string, string> = {
  above: 'above the view',
  below: 'below the view',
  left: 'left of the view',
  right: 'right of the view',
  'scrolled out': 'scrolled out of the box around them',
};

/** Where it lies, if all of it lies outside the view. */
function outside(node: SeenNode): string | undefined {
  const { inView, place } = node;
  return !inView && place && !node.children.some((child) => isNode(child) && reaches(child))
    ? place
    : undefined;
}

const reaches = (node: SeenNode): boolean =>
  node.inView === true || node.children.some((child) => isNode(child) && reaches(child));

function shallow(node: SeenNode, depth: number): SeenNode {
  const children = node.children.map((child) => {
    if (!isNode(child) || child.children.length === 0) return child;
    if (depth > 1) return shallow(child, depth - 1);
    return isText(child) ? child : { ...child, children: [`… ${sizeOf(child) - 1} more inside`] };
  });
  return { ...node, children };
}

const isText = ({ children }: SeenNode): boolean => children.every((child) => !isNode(child));

const note = (text: string): SeenNode => ({ role: '…', children: [text] });

const sizeOf = (node: SeenNode): number =>
  node.children.reduce((sum, child) => sum + (isNode(child) ? sizeOf(child) : 1), 1);

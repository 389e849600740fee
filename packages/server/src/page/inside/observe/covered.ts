/** Whether a press would reach an element, or something that lies over it. */

import type { SeenNode } from '../inside.ts';
import { attributeOf, tagOf, theBody, theRoot } from '../pristine.ts';
import { above, closestOf, deepestAt, rectOf } from './dom.ts';
import { knownRefOf } from './refs.ts';

export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function isWithin(inner: Element, outer: Element): boolean {
  for (let at: Element | null = inner; at; at = above(at)) if (at === outer) return true;
  return false;
}

/** Whether a box around the element, which scrolls or cuts off, hides this point of it. */
function isScrolledOut(element: Element, x: number, y: number): boolean {
  for (let at = above(element); at && at !== theBody(document) && at !== theRoot(document); at = above(at)) {
    if (getComputedStyle(at).overflow === 'visible') continue;
    const { left, top, right, bottom } = rectOf(at);
    if (x < left || x > right || y < top || y > bottom) return true;
  }
  return false;
}

const reaches = (element: Element, hit: Element): boolean => {
  const label = closestOf(hit, 'label');
  return isWithin(hit, element) || (label instanceof HTMLLabelElement && label.control === element);
};

/** What is over it, by the reference of the outermost part that has one. */
function nameOf(hit: Element, element: Element): string {
  let name: string | undefined;
  let outermost = hit;
  for (let at: Element | null = hit; at && !isWithin(element, at); at = above(at)) {
    name = knownRefOf(at) ?? name;
    outermost = at;
  }
  const classes = (attributeOf(outermost, 'class') ?? '').trim().split(/\s+/)[0]?.slice(0, 40);
  return name ?? `<${tagOf(outermost).slice(0, 40)}${classes ? ` class="${classes}"` : ''}>`;
}

export function tellCover(node: SeenNode, element: Element, { left, top, right, bottom }: Area): void {
  const points = [
    [(left + right) / 2, (top + bottom) / 2],
    [left + Math.min(3, (right - left) / 2), top + Math.min(3, (bottom - top) / 2)],
  ] as const;
  let over: Element | undefined;
  for (const [x, y] of points) {
    const hit = deepestAt(x, y);
    if (!hit || reaches(element, hit)) return;
    over ??= hit;
  }
  const [[x, y]] = points;
  if (isScrolledOut(element, x, y)) {
    node.place = 'scrolled out';
    delete node.inView;
  } else if (over && !isWithin(element, over))
    node.states = [...(node.states ?? []), `covered by ${nameOf(over, element)}`];
}

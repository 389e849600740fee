/** What is left of a node's contents once they are its name. */

import type { SeenNode } from '../inside.ts';
import { squeeze } from '../pristine.ts';

export type Children = SeenNode['children'];

/** Nodes that only a listener or the mouse pointer makes operable. */
export const byLooks = new WeakSet<SeenNode>();

/** All words in it, as far as they are wanted: `most` and some. */
export function wordsIn(children: Children, most: number): string {
  let text = '';
  const todo: (SeenNode | string)[] = children.toReversed();
  while (todo.length > 0 && text.length <= most) {
    const next = todo.pop() as SeenNode | string;
    if (typeof next === 'string') text += ` ${next}`;
    else {
      if (next.name) text += ` ${next.name}`;
      else todo.push(...next.children.toReversed());
    }
  }
  return squeeze(text);
}

export const hasNodes = (children: Children): boolean => children.some((child) => typeof child !== 'string');

export function holdsOperable(children: Children): boolean {
  const todo = [...children];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next === 'string') continue;
    if (next.interactive || next.marked || next.role === 'iframe') return true;
    todo.push(...next.children);
  }
  return false;
}

/** Those that can be operated, without what is around them: its words are in the name already. */
export function onlyOperable(children: Children, name: string): SeenNode[] {
  const kept: SeenNode[] = [];
  for (const child of children) {
    if (typeof child === 'string') continue;
    const says = !byLooks.has(child) || (child.name && child.name !== name);
    if ((child.interactive && says) || child.marked || child.role === 'iframe') kept.push(child);
    else kept.push(...onlyOperable(child.children, name));
  }
  return kept;
}

/** The options of a list, also while it is closed. */
import type { SeenNode } from '../inside.ts';
import { refOf } from './refs.ts';
import { longestName, short } from './words.ts';

const most = 300;

export function optionsOf(select: HTMLSelectElement, isOpen: boolean): SeenNode['children'] {
  const all = [...select.options];
  const groups = new Map<Element, SeenNode>();
  const children: SeenNode['children'] = [];
  for (const option of all.slice(0, most)) {
    const states = [option.selected && 'selected', option.disabled && 'disabled'].filter(
      (each) => each !== false,
    );
    const seen: SeenNode = {
      role: 'option',
      name: short(option.label, longestName),
      ...(states.length > 0 && { states }),
      // A closed list has nothing to press: its options are chosen through the list itself.
      ...(isOpen && { ref: refOf(option), interactive: true as const }),
      children: [],
    };
    const { parentElement: parent } = option;
    if (parent instanceof HTMLOptGroupElement) groupIn(children, groups, parent).children.push(seen);
    else children.push(seen);
  }
  if (all.length > most) children.push(`… ${all.length - most} more options`);
  return children;
}

function groupIn(
  children: SeenNode['children'],
  groups: Map<Element, SeenNode>,
  element: HTMLOptGroupElement,
): SeenNode {
  const known = groups.get(element);
  if (known) return known;
  const made: SeenNode = { role: 'group', name: short(element.label, longestName), children: [] };
  groups.set(element, made);
  children.push(made);
  return made;
}

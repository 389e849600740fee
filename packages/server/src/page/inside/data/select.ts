/** What selectors of the schema match, in the page or in the element that holds what they are about. */
import type { Wanted } from '../data-schema.ts';
import { BadSelector, shownText, worthOf } from '../extract.ts';
import { allBelow, allIn, squeeze, textOf } from '../pristine.ts';
import { machineValue } from './marked-up.ts';

export function matchesOf({ selector, attribute, path }: Wanted, root: Element | null): Element[] {
  // An attribute alone is one of the element around.
  if (selector === undefined) return attribute !== undefined && root ? [root] : [];
  try {
    return root ? allBelow(root, selector) : allIn(selector);
  } catch {
    throw new BadSelector(['schema', ...path, 'x-selector'], selector);
  }
}

/** For a type that machines read too, what the element says to them comes first. */
export function valuesOf(element: Element, wanted: Wanted): string[] {
  if (wanted.attribute !== undefined) return [worthOf(element, wanted.attribute) ?? ''];
  const shown = squeeze(shownText(element)) || squeeze(textOf(element));
  const machine = machineValue(element);
  const isPlainText = wanted.type === 'string' && wanted.format === undefined && wanted.choices === undefined;
  const both = isPlainText ? [shown, machine] : [machine, shown];
  return both.filter((value) => value !== undefined);
}

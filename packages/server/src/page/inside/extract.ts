/** Values picked out by selectors. */
import { isVeiled } from './copy.ts';
import type { Asked } from './inside.ts';
import { absolute, allIn, attributeOf, fits, squeeze, textOf } from './pristine.ts';

/** The selector is no CSS; `path` says which of the request it was. */
export class BadSelector extends Error {
  readonly path: string[];
  readonly selector: string;
  constructor(path: string[], selector: string) {
    super(selector);
    this.path = path;
    this.selector = selector;
  }
}

const mostValues = 5000;
const addresses = new Set(['href', 'src', 'action', 'poster', 'cite', 'data']);

export function select(selector: string, path: string[]): Element[] {
  try {
    return allIn(selector);
  } catch {
    throw new BadSelector(path, selector);
  }
}

/** Those that are not part of another. */
export const outermost = (elements: Element[], selector: string): Element[] =>
  elements.filter(
    (element) => !(element.parentElement && Element.prototype.closest.call(element.parentElement, selector)),
  );

export function worthOf(element: Element, attribute: string | undefined): string | null {
  if (attribute === undefined) return squeeze(shownText(element));
  const value = attributeOf(element, attribute);
  return value !== null && addresses.has(attribute.toLowerCase()) ? absolute(value) || value : value;
}

/** As it is painted; of what the page does not paint, all. */
export const shownText = (element: Element): string | null =>
  element instanceof HTMLElement && !fits(element, 'script,style,template,noscript') && !isVeiled(element)
    ? element.innerText
    : textOf(element);

export function extract(picks: NonNullable<Asked['extract']>): Record<string, unknown> {
  const data: Record<string, unknown> = Object.create(null);
  for (const [name, { selector, attribute, all }] of Object.entries(picks)) {
    const found = select(selector, ['extract', name, 'selector']);
    data[name] = all
      ? found.slice(0, mostValues).map((element) => worthOf(element, attribute))
      : found[0]
        ? worthOf(found[0], attribute)
        : null;
  }
  return data;
}

/** What an element is called, apart from what it contains: by the rules of accessible names, or else by what gives it away. */
import { attributeOf, firstChildOf, nextSiblingOf, shadowOf, tagOf } from '../pristine.ts';
import { firstBelow } from './dom.ts';
import { labelsOf } from './labels.ts';
import { fileOf, labelText, longestName, saidBy, short, spoken } from './words.ts';

const labelled = (element: Element): string =>
  short(labelsOf(element).slice(0, 5).map(labelText).join(' '), longestName);

const mostChildren = 50;

/** Of the first children only: a page may put any number into one element. */
function childSaying(element: Element, tag: string): string {
  let child = firstChildOf(element);
  for (let count = 0; child && count < mostChildren; child = nextSiblingOf(child), count++)
    if (child instanceof Element && tagOf(child) === tag) return spoken(child);
  return '';
}

const buttonTypes: Record<string, string> = { submit: 'Submit', reset: 'Reset' };

function nativeName(element: Element): string {
  switch (tagOf(element)) {
    case 'input': {
      const { type } = element as HTMLInputElement;
      if (/^(?:submit|reset|button)$/.test(type))
        return short(attributeOf(element, 'value') ?? buttonTypes[type] ?? '', longestName);
      return type === 'image' ? short(attributeOf(element, 'alt') ?? 'Submit', longestName) : '';
    }
    case 'img':
    case 'area':
      return short(attributeOf(element, 'alt'), longestName);
    case 'fieldset':
      return childSaying(element, 'legend');
    case 'table':
      return childSaying(element, 'caption');
    case 'svg':
      return childSaying(element, 'title');
    case 'optgroup':
      return short(attributeOf(element, 'label'), longestName);
    default:
      return '';
  }
}

/** The name that its author gave it; empty where what it contains is its name. */
export const givenName = (element: Element): string =>
  saidBy(element, 'aria-labelledby') ||
  short(attributeOf(element, 'aria-label'), longestName) ||
  labelled(element) ||
  nativeName(element);

/** Where it has no other. */
export const lastName = (element: Element): string =>
  short(attributeOf(element, 'title'), longestName) ||
  short(attributeOf(element, 'placeholder') ?? attributeOf(element, 'aria-placeholder'), longestName);

const telling =
  /icon|ico-|fa-|glyph|btn|button|close|menu|search|cart|next|prev|arrow|play|delete|edit|add|share|like/i;

/** Of a thing without words: the class of its icon, the file of its picture, where it leads, what a script calls it. */
export function hintOf(element: Element): string {
  const inner = [element, ...firstBelow(element, 12)];
  for (const each of inner) {
    const said =
      attributeOf(each, 'data-icon') ?? attributeOf(each, 'data-tooltip') ?? attributeOf(each, 'data-testid');
    if (said) return short(said, 60);
    const tag = tagOf(each);
    const source = tag === 'img' ? attributeOf(each, 'src') : tag === 'use' ? useOf(each) : null;
    const file = source ? source.split('#').at(-1) : undefined;
    const named = tag === 'use' ? short(file, 60) : source ? fileOf(source) : '';
    if (named) return named;
  }
  for (const each of inner) {
    const names = (attributeOf(each, 'class') ?? '')
      .slice(0, 500)
      .split(/\s+/)
      .filter((name) => telling.test(name));
    if (names.length > 0) return short(names.slice(0, 3).join(' '), 60);
  }
  return short(
    attributeOf(element, 'id') || attributeOf(element, 'name') || attributeOf(element, 'class'),
    60,
  );
}

const useOf = (use: Element): string | null => attributeOf(use, 'href') ?? attributeOf(use, 'xlink:href');

/** The tree of an element that is walked: its open shadow tree, or its own children. */
export const treeOf = (element: Element): Node => shadowOf(element) ?? element;

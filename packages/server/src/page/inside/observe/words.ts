/** Texts of an observation, none longer than an agent can use. */
import { attributeOf, squeeze, textOf } from '../pristine.ts';
import { closestOf, firstIn, isLaidOut, painted, parentOf, rootOf, withId } from './dom.ts';

/** A name that would be longer is told as text. */
export const longestName = 300;
export const longestNote = 300;
export const longestValue = 1000;
/** Of what is looked at to make a short text; a page may put millions of characters into one attribute. */
const longestRead = 5000;

export function short(text: string | null | undefined, most: number): string {
  const words = squeeze((text ?? '').slice(0, longestRead));
  return words.length <= most ? words : `${words.slice(0, most - 1)}…`;
}

/** What the elements say that an attribute names by their ids. */
export function saidBy(element: Element, attribute: string): string {
  const ids = attributeOf(element, attribute)?.slice(0, longestRead).split(/\s+/).filter(Boolean) ?? [];
  if (ids.length === 0) return '';
  const root = rootOf(element);
  const find = (id: string): Element | null =>
    root instanceof ShadowRoot ? root.getElementById(id) : withId(id);
  const words = ids.slice(0, 10).map((id) => {
    const found = find(id);
    return found ? attributeOf(found, 'aria-label') || spoken(found) : '';
  });
  return short(words.join(' '), longestNote);
}

/** The text of an element as it is painted; of one that is hidden, all of it. */
export function spoken(element: Element): string {
  if ((textOf(element) ?? '').length > longestRead) return short(textOf(element), longestNote);
  if (element instanceof HTMLElement && isLaidOut(element)) return short(painted(element), longestNote);
  return short(textOf(element), longestNote);
}

/** The last part of an address: what a picture or a page is called. */
export function fileOf(url: string): string {
  if (/^(?:data|blob|javascript):/i.test(url)) return '';
  const path = url.slice(0, 2000).split(/[?#]/)[0] ?? '';
  return short(path.split('/').filter(Boolean).at(-1), 80);
}

/** Of a label: what stands in the field that it is around is no part of it. */
export function labelText(label: Element): string {
  if (!firstIn(label, 'select,textarea')) return spoken(label);
  const walker = Document.prototype.createTreeWalker.call(document, label, NodeFilter.SHOW_TEXT);
  let text = '';
  while (text.length < longestNote && walker.nextNode()) {
    const around = parentOf(walker.currentNode);
    if (around && !closestOf(around, 'select,textarea,script,style'))
      text += ` ${textOf(walker.currentNode)}`;
  }
  return short(text, longestNote);
}

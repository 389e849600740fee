/**
 * What is asked of single elements. A page can name its elements after properties (`<input name="parentNode">` hides
 * `form.parentNode`), so everything is asked of the prototypes.
 */
import { attributeOf, fits, getter, shadowOf, tagOf } from '../pristine.ts';

const { getBoundingClientRect, checkVisibility, getAttributeNames } = Element.prototype;
const parentOf = getter<Node | null>(Node.prototype, 'parentNode');
const inputValue = getter<string>(HTMLInputElement.prototype, 'value');
const areaValue = getter<string>(HTMLTextAreaElement.prototype, 'value');

export const attr = (element: Element, name: string): string => attributeOf(element, name) ?? '';
export const attrNames = (element: Element): string[] => getAttributeNames.call(element);
export const matches = fits;
export const shadow = shadowOf;
export const tag = tagOf;
export const rectOf = (element: Element): DOMRect => getBoundingClientRect.call(element);
export const shownText = getter<string>(HTMLElement.prototype, 'innerText');

/** The parent, out of a shadow root too. */
export function above(node: Node): Element | null {
  const parent = parentOf(node);
  return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
}

export function closest(element: Element, selector: string): Element | null {
  for (let at: Element | null = element; at; at = above(at)) if (matches(at, selector)) return at;
  return null;
}

export function isInside(outer: Element | null, element: Element): boolean {
  for (let at: Element | null = element; at; at = above(at)) if (at === outer) return true;
  return false;
}

export const formOf = (element: Element): Element | null => closest(element, 'form');

/** Markup that is shown as a sample, or not at all. */
export const isQuoted = (element: Element): boolean =>
  closest(element, 'pre, code, samp, xmp, [contenteditable]') !== null;

export function isShown(element: Element, width = 8, height = 8): boolean {
  const box = rectOf(element);
  return (
    box.width >= width && box.height >= height && checkVisibility.call(element, { visibilityProperty: true })
  );
}

export function valueIn(field: Element): string {
  if (field instanceof HTMLInputElement) return inputValue(field);
  return field instanceof HTMLTextAreaElement ? areaValue(field) : '';
}

export const urlOf = (element: Element): URL =>
  URL.parse(attr(element, 'src'), document.baseURI) ?? new URL('about:blank');

/** Tells two answers apart without carrying them around (FNV-1a). */
export function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return `${text.length}-${hash.toString(16)}`;
}

/** All the names an element goes by. */
export const namesOf = (element: Element): string =>
  [tag(element), ...['id', 'class', 'name'].map((name) => attr(element, name))].join(' ');

export function describe(element: Element): string {
  const id = attr(element, 'id');
  const name = attr(element, 'name');
  const [first] = attr(element, 'class').split(/\s+/);
  const where = tag(element) === 'iframe' ? ` from ${urlOf(element).host || 'the page itself'}` : '';
  const label = `${id ? `#${id}` : ''}${first ? `.${first}` : ''}${name ? ` name=${name}` : ''}`;
  return `<${tag(element)}${label}>${where}`.slice(0, 200);
}

/**
 * Reading a page that may be hostile. This world has its own, clean prototypes, but a form or a document still
 * answers with the elements named in it (`<input name=childNodes>`), so everything goes through the prototypes' own getters.
 */
export function getter<T>(prototype: object, name: string): (of: object) => T {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name) as { get(): T };
  return (of) => get.call(of as never);
}

export const firstChildOf = getter<Node | null>(Node.prototype, 'firstChild');
export const nextSiblingOf = getter<Node | null>(Node.prototype, 'nextSibling');
export const textOf = getter<string | null>(Node.prototype, 'textContent');
export const shadowOf = getter<ShadowRoot | null>(Element.prototype, 'shadowRoot');
export const tagOf = getter<string>(Element.prototype, 'localName');
export const hrefOf = getter<string>(HTMLAnchorElement.prototype, 'href');

const { getAttribute, getAttributeNames, matches, querySelectorAll } = Element.prototype;
export const attributeOf = (element: Element, name: string): string | null =>
  getAttribute.call(element, name);

/** What a page says of an element or of itself; a page may write megabytes there, and no reader needs them. */
const longest = 1000;
export const cutShort = (text: string | null | undefined): string => (text ?? '').slice(0, longest);
/** Undefined where there is none. */
export const shortAttributeOf = (element: Element, name: string): string | undefined =>
  attributeOf(element, name)?.slice(0, longest);

/** The service opens no longer ones either. */
const longestAddress = 16_384;
/** Empty where it is longer, since a part of an address leads elsewhere. */
export const addressWithin = (url: string): string => (url.length > longestAddress ? '' : url);

export const attributesOf = (element: Element): string[] => getAttributeNames.call(element);
export const fits = (element: Element, selector: string): boolean => matches.call(element, selector);
export const allBelow = (element: Element, selector: string): Element[] => [
  ...querySelectorAll.call(element, selector),
];
export const allIn = (selector: string): Element[] => [
  ...Document.prototype.querySelectorAll.call(document, selector),
];
export const theBody = getter<HTMLElement | null>(Document.prototype, 'body');
export const theRoot = getter<HTMLElement | null>(Document.prototype, 'documentElement');
export const theTitle = getter<string>(Document.prototype, 'title');
const theBase = getter<string>(Node.prototype, 'baseURI');
export const theContentType = getter<string>(Document.prototype, 'contentType');

/** White space as a reader sees it. */
export const squeeze = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();

export function absolute(url: string | null | undefined): string {
  if (!url?.trim()) return '';
  return URL.parse(url.trim(), theBase(document))?.href ?? '';
}

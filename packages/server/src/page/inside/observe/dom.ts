/** What is asked of elements that a page may have made to answer otherwise, as a form does for the names of its fields. */
import { getter, shadowOf } from '../pristine.ts';

const { checkVisibility, closest, getBoundingClientRect, querySelector } = Element.prototype;
const { getRootNode } = Node.prototype;

export const kindOf = getter<number>(Node.prototype, 'nodeType');
export const parentOf = getter<Element | null>(Node.prototype, 'parentElement');
const isConnectedIn = getter<boolean>(Node.prototype, 'isConnected');
const documentOf = getter<Document | null>(Node.prototype, 'ownerDocument');
const slotOf = getter<Element | null>(Element.prototype, 'assignedSlot');
export const widthIn = getter<number>(Element.prototype, 'clientWidth');
export const heightIn = getter<number>(Element.prototype, 'clientHeight');
export const leftEdge = getter<number>(Element.prototype, 'clientLeft');
export const topEdge = getter<number>(Element.prototype, 'clientTop');
export const wholeWidth = getter<number>(Element.prototype, 'scrollWidth');
export const wholeHeight = getter<number>(Element.prototype, 'scrollHeight');
const isEditableIn = getter<boolean>(HTMLElement.prototype, 'isContentEditable');
const paintedText = getter<string>(HTMLElement.prototype, 'innerText');
const activeIn = getter<Element | null>(Document.prototype, 'activeElement');
const activeInShadow = getter<Element | null>(ShadowRoot.prototype, 'activeElement');
const scrollerOf = getter<Element | null>(Document.prototype, 'scrollingElement');

export const isHere = (element: Element): boolean =>
  isConnectedIn(element) && documentOf(element) === document;
export const rectOf = (element: Element): DOMRect => getBoundingClientRect.call(element);
export const firstIn = (element: Element, selector: string): Element | null =>
  querySelector.call(element, selector);
/** The first so many elements in it: a page may put any number into anything. */
export function firstBelow(element: Element, most: number): Element[] {
  const walker = Document.prototype.createTreeWalker.call(document, element, NodeFilter.SHOW_ELEMENT);
  const found: Element[] = [];
  while (found.length < most && walker.nextNode()) found.push(walker.currentNode as Element);
  return found;
}
export const closestOf = (element: Element, selector: string): Element | null =>
  closest.call(element, selector);
export const rootOf = (node: Node): Node => getRootNode.call(node);
export const isLaidOut = (element: Element, options?: CheckVisibilityOptions): boolean =>
  checkVisibility.call(element, options);
export const isEditable = (element: Element | null): boolean =>
  element instanceof HTMLElement && isEditableIn(element);
export const painted = (element: HTMLElement): string => paintedText(element);
export const scroller = (): Element | null => scrollerOf(document);
export const withId = (id: string): Element | null => Document.prototype.getElementById.call(document, id);

/** What it is drawn in: its slot, what is around it, or the element whose shadow tree it is in. */
export function above(element: Element): Element | null {
  const outer = slotOf(element) ?? parentOf(element);
  if (outer) return outer;
  const root = rootOf(element);
  return root instanceof ShadowRoot ? root.host : null;
}

/** The innermost element at a place, through open shadow trees. */
export function deepestAt(x: number, y: number): Element | null {
  let found: Element | null = Document.prototype.elementFromPoint.call(document, x, y);
  for (let inner = found; inner; ) {
    found = inner;
    inner = shadowOf(inner)?.elementFromPoint(x, y) ?? null;
    if (inner === found) break;
  }
  return found;
}

/** The element with the focus, within open shadow trees too. */
export function focusedElement(): Element | null {
  let element = activeIn(document);
  for (let shadow = element && shadowOf(element); shadow; shadow = element && shadowOf(element)) {
    const inner = activeInShadow(shadow);
    if (!inner) break;
    element = inner;
  }
  return element;
}

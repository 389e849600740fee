/**
 * The page as a reader has it: a copy in a document of its own that loads and runs nothing, without what is not shown,
 * with shadow trees laid open, addresses made absolute and every attribute gone that only styles or scripts need.
 * Everything after this works on the copy, where no name of the page can get in the way.
 */
import { type Budget, deepest, spendNode, spendText } from './budget.ts';
import { isBeacon, pictureOf } from './pictures.ts';
import {
  attributeOf,
  attributesOf,
  firstChildOf,
  fits,
  hrefOf,
  nextSiblingOf,
  shadowOf,
  squeeze,
  tagOf,
  textOf,
} from './pristine.ts';

export interface CopyOptions {
  budget: Budget;
  /** Also what the styles of the page hide. */
  hidden: boolean;
  shadow: boolean;
  /** The contents of frames, by their element. */
  frames: WeakMap<Element, string>;
}

const dropped = new Set(
  'script style noscript template link meta base head title svg canvas object embed applet param source track audio map area dialog datalist frameset frame portal fencedframe noembed noframes'.split(
    ' ',
  ),
);
const controls = new Set('input select textarea option optgroup progress meter'.split(' '));
const kept = new Set(
  'class id lang dir title alt colspan rowspan scope headers start reversed value datetime cite open role aria-label aria-hidden aria-level itemprop itemtype data-lang data-language align'.split(
    ' ',
  ),
);
const renamed: Record<string, string> = {
  form: 'div',
  center: 'div',
  font: 'span',
  fieldset: 'div',
  legend: 'p',
  slot: 'span',
  // Written out as HTML, their text would be read as it is.
  plaintext: 'pre',
  xmp: 'pre',
  listing: 'pre',
};
const videos =
  /^https?:\/\/(?:www\.|player\.)?(?:youtube(?:-nocookie)?\.com\/embed|vimeo\.com\/video|dailymotion\.com\/embed)/;

export function copyOf(root: Element, into: Element, options: CopyOptions): void {
  copyChildren(root, into, options, 0);
}

function copyChildren(from: Node, into: Element, options: CopyOptions, depth: number): void {
  for (let child = firstChildOf(from); child; child = nextSiblingOf(child)) {
    if (!spendNode(options.budget)) return;
    copyNode(child, into, options, depth);
  }
}

function copyNode(node: Node, into: Element, options: CopyOptions, depth: number): void {
  if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE)
    into.append(spendText(options.budget, textOf(node) ?? ''));
  else if (node instanceof Element) copyElement(node, into, options, depth);
}

function copyElement(element: Element, into: Element, options: CopyOptions, depth: number): void {
  const tag = tagOf(element);
  if (special[tag]) special[tag](element, into, options);
  else if (tag === 'slot' && copySlot(element as HTMLSlotElement, into, options, depth)) return;
  else if (dropped.has(tag) || controls.has(tag) || (!options.hidden && isHidden(element))) return;
  else if (depth >= deepest) into.append(spendText(options.budget, textOf(element) ?? ''));
  else {
    const copy = into.ownerDocument.createElement(nameFor(element, tag));
    copyAttributes(element, copy);
    into.append(copy);
    const shadow = options.shadow && shadowOf(element);
    copyChildren(shadow || element, copy, options, depth + 1);
  }
}

function copySlot(slot: HTMLSlotElement, into: Element, options: CopyOptions, depth: number): boolean {
  const assigned = slot.assignedNodes();
  for (const node of assigned) if (spendNode(options.budget)) copyNode(node, into, options, depth + 1);
  return assigned.length > 0;
}

/** What a custom element is made of cannot be known; how it is laid out can be asked. */
function nameFor(element: Element, tag: string): string {
  const other = renamed[tag];
  if (other) return other;
  if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml') return 'span';
  if (!tag.includes('-')) return /^[a-z][a-z0-9]*$/.test(tag) ? tag : 'span';
  return getComputedStyle(element).display.startsWith('inline') && element.children.length === 0
    ? 'span'
    : 'div';
}

/** Not laid out, or not painted. What a closed `details` holds is only folded up. */
function isHidden(element: Element): boolean {
  // Decoration and doubles; a whole page behind an open dialog says it too, but is long.
  if (attributeOf(element, 'aria-hidden') === 'true' && (textOf(element)?.length ?? 0) < 500) return true;
  if (Element.prototype.checkVisibility.call(element, { visibilityProperty: true })) return false;
  if (Element.prototype.closest.call(element, 'details:not([open])')) return false;
  const { display, visibility } = getComputedStyle(element);
  if (display === 'none') return true;
  // Something below may be visible again; elements without a box of their own are as visible as what they hold.
  return display !== 'contents' && visibility !== 'visible' && element.children.length === 0;
}

function copyAttributes(from: Element, to: Element): void {
  for (const name of attributesOf(from))
    if (kept.has(name)) to.setAttribute(name, attributeOf(from, name)?.slice(0, 2000) ?? '');
  if (from instanceof HTMLAnchorElement) {
    const href = hrefOf(from);
    if (/^(?:https?|mailto|tel|ftp):/i.test(href)) to.setAttribute('href', href);
  }
}

type Special = (element: Element, into: Element, options: CopyOptions) => void;
const special: Record<string, Special> = Object.assign(Object.create(null), {
  img(element, into, options) {
    const url = pictureOf(element);
    if (isBeacon(element) || (!options.hidden && isHidden(element))) return;
    const image = into.ownerDocument.createElement('img');
    copyAttributes(element, image);
    // The picture's address is set where no document would load it.
    if (url) image.setAttribute('src', url);
    if (url || image.getAttribute('alt')) into.append(image);
  },
  iframe(element, into, options) {
    const content = options.frames.get(element);
    const src = attributeOf(element, 'src') ?? '';
    if (content !== undefined) {
      const frame = into.ownerDocument.createElement('div');
      frame.innerHTML = spendText(options.budget, content);
      into.append(frame);
    } else if (videos.test(src)) {
      const link = into.ownerDocument.createElement('a');
      link.setAttribute('href', src);
      link.textContent = squeeze(attributeOf(element, 'title')) || 'Video';
      into.append(link);
    }
  },
  video(element, into) {
    const poster = attributeOf(element, 'poster');
    if (!poster) return;
    const image = into.ownerDocument.createElement('img');
    image.setAttribute('src', URL.parse(poster, element.baseURI)?.href ?? '');
    into.append(image);
  },
  /** The boxes of a list of tasks are part of its text; other controls are not. */
  input(element, into) {
    if (!fits(element, 'li input[type=checkbox]')) return;
    into.append((element as HTMLInputElement).checked ? '[x] ' : '[ ] ');
  },
  /** Formulas are kept in the notation they were written in. */
  math(element, into) {
    const written = element.querySelector('annotation[encoding="application/x-tex"]')?.textContent;
    const code = into.ownerDocument.createElement('code');
    code.className = 'math';
    code.textContent = squeeze(written ?? attributeOf(element, 'alttext') ?? textOf(element));
    into.append(code);
  },
} satisfies Record<string, Special>);

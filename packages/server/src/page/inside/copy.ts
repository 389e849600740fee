/**
 * The page as a reader has it: a copy in a document of its own that loads and runs nothing, without what is not shown,
 * with shadow trees laid open, addresses made absolute and every attribute gone that only styles or scripts need.
 * Everything after this works on the copy, where no name of the page can get in the way.
 */
import { type Budget, deepest, spendNode, spendText } from './budget.ts';
import { holdsPost, isEmbed, linkOf } from './embeds.ts';
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
  /**
   * What the styles of the page hide. `left out`: all of it. `unveiled`: what is laid out is read although it is not
   * painted (`visibility`). `read`: all of it.
   */
  hidden: 'left out' | 'unveiled' | 'read';
  shadow: boolean;
  /** The contents of frames, by their element. */
  frames: WeakMap<Element, string>;
}

const dropped = new Set(
  'script style template link meta base head title svg canvas object embed applet param source track audio map area dialog datalist frameset frame portal fencedframe noembed noframes'.split(
    ' ',
  ),
);
const controls = new Set('input select textarea option optgroup progress meter'.split(' '));
const kept = new Set(
  'class id rel lang dir title alt colspan rowspan scope headers start reversed value datetime cite open role aria-label aria-hidden aria-level itemprop itemtype data-lang data-language align'.split(
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
/** Gives how many characters were left out because they are laid out but not painted. */
export function copyOf(root: Element, into: Element, options: CopyOptions): number {
  const veiled = { chars: 0 };
  const own = options.hidden === 'left out' && isVeiled(root);
  copyChildren(root, into, { ...options, veiled }, own, 0);
  return veiled.chars;
}

interface Copying extends CopyOptions {
  veiled: { chars: number };
}

/** `veiled`: the text that stands in `from` itself is not painted; elements in it may be all the same. */
function copyChildren(from: Node, into: Element, options: Copying, veiled: boolean, depth: number): void {
  for (let child = firstChildOf(from); child; child = nextSiblingOf(child)) {
    if (!spendNode(options.budget)) return;
    copyNode(child, into, options, veiled, depth);
  }
}

function copyNode(node: Node, into: Element, options: Copying, veiled: boolean, depth: number): void {
  if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE) {
    const text = textOf(node) ?? '';
    if (veiled) options.veiled.chars += text.trim().length;
    else into.append(spendText(options.budget, text));
  } else if (node instanceof Element) copyElement(node, into, options, depth);
}

function copyElement(element: Element, into: Element, options: Copying, depth: number): void {
  const tag = tagOf(element);
  if (special[tag]) {
    special[tag](element, into, options);
    return;
  }
  if (tag === 'slot' && copySlot(element as HTMLSlotElement, into, options, depth)) return;
  if (dropped.has(tag) || controls.has(tag)) return;
  // Asked once: it is most of what a copy takes.
  const painted = isPainted(element);
  if (options.hidden !== 'read' && (isDecoration(element) || (!painted && isUnlaid(element)))) return;
  if (depth >= deepest) {
    into.append(spendText(options.budget, textOf(element) ?? ''));
    return;
  }
  const copy = into.ownerDocument.createElement(nameFor(element, tag));
  copyAttributes(element, copy);
  into.appendChild(copy);
  const shadow = options.shadow && shadowOf(element);
  const veiled = !painted && options.hidden === 'left out' && isVeiled(element);
  copyChildren(shadow || element, copy, options, veiled, depth + 1);
}

function copySlot(slot: HTMLSlotElement, into: Element, options: Copying, depth: number): boolean {
  const assigned = slot.assignedNodes();
  const veiled = options.hidden === 'left out' && isVeiled(slot);
  for (const node of assigned)
    if (spendNode(options.budget)) copyNode(node, into, options, veiled, depth + 1);
  return assigned.length > 0;
}

/** What a custom element is made of cannot be known; how it is laid out can be asked. */
function nameFor(element: Element, tag: string): string {
  const other = renamed[tag];
  if (other) return other;
  if (holdsPost(element)) return 'blockquote';
  if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml') return 'span';
  if (!tag.includes('-')) return /^[a-z][a-z0-9]*$/.test(tag) ? tag : 'span';
  return getComputedStyle(element).display.startsWith('inline') && element.children.length === 0
    ? 'span'
    : 'div';
}

const isLeftOut = (element: Element, { hidden }: CopyOptions): boolean =>
  hidden !== 'read' && (isDecoration(element) || (!isPainted(element) && isUnlaid(element)));

/** Decoration and doubles; a whole page behind an open dialog says it too, but is long. */
const isDecoration = (element: Element): boolean =>
  attributeOf(element, 'aria-hidden') === 'true' && (textOf(element)?.length ?? 0) < 500;

const painting = { visibilityProperty: true };
const isPainted = (element: Element): boolean => Element.prototype.checkVisibility.call(element, painting);

/** What a closed `details` holds is only folded up. */
const isFolded = (element: Element): boolean =>
  Element.prototype.closest.call(element, 'details:not([open])') !== null;

/** Of what is not painted. */
const isUnlaid = (element: Element): boolean =>
  !isFolded(element) && getComputedStyle(element).display === 'none';

/** Laid out, but not painted. What stands in it may be painted again; without a box of its own it is as what it stands in. */
export const isVeiled = (element: Element): boolean =>
  !isPainted(element) && getComputedStyle(element).visibility !== 'visible' && !isFolded(element);

function copyAttributes(from: Element, to: Element): void {
  for (const name of attributesOf(from))
    if (kept.has(name)) to.setAttribute(name, attributeOf(from, name)?.slice(0, 2000) ?? '');
  if (from instanceof HTMLAnchorElement) {
    const href = hrefOf(from);
    if (/^(?:https?|mailto|tel|ftp):/i.test(href)) to.setAttribute('href', href);
  }
}

function addPicture(image: Element, into: Element): void {
  const copy = into.ownerDocument.createElement('img');
  copyAttributes(image, copy);
  // The picture's address is set where no document would load it.
  const url = pictureOf(image);
  if (url) copy.setAttribute('src', url);
  if (url || copy.getAttribute('alt')) into.append(copy);
}

type Special = (element: Element, into: Element, options: CopyOptions) => void;
const special: Record<string, Special> = Object.assign(Object.create(null), {
  img(element, into, options) {
    if (isBeacon(element) || isLeftOut(element, options)) return;
    if (options.hidden !== 'left out' || !isVeiled(element)) addPicture(element, into);
  },
  iframe(element, into, options) {
    const content = options.frames.get(element) || undefined;
    const link = content === undefined ? linkOf(element) : undefined;
    if (content !== undefined) {
      const frame = into.ownerDocument.createElement(
        isEmbed(element) && into.tagName !== 'BLOCKQUOTE' ? 'blockquote' : 'div',
      );
      frame.innerHTML = spendText(options.budget, content);
      into.append(frame);
    } else if (link) {
      const shown = into.ownerDocument.createElement('a');
      shown.setAttribute('href', link.href);
      shown.textContent = link.text;
      into.append(shown);
    }
  },
  /** A picture that a script is to bring is here for those without scripts. */
  noscript(element, into) {
    const source = textOf(element) ?? '';
    if (!/<img\b/i.test(source) || source.length > 5000) return;
    const inert = into.ownerDocument.createElement('template');
    inert.innerHTML = source;
    const images = inert.content.querySelectorAll('img');
    const [image] = images;
    if (images.length !== 1 || !image || squeeze(inert.content.textContent)) return;
    const before = into.lastElementChild;
    if (isBeacon(image) || before?.matches('img[src],:has(img[src])')) return;
    if (before?.matches('img')) before.remove();
    addPicture(image, into);
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

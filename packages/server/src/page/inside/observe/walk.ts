/**
 * One way through a document, in the order in which it is drawn, open shadow trees and slots included. It keeps a list of
 * what it is in instead of calling itself: a page may be nested deeper than a stack is.
 */

import type { ReadAsked, ReadDocument, SeenNode } from '../inside.ts';
import { attributeOf, fits, squeeze, tagOf, textOf } from '../pristine.ts';
import type { Budget } from './budget.ts';
import { type Area, tellCover } from './covered.ts';
import { isLaidOut, kindOf } from './dom.ts';
import { isOneValue } from './facts.ts';
import { contentBox, isLarge, isTheName, scrolls, Tables } from './laid-out.ts';
import { type Made, Making, type Thing } from './making.ts';
import { givenName, treeOf } from './names.ts';
import { isDrawn, isEditor, operability } from './operable.ts';
import { optionsOf } from './options.ts';
import { isNamed, plain, roleOf } from './roles.ts';
import { byLooks } from './tidy.ts';
import { spoken } from './words.ts';

/** A node whose contents are being read. */
interface Open {
  children: SeenNode['children'];
  text: string;
  depth: number;
  /** It, or something around it, is pressed as a whole: what is drawn in it is its icon. */
  isPressed: boolean;
}

interface Step {
  nodes: Node[];
  at: number;
  into: Open;
  cursor: string;
  /** Text that stands here is painted, and no other thing tells it. */
  tells: boolean;
  /** Only what can be operated is told: the rest is hidden from readers, or is told as a name. */
  mute: boolean;
  leave?(): void;
}

/** Below this the tree is flat. */
const deepestNode = 60;
const mostCovers = 3000;
/** Finding what lies at a point takes the longer the more there is on the page. */
const coversMs = 1500;
const mostFrames = 50;
const longestText = 100_000;

const skipped = new Set(
  'script style template head noscript link meta base title param source track datalist colgroup col wbr noembed noframes defs clippath mask lineargradient radialgradient symbol metadata desc'.split(
    ' ',
  ),
);
/** What is in them is their value, or another document. */
const closed = new Set(
  'input textarea select canvas iframe frame video audio progress meter img object embed math'.split(' '),
);

const nodesIn = (parent: Node): Node[] => {
  if (parent instanceof HTMLSlotElement) {
    const assigned = parent.assignedNodes({ flatten: true });
    if (assigned.length > 0) return assigned;
  }
  // What is in a closed one is not laid out, though its styles do not say so.
  const isClosed = parent instanceof HTMLDetailsElement && !parent.open;
  const nodes: Node[] = [];
  const walker = Document.prototype.createTreeWalker.call(document, parent);
  for (let child = walker.firstChild(); child; child = walker.nextSibling())
    if (!isClosed || (child instanceof Element && tagOf(child) === 'summary')) nodes.push(child);
  return nodes;
};

const isText = (node: Node): boolean =>
  kindOf(node) === Node.TEXT_NODE || kindOf(node) === Node.CDATA_SECTION_NODE;

export class Walk {
  readonly frames: ReadDocument['frames'] = [];
  readonly #asked: ReadAsked;
  readonly #budget: Budget;
  readonly #making: Making;
  readonly #tables = new Tables();
  readonly #steps: Step[] = [];
  readonly #pressable: [node: SeenNode, element: Element, shown: Area][] = [];

  constructor(asked: ReadAsked, budget: Budget) {
    this.#asked = asked;
    this.#budget = budget;
    this.#making = new Making(asked);
  }

  through(root: Element): SeenNode['children'] {
    const top: Open = { children: [], text: '', depth: 0, isPressed: false };
    this.#steps.push({ nodes: [root], at: 0, into: top, cursor: 'auto', tells: true, mute: false });
    for (let step = this.#steps.at(-1); step; step = this.#steps.at(-1)) {
      const node = step.nodes[step.at++];
      if (node === undefined || !this.#budget.visit()) {
        this.#steps.pop();
        step.leave?.();
      } else if (isText(node)) {
        if (step.tells && !step.mute && step.into.text.length < longestText)
          step.into.text += (textOf(node) ?? '').slice(0, longestText);
      } else if (node instanceof Element) this.#enter(node, step);
    }
    this.#flush(top);
    this.#tellCovers();
    return top.children;
  }

  #enter(element: Element, around: Step): void {
    const tag = tagOf(element);
    if (tag === 'br') around.into.text += ' ';
    if (tag === 'br' || skipped.has(tag)) return;
    const style = getComputedStyle(element);
    if (!isLaidOut(element) && style.display !== 'contents') return;
    const thing = this.#thing(element, style, around);
    if (tag === 'svg' && around.into.isPressed && !thing.operable) {
      around.into.text += ` ${givenName(element)} `;
      return;
    }
    const isTold =
      thing.operable || thing.marked || thing.scrolls || (!around.mute && this.#isTold(thing, around));
    if (isTold) this.#open(thing, around);
    else this.#pass(thing, around);
  }

  #thing(element: Element, style: CSSStyleDeclaration, around: Step): Thing {
    const { mark } = this.#asked;
    const said = roleOf(element);
    const own = said === 'generic' && isEditor(element) ? 'textbox' : said;
    const isShown = style.visibility === 'visible';
    const operable = isShown
      ? operability(element, { role: own, cursor: style.cursor, outerCursor: around.cursor })
      : undefined;
    const isStandIn = operable && element instanceof HTMLLabelElement && element.control !== null;
    const control =
      isStandIn && !isDrawn(element.control as Element) ? (element.control as Element) : element;
    return {
      element,
      control,
      role: control === element ? own : roleOf(control),
      operable:
        operable === 'by its looks' && !isLarge(element, 1) && style.display !== 'contents'
          ? undefined
          : operable,
      marked: mark !== undefined && fits(element, mark),
      scrolls: isShown && scrolls(element, style),
      style,
    };
  }

  /** Whether it gets a node although it cannot be operated. */
  #isTold({ element, role, style }: Thing, around: Step): boolean {
    if (style.visibility !== 'visible' || plain.has(role)) return false;
    switch (role) {
      case 'img':
        return attributeOf(element, 'alt') === null
          ? isLarge(element, 24)
          : attributeOf(element, 'alt') !== '';
      case 'svg':
        return givenName(element) !== '' ? isLarge(element, 8) : isLarge(element, 40);
      case 'group':
        return isNamed(element) || tagOf(element) === 'fieldset';
      case 'figure':
      case 'blockquote':
      case 'term':
      case 'definition':
      case 'separator':
      case 'caption':
        return false;
      case 'iframe':
      case 'canvas':
      case 'object':
      case 'video':
        return isLarge(element, 2);
      case 'table':
        return this.#tables.isTable(element);
      case 'row':
      case 'cell':
      case 'columnheader':
      case 'rowheader':
        return around.into.depth > 0 && this.#tables.isIn(element);
      default:
        return true;
    }
  }

  #open(thing: Thing, around: Step): void {
    const { element, role, operable, style } = thing;
    this.#flush(around.into);
    this.#budget.node();
    const isFlat = around.into.depth >= deepestNode;
    const inner: Open = isFlat
      ? around.into
      : {
          children: [],
          text: '',
          depth: around.into.depth + 1,
          isPressed:
            around.into.isPressed ||
            (operable !== undefined && /^(?:button|link|tab|menuitem|option|generic)$/.test(role)),
        };
    if (closed.has(tagOf(element)) || (isEditor(element) && isOneValue(element))) {
      const isList = element instanceof HTMLSelectElement;
      const children = isList ? optionsOf(element, role === 'listbox') : [];
      this.#add(thing, this.#making.make(thing, children), around.into);
      return;
    }
    // Nothing can be put into it, so what it is called is read ahead.
    const words = isFlat && operable ? spoken(element) : '';
    if (isFlat) this.#add(thing, this.#making.make(thing, words ? [words] : []), around.into);
    const isMute = around.mute || attributeOf(element, 'aria-hidden') === 'true';
    this.#steps.push({
      nodes: nodesIn(treeOf(element)),
      at: 0,
      into: inner,
      cursor: style.cursor,
      tells: style.visibility === 'visible',
      // What is pressed is told with its words, also where they are hidden from readers.
      mute: words !== '' || (isMute && !operable),
      leave: () => {
        this.#flush(inner);
        if (!isFlat) this.#add(thing, this.#making.make(thing, inner.children), around.into);
      },
    });
  }

  /** It gets no node: what is in it belongs to what is around it. */
  #pass(thing: Thing, around: Step): void {
    const { element, style } = thing;
    const { into } = around;
    const isBlock = !/^(?:inline|contents|ruby)/.test(style.display);
    const part = (): void => {
      if (isBlock) this.#flush(into);
      else if (style.display !== 'inline' && style.display !== 'contents') into.text += ' ';
    };
    part();
    this.#steps.push({
      nodes: closed.has(tagOf(element)) ? [] : nodesIn(treeOf(element)),
      at: 0,
      into,
      cursor: style.cursor,
      tells: style.visibility === 'visible',
      mute: around.mute || attributeOf(element, 'aria-hidden') === 'true' || isTheName(element),
      leave: part,
    });
  }

  #add({ element, operable }: Thing, { node, shown }: Made, into: Open): void {
    const [only] = node.children;
    // A box around one thing that is pressed: pressing either is the same.
    const isDouble =
      byLooks.has(node) &&
      node.role === 'generic' &&
      !node.marked &&
      node.children.length === 1 &&
      typeof only === 'object' &&
      only.interactive;
    if (isDouble && !node.name && !node.states) {
      into.children.push(only);
      return;
    }
    into.children.push(node);
    if (operable && shown && this.#pressable.length < mostCovers)
      this.#pressable.push([node, element, shown]);
    if (node.role === 'iframe' && node.ref && this.frames.length < mostFrames)
      this.frames.push({ ref: node.ref, ...contentBox(element) });
  }

  #flush(into: Open): void {
    const text = this.#budget.text(squeeze(into.text));
    into.text = '';
    if (text) into.children.push(text);
  }

  #tellCovers(): void {
    const until = performance.now() + coversMs;
    for (const [node, element, shown] of this.#pressable) {
      if (this.#budget.isLate() || performance.now() > until) return;
      tellCover(node, element, shown);
    }
  }
}

/** Makes the node of an element once what is in it has been read. */

import type { ReadAsked, SeenNode } from '../inside.ts';
import { attributeOf, fits, tagOf } from '../pristine.ts';
import type { Area } from './covered.ts';
import { focusedElement, rectOf } from './dom.ts';
import { canvasHint, drawingHint, shapeHint, shapes } from './drawn.ts';
import { notesOf, setValueOf, statesOf } from './facts.ts';
import { givenName, hintOf, lastName } from './names.ts';
import type { Operable } from './operable.ts';
import { refOf } from './refs.ts';
import { containers, namedByContent, operated } from './roles.ts';
import { byLooks, hasNodes, holdsOperable, onlyOperable, wordsIn } from './tidy.ts';
import { fileOf, longestName, short } from './words.ts';

export interface Thing {
  element: Element;
  /** The control that a label is drawn for, or the element itself. */
  control: Element;
  role: string;
  operable: Operable;
  marked: boolean;
  scrolls: boolean;
  style: CSSStyleDeclaration;
}

export interface Made {
  node: SeenNode;
  /** The part of it that is in the view. */
  shown?: Area;
}

const drawn = new Set(['canvas', 'svg', 'video', 'iframe', 'object']);

export class Making {
  readonly #asked: ReadAsked;
  readonly #focus = focusedElement();

  constructor(asked: ReadAsked) {
    this.#asked = asked;
  }

  make(thing: Thing, children: SeenNode['children']): Made {
    const { element, control, role, operable, marked } = thing;
    const node: SeenNode = { role, children };
    this.#name(node, thing);
    const value = setValueOf(control);
    if (value && value !== node.name) node.value = value;
    const states = statesOf(control, this.#focus);
    if (thing.scrolls) states.push('scrollable');
    if (states.length > 0) node.states = states;
    if (operable) node.interactive = true;
    if (operable === 'by its looks') byLooks.add(node);
    if (marked) node.marked = true;
    this.#note(node, thing);
    const level = levelOf(element, role);
    if (level !== undefined) node.level = level;
    if (operable || marked || thing.scrolls || this.#asked.allRefs || containers.has(role))
      node.ref = refOf(element);
    return { node, shown: this.#place(node, thing) };
  }

  #name(node: SeenNode, { element, control, role, operable }: Thing): void {
    const given = control === element ? givenName(element) : '';
    const isField = fits(element, 'input,select,textarea') || role === 'textbox' || role === 'combobox';
    const isNamedByContent = namedByContent.has(role) || (operable !== undefined && !isField);
    const { children } = node;
    if (given) {
      node.name = given;
      if (operated.has(role) && !isField) node.children = onlyOperable(children, given);
    } else if (isNamedByContent && children.length > 0) {
      const words = wordsIn(children, longestName);
      // What holds other things is not summed up in a name: they are told one by one.
      const isWhole = operated.has(role)
        ? true
        : role === 'generic'
          ? !holdsOperable(children)
          : !hasNodes(children);
      if (words && words.length <= longestName && isWhole) {
        node.name = words;
        node.children = onlyOperable(children, words);
      }
    }
    if (!node.name) {
      const name = operable || role === 'img' || drawn.has(role) ? lastName(element) : '';
      if (name) node.name = name;
    }
  }

  #note(node: SeenNode, { element, control, role, operable, style }: Thing): void {
    const notes = { ...notesOf(control, node.name ?? '') };
    const tag = tagOf(element);
    const cursor =
      operable === 'by its looks' && !/^(?:auto|default|pointer)$/.test(style.cursor) ? style.cursor : '';
    if (cursor) notes.cursor = short(cursor, 40);
    if (role === 'canvas' && element instanceof HTMLCanvasElement) notes.hint = canvasHint(element);
    else if (role === 'svg') notes.hint = drawingHint(element);
    else if (operable && shapes.has(tag) && element instanceof SVGElement)
      notes.hint = shapeHint(element, style);
    else if (role === 'iframe') notes.url = short(attributeOf(element, 'src'), 500);
    else if (role === 'img' && !node.name) notes.hint = fileOf(attributeOf(element, 'src') ?? '');
    else if (operable && !node.name && node.children.length === 0) notes.hint = hintOf(element);
    for (const [key, text] of Object.entries(notes)) if (!text) delete notes[key];
    if (Object.keys(notes).length > 0) node.notes = notes;
  }

  /** Where it lies; gives what of it is in the view. */
  #place(node: SeenNode, { element, operable }: Thing): Area | undefined {
    const { left, top, right, bottom, width, height } = rectOf(element);
    const { corner, boxes, view } = this.#asked;
    if (width <= 0 || height <= 0) return undefined;
    const isDrawn = drawn.has(node.role) || element instanceof SVGElement;
    if (boxes || isDrawn || (operable && !node.name))
      node.box = [
        Math.round(left + corner.x),
        Math.round(top + corner.y),
        Math.round(width),
        Math.round(height),
      ];
    if (bottom <= view.top) node.place = 'above';
    else if (top >= view.bottom) node.place = 'below';
    else if (right <= view.left) node.place = 'left';
    else if (left >= view.right) node.place = 'right';
    if (node.place) return undefined;
    node.inView = true;
    return {
      left: Math.max(left, view.left),
      top: Math.max(top, view.top),
      right: Math.min(right, view.right),
      bottom: Math.min(bottom, view.bottom),
    };
  }
}

function levelOf(element: Element, role: string): number | undefined {
  if (role !== 'heading' && role !== 'treeitem') return undefined;
  const said = Number.parseInt(attributeOf(element, 'aria-level') ?? '', 10);
  if (said > 0) return said;
  const [, digit] = /^h([1-6])$/.exec(tagOf(element)) ?? [];
  return digit ? Number(digit) : undefined;
}

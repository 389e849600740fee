/** How elements are laid out: what is room to scroll in, what only names another thing, what a table is, where a frame lies. */

import type { FrameBox } from '../inside.ts';
import { fits, tagOf } from '../pristine.ts';
import {
  closestOf,
  firstIn,
  heightIn,
  leftEdge,
  parentOf,
  rectOf,
  topEdge,
  wholeHeight,
  wholeWidth,
  widthIn,
} from './dom.ts';
import { isDrawn } from './operable.ts';
import { isNamed } from './roles.ts';

export const isLarge = (element: Element, least: number): boolean => {
  const { width, height } = rectOf(element);
  return width >= least && height >= least;
};

export function contentBox(element: Element): FrameBox {
  const { left, top } = rectOf(element);
  const style = getComputedStyle(element);
  const padding = (side: string): number => Number.parseFloat(style.getPropertyValue(`padding-${side}`)) || 0;
  return {
    x: left + leftEdge(element) + padding('left'),
    y: top + topEdge(element) + padding('top'),
    width: widthIn(element) - padding('left') - padding('right'),
    height: heightIn(element) - padding('top') - padding('bottom'),
  };
}

export function scrolls(element: Element, { overflowX, overflowY }: CSSStyleDeclaration): boolean {
  if (fits(element, 'html,body,input,select')) return false;
  const isRoom = (overflow: string, whole: number, shown: number): boolean =>
    (overflow === 'auto' || overflow === 'scroll') && shown > 20 && whole > shown + 4;
  return (
    isRoom(overflowY, wholeHeight(element), heightIn(element)) ||
    isRoom(overflowX, wholeWidth(element), widthIn(element))
  );
}

/** Its words are the name of a control that is told itself. */
export function isTheName(element: Element): boolean {
  if (element instanceof HTMLLegendElement) return parentOf(element) instanceof HTMLFieldSetElement;
  if (tagOf(element) === 'caption') return true;
  if (!(element instanceof HTMLLabelElement) || !element.control) return false;
  return !isNamed(element.control) && isDrawn(element.control);
}

/** Which tables of a document are tables: those that only arrange a page are none. Asked once for each, not for each cell. */
export class Tables {
  readonly #known = new Map<Element, boolean>();

  isTable(element: Element): boolean {
    const known = this.#known.get(element) ?? isData(element);
    this.#known.set(element, known);
    return known;
  }

  isIn(element: Element): boolean {
    const table = closestOf(element, 'table,[role=table],[role=grid],[role=treegrid]');
    return table !== null && this.isTable(table);
  }
}

function isData(element: Element): boolean {
  if (!(element instanceof HTMLTableElement)) return true;
  if (firstIn(element, ':scope > thead, :scope > caption, :scope > * > tr > th')) return true;
  const { rows } = element;
  return !firstIn(element, 'table') && rows.length > 1 && (rows[0]?.cells.length ?? 0) > 1;
}

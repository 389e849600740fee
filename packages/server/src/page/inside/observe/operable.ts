/**
 * What can be operated, whether or not its author said so: what HTML makes operable, what has a role that is operated, what can
 * have the focus, what listens to the mouse, and what the mouse pointer shows to be operable.
 */
import { attributeOf, fits, tagOf } from '../pristine.ts';
import { firstBelow, firstIn, isEditable, isLaidOut, parentOf, rectOf } from './dom.ts';
import { operated } from './roles.ts';

/** Told by the service, which sees the listeners that the page has added. */
const listening = new WeakSet<Element>();

export function noteListener(element: Element): void {
  listening.add(element);
}

const native =
  'a[href],area[href],button,input:not([type=hidden]),select,textarea,details>summary,video[controls],audio[controls],embed,[draggable=true]';
const handlers =
  '[onclick],[ondblclick],[onmousedown],[onmouseup],[onpointerdown],[onpointerup],[ontouchstart],[oncontextmenu],[ng-click],[data-ng-click]';
const telling =
  /^(?:pointer|grab|grabbing|move|cell|copy|crosshair|all-scroll|zoom-in|zoom-out|[\w]+-resize)$/;

export const isEditor = (element: Element): boolean => isEditable(element) && !isEditable(parentOf(element));

export type Operable = 'by itself' | 'by its looks' | undefined;

export interface Around {
  role: string;
  cursor: string;
  /** Of what is around the element. */
  outerCursor: string;
}

const whole = new Set(['html', 'body']);

/** `by its looks`: nothing but a listener or the mouse pointer says so. */
export function operability(element: Element, { role, cursor, outerCursor }: Around): Operable {
  const tag = tagOf(element);
  if (whole.has(tag)) return isEditor(element) ? 'by itself' : undefined;
  if (fits(element, native) || isEditor(element)) return 'by itself';
  if (operated.has(role) && role !== 'gridcell') return 'by itself';
  const tabindex = attributeOf(element, 'tabindex');
  if (tabindex !== null && Number.parseInt(tabindex, 10) >= 0) return 'by itself';
  if (element instanceof HTMLLabelElement && element.control && isDrawn(element.control)) return undefined;
  if (element instanceof HTMLLabelElement && element.control) return 'by itself';
  if (hearsMouse(element, tag)) return 'by its looks';
  return cursor !== outerCursor && telling.test(cursor) ? 'by its looks' : undefined;
}

const isListener = (element: Element): boolean => listening.has(element) || fits(element, handlers);

/** Things in lists, tables and drawings, by whose listener the whole hears of the one that is pressed. */
const listened: Record<string, string> = {
  ...{ li: 'ul,ol,menu', td: 'tr,tbody,table', th: 'tr,tbody,thead,table' },
  ...{ circle: 'g,svg', ellipse: 'g,svg', rect: 'g,svg', polygon: 'g,svg', path: 'g,svg', text: 'g,svg' },
};
const wholes = 'ul,ol,menu,tr,tbody,thead,table,svg,g';

function hearsMouse(element: Element, tag: string): boolean {
  if (isListener(element)) return !(fits(element, wholes) && hasParts(element)) && !holdsPage(element);
  const whole = Object.hasOwn(listened, tag) ? (listened[tag] as string) : undefined;
  for (let at = whole && parentOf(element); at && whole && fits(at, whole); at = parentOf(at))
    if (isListener(at)) return true;
  return false;
}

const hasParts = (element: Element): boolean => firstIn(element, Object.keys(listened).join(',')) !== null;

/** Frameworks listen at the root of a page for all that is in it. */
function holdsPage(element: Element): boolean {
  const { width, height } = rectOf(element);
  if (width * height < innerWidth * innerHeight * 0.6) return false;
  return firstBelow(element, 11).length > 10;
}

/** A control that is hidden behind its label, which is drawn in its place, cannot be pressed itself. */
export function isDrawn(element: Element): boolean {
  if (!isLaidOut(element, { visibilityProperty: true, opacityProperty: true })) return false;
  const { width, height } = rectOf(element);
  return width > 1 && height > 1;
}

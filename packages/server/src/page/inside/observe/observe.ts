/** The document as a tree of what can be seen and operated. Runs in an isolated world, as one task: nothing changes meanwhile. */

import type { FrameBox, ReadAnswer, ReadAsked, RefAt, SeenPage } from '../inside.ts';
import { allBelow, allIn, shadowOf, theBody, theRoot, theTitle } from '../pristine.ts';
import { Budget } from './budget.ts';
import { above, deepestAt, isLaidOut, scroller, wholeHeight, wholeWidth } from './dom.ts';
import { forgetLabels } from './labels.ts';
import { contentBox } from './laid-out.ts';
import { noteListener, operability } from './operable.ts';
import { begin, elementOf, lastNumber, refOf } from './refs.ts';
import { roleOf } from './roles.ts';
import { Walk } from './walk.ts';
import { longestName, short } from './words.ts';

/** Of elements in which an open shadow tree is looked for. */
const mostLookedAt = 50_000;

/** The first that matches, also in open shadow trees. */
function find(selector: string): Element | undefined {
  const [found] = allIn(selector);
  if (found) return found;
  const hosts = allIn('*').slice(0, mostLookedAt);
  for (let host = hosts.pop(); host; host = hosts.pop()) {
    const shadow = shadowOf(host);
    if (!shadow) continue;
    const inside = shadow.querySelector(selector);
    if (inside) return inside;
    for (const child of shadow.children) hosts.push(child, ...allBelow(child, '*'));
  }
  return undefined;
}

function wanted({ selector, ref }: ReadAsked): Element | undefined {
  if (ref !== undefined) return elementOf(ref);
  if (selector !== undefined) return find(selector);
  return theBody(document) ?? theRoot(document) ?? undefined;
}

export function view(): Pick<SeenPage, 'scroll' | 'viewport'> {
  const whole = scroller() ?? theRoot(document);
  return {
    viewport: { width: innerWidth, height: innerHeight },
    scroll: {
      x: Math.round(scrollX),
      y: Math.round(scrollY),
      maxX: Math.max((whole ? wholeWidth(whole) : 0) - innerWidth, 0),
      maxY: Math.max((whole ? wholeHeight(whole) : 0) - innerHeight, 0),
    },
  };
}

function answer(asked: ReadAsked): ReadAnswer {
  const prefix = begin(asked.prefix, asked.after);
  forgetLabels();
  // A selector that is none is to be told before anything is read.
  if (asked.mark !== undefined)
    Document.prototype.createDocumentFragment.call(document).querySelector(asked.mark);
  const root = wanted(asked);
  if (!root && (asked.ref !== undefined || asked.selector !== undefined)) return { missing: true };
  const budget = new Budget(asked.ms);
  const walk = new Walk(asked, budget);
  const children = root ? walk.through(root) : [];
  const title = short(theTitle(document), longestName);
  return {
    root: { role: 'document', ...(title && { name: title }), children },
    ...{ ...view(), title, prefix, last: lastNumber(), frames: walk.frames },
    ...(budget.cut && { cut: true as const }),
  };
}

export function read(asked: ReadAsked): string {
  try {
    return JSON.stringify(answer(asked) satisfies ReadAnswer);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SyntaxError')
      return JSON.stringify({ wrong: error.message.slice(0, 500) } satisfies ReadAnswer);
    throw error;
  }
}

export const element = (ref: string): Element | null => elementOf(ref) ?? null;

export const tellOfListener = (target: Element): void => noteListener(target);

export function frame(ref: string): FrameBox | null {
  const found = elementOf(ref);
  return found && isLaidOut(found) ? contentBox(found) : null;
}

const cursorOf = (target: Element | null): string => (target ? getComputedStyle(target).cursor : 'auto');

/** The reference of what can be operated at a place, or else of what is seen there. */
export function refAt(prefix: string, after: number, x: number, y: number): RefAt | null {
  begin(prefix, after);
  const seen = deepestAt(x, y);
  if (!seen) return null;
  if (seen instanceof HTMLIFrameElement || seen instanceof HTMLFrameElement) {
    const corner = contentBox(seen);
    return { frame: refOf(seen), x: x - corner.x, y: y - corner.y, last: lastNumber() };
  }
  for (let at: Element | null = seen; at; at = above(at)) {
    const around = { role: roleOf(at), cursor: cursorOf(at), outerCursor: cursorOf(above(at)) };
    if (operability(at, around)) return { ref: refOf(at), last: lastNumber() };
  }
  return { ref: refOf(seen), last: lastNumber() };
}

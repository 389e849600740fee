/**
 * A document before it is captured: its web fonts are waited for, and it is measured. Chromium draws beyond the viewport,
 * so an element is scrolled to only where a box around it scrolls, and what was scrolled is put back afterwards.
 */
import type { Box, Measured } from './inside.ts';

type Place = Box & { moved: boolean };
type NoPlace = Exclude<Measured, { scale: number }>;

/** Kept, so that Chromium has them at hand; no document uses them by these. */
const kept = new Set<FontFace>();
let moved: [box: Element, left: number, top: number][] = [];

/** A font that never comes must not hold up everything. */
export async function whenFontsAreThere(ms: number): Promise<void> {
  if (ms === 0) return;
  document.documentElement?.getBoundingClientRect();
  if (document.fonts.status === 'loading')
    await Promise.race([document.fonts.ready, new Promise((resolve) => setTimeout(resolve, ms))]);
}

/** The number of the one that cannot be loaded; undefined: all are there. */
export async function keepFonts(addresses: string[]): Promise<number | undefined> {
  const loaded = await Promise.allSettled(
    addresses.map((address) => new FontFace('browserd', `url(${address})`).load()),
  );
  for (const each of loaded) if (each.status === 'fulfilled') kept.add(each.value);
  const failed = loaded.findIndex(({ status }) => status === 'rejected');
  return failed === -1 ? undefined : failed;
}

export function letFontsGo(): void {
  kept.clear();
}

/** Also in open shadow roots, which a selector alone does not enter. */
function find(root: Document | ShadowRoot, selector: string): Element | null {
  const found = root.querySelector(selector);
  if (found) return found;
  for (const { shadowRoot } of root.querySelectorAll('*')) {
    const inside = shadowRoot && find(shadowRoot, selector);
    if (inside) return inside;
  }
  return null;
}

const above = (node: Element): Element | null =>
  node.parentElement ?? (node.getRootNode() as Partial<ShadowRoot>).host ?? null;

/** Whether something had to be scrolled. */
function bringIntoSight(element: Element): boolean {
  const before: typeof moved = [];
  let hidden = false;
  for (let box = above(element); box && box !== document.documentElement; box = above(box)) {
    before.push([box, box.scrollLeft, box.scrollTop]);
    if (box === document.body || getComputedStyle(box).overflow === 'visible') continue;
    const [inner, outer] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
    hidden ||=
      inner.top < outer.top ||
      inner.left < outer.left ||
      inner.bottom > outer.bottom ||
      inner.right > outer.right;
  }
  if (!hidden) return false;
  moved = [...before, [document.scrollingElement ?? document.documentElement, scrollX, scrollY]];
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  return true;
}

function place(element: Element): Place | NoPlace {
  const shown = element.checkVisibility({ visibilityProperty: true });
  const scrolled = bringIntoSight(element);
  const { left, top, width, height } = element.getBoundingClientRect();
  if (!shown || width === 0 || height === 0) return { unseen: true };
  return { x: left + scrollX, y: top + scrollY, width, height, moved: scrolled };
}

export async function measure(fontsMs: number, selector?: string): Promise<Measured> {
  await whenFontsAreThere(fontsMs);
  return measured(selector);
}

/** Undefined: fonts are still on their way. */
export function measureAtOnce(): Measured | undefined {
  document.documentElement?.getBoundingClientRect();
  return document.fonts.status === 'loading' ? undefined : measured();
}

function measured(selector?: string): Measured {
  const element = selector === undefined ? undefined : placeOf(selector);
  if (element && !('x' in element)) return element;
  // A document may be without an element, for instance while a script replaces it.
  const scroller = (document.scrollingElement ?? document.documentElement) as Element | null;
  const [width, height] = [scroller?.scrollWidth ?? 0, scroller?.scrollHeight ?? 0];
  return {
    scale: devicePixelRatio,
    element,
    view: { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight },
    page: { width: Math.max(width, innerWidth), height: Math.max(height, innerHeight) },
  };
}

function placeOf(selector: string): Place | NoPlace {
  let element: Element | null;
  try {
    element = find(document, selector);
  } catch (error) {
    return { wrong: (error as Error).message };
  }
  return element ? place(element) : { missing: true };
}

/** Of all elements that match, up to so many, from the top left corner of the page; or the selector that is none. */
export function boxesOf(selectors: string[], most: number): Box[] | { wrong: string } {
  const boxes: Box[] = [];
  for (const selector of selectors) {
    try {
      document.createDocumentFragment().querySelector(selector);
    } catch {
      return { wrong: selector };
    }
    for (const element of findAll(document, selector)) {
      const { left, top, width, height } = element.getBoundingClientRect();
      if (boxes.length < most && width > 0 && height > 0)
        boxes.push({ x: left + scrollX, y: top + scrollY, width, height });
    }
  }
  return boxes;
}

function findAll(root: Document | ShadowRoot, selector: string): Element[] {
  const inside = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot ? findAll(shadowRoot, selector) : [],
  );
  return [...root.querySelectorAll(selector), ...inside];
}

export function scrollBack(): void {
  for (const [box, left, top] of moved) box.scrollTo({ left, top, behavior: 'instant' });
  moved = [];
}

/**
 * Looks at a page before it is captured: waits for its web fonts, and finds out how large it is, what of it shows,
 * and where an element lies. All lengths are CSS pixels, all places counted from the top left corner of the page.
 */
import { ApiError } from '../../errors.ts';
import { lookInto, nearestCandidates, type PageTarget } from '../reach/reach.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Measures {
  /** Device pixels per CSS pixel. */
  scale: number;
  /** What shows at this moment. */
  view: Box;
  page: { width: number; height: number };
  element?: Box;
}

/** A font that never comes must not hold up everything. */
const fontsMs = 2500;

const whenFontsAreThere = `
  document.documentElement?.getBoundingClientRect();
  if (document.fonts.status === 'loading')
    await Promise.race([document.fonts.ready, new Promise((resolve) => setTimeout(resolve, ${fontsMs}))]);`;

/** Also in open shadow roots, which a selector alone does not enter. */
const findElement = `
  const find = (root) => {
    const found = root.querySelector(selector);
    if (found) return found;
    for (const { shadowRoot } of root.querySelectorAll('*')) {
      const inside = shadowRoot && find(shadowRoot);
      if (inside) return inside;
    }
    return null;
  };`;

/**
 * Chromium draws beyond the viewport, so an element is scrolled to only where a box around it scrolls; what was
 * scrolled is put back by \`scrollBack\`.
 */
const bringIntoSight = `
  const above = (node) => node.parentElement ?? node.getRootNode().host ?? null;
  const moved = [];
  let hidden = false;
  for (let box = above(element); box && box !== document.documentElement; box = above(box)) {
    moved.push([box, box.scrollLeft, box.scrollTop]);
    if (box === document.body || getComputedStyle(box).overflow === 'visible') continue;
    const [inner, outer] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
    hidden ||= inner.top < outer.top || inner.left < outer.left || inner.bottom > outer.bottom || inner.right > outer.right;
  }
  if (hidden) {
    globalThis.putBack = [...moved, [document.scrollingElement ?? document.documentElement, scrollX, scrollY]];
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  }`;

const scrollBack = `(() => {
  for (const [box, left, top] of globalThis.putBack ?? []) box.scrollTo({ left, top, behavior: 'instant' });
  delete globalThis.putBack;
})()`;

const measureElement = (selector: string): string => `
  const selector = ${JSON.stringify(selector)};
  ${findElement}
  let element;
  try { element = find(document); } catch (error) { return { wrong: error.message }; }
  if (!element) return { missing: true };
  const shown = element.checkVisibility({ visibilityProperty: true });
  ${bringIntoSight}
  const { left, top, width, height } = element.getBoundingClientRect();
  if (!shown || width === 0 || height === 0) return { unseen: true };
  place.element = { x: left + scrollX, y: top + scrollY, width, height, moved: hidden };`;

type Seen = Omit<Measures, 'element'> & {
  element?: Box & { moved: boolean };
  wrong?: string;
  missing?: true;
  unseen?: true;
};

export const waitForFonts = (page: PageTarget): Promise<void> =>
  lookInto(page, `(async () => {${whenFontsAreThere}})()`);

/** `putBack` undoes what had to be scrolled. */
export async function measure(
  page: PageTarget,
  selector: string | undefined,
): Promise<Measures & { putBack(): Promise<void> }> {
  const seen = await lookInto<Seen>(
    page,
    `(async () => {
      ${whenFontsAreThere}
      const place = { scale: devicePixelRatio };
      ${selector === undefined ? '' : measureElement(selector)}
      const { scrollWidth = 0, scrollHeight = 0 } = document.scrollingElement ?? document.documentElement ?? {};
      place.view = { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight };
      place.page = { width: Math.max(scrollWidth, innerWidth), height: Math.max(scrollHeight, innerHeight) };
      return place;
    })()`,
  );
  const putBack = async (): Promise<void> => {
    if (seen.element?.moved) await lookInto(page, scrollBack).catch(() => undefined);
  };
  if (selector !== undefined && !seen.element) throw await whyNot(page, selector, seen);
  return { ...seen, putBack };
}

async function whyNot(page: PageTarget, selector: string, seen: Seen): Promise<ApiError> {
  if (seen.missing)
    return new ApiError('SELECTOR_NOT_FOUND', `Nothing on the page matches ${selector}.`, {
      details: { selector, candidates: await nearestCandidates(page, selector) },
    });
  if (seen.unseen)
    return new ApiError(
      'ELEMENT_NOT_ACTIONABLE',
      `The element ${selector} is there, but has no size or is hidden, so there is nothing to see of it. Make it show first, or name another.`,
      { details: { selector } },
    );
  return new ApiError('VALIDATION_FAILED', `\`selector\` is not a CSS selector: ${seen.wrong}`, {
    details: { issues: [{ path: 'selector', reason: 'not a CSS selector' }] },
  });
}

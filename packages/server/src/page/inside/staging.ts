/**
 * A document is made ready to be captured: rules of the caller's hold for a while, and it is scrolled through. A rule that is
 * adopted needs no element, so neither the page's content security policy nor its own clean-up is in the way.
 */
import type { ClickPlace, Screen } from './inside.ts';
import { shadowOf } from './pristine.ts';

type Root = Document | ShadowRoot;

/** Shadow trees in documents of more elements are not looked for. */
const mostElements = 50_000;

function* roots(root: Root): Generator<Root> {
  yield root;
  const all = root.querySelectorAll('*');
  if (all.length > mostElements) return;
  for (const element of all) {
    const shadow = shadowOf(element);
    if (shadow) yield* roots(shadow);
  }
}

let adopted: [Root, CSSStyleSheet[]][] = [];

/** Rules of the caller, what is hidden and what is taken out; or the selector that is none. */
export function dress(rules: string[], hidden: string[], removed: string[]): true | { wrong: string } {
  for (const selector of [...hidden, ...removed]) if (!isSelector(selector)) return { wrong: selector };
  const put = (selectors: string[], how: string): string[] =>
    selectors.map((selector) => `${selector} { ${how} !important }`);
  const texts = [...rules, ...put(hidden, 'visibility: hidden'), ...put(removed, 'display: none')];
  const sheets = texts.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  for (const root of roots(document)) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...sheets];
    adopted.push([root, sheets]);
  }
  return true;
}

/** Takes away the rules that `dress` has added. */
export function undress(): void {
  for (const [root, sheets] of adopted)
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
  adopted = [];
}

function isSelector(selector: string): boolean {
  try {
    document.createDocumentFragment().querySelector(selector);
    return true;
  } catch {
    return false;
  }
}

function find(selector: string): Element | null {
  for (const root of roots(document)) {
    const found = root.querySelector(selector);
    if (found) return found;
  }
  return null;
}

export function matches(selector: string): boolean | 'bad' {
  return isSelector(selector) ? find(selector) !== null : 'bad';
}

/** The middle of what can be clicked of an element, in the viewport, after it was scrolled to. */
export function placeToClick(selector: string): ClickPlace {
  if (!isSelector(selector)) return 'bad';
  const element = find(selector);
  if (!element) return 'missing';
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const [x0, x1] = [Math.max(left, 0), Math.min(right, innerWidth)];
  const [y0, y1] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
  const shown = element.checkVisibility({ visibilityProperty: true });
  return shown && x1 > x0 && y1 > y0 ? { x: (x0 + x1) / 2, y: (y0 + y1) / 2 } : 'unseen';
}

let began: { left: number; top: number } | undefined;
let observer: MutationObserver | undefined;
let changedAt = 0;

/** Goes to the screen of this number, counted from the top. */
export function showScreen(number: number): void {
  began ??= { left: scrollX, top: scrollY };
  if (!observer) {
    observer = new MutationObserver(() => {
      changedAt = performance.now();
    });
    observer.observe(document, { childList: true, subtree: true });
  }
  changedAt = performance.now();
  scrollTo({ top: number * innerHeight, behavior: 'instant' });
}

/** Where it is, and whether something on it is still to come. */
export function screen(): Screen {
  const root = document.scrollingElement;
  const end = !root || root.scrollTop + innerHeight >= root.scrollHeight - 1;
  const waits = [...document.images].some((image) => {
    if (image.complete || !image.currentSrc) return false;
    const { top, bottom } = image.getBoundingClientRect();
    return bottom >= 0 && top <= innerHeight;
  });
  return { end, waits, stillFor: performance.now() - changedAt };
}

/** Undoes what `showScreen` did. */
export function scrolledBack(): void {
  observer?.disconnect();
  observer = undefined;
  if (began) scrollTo({ ...began, behavior: 'instant' });
  began = undefined;
}

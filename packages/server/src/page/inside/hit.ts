/**
 * What lies at a place of a document, as a person would name it: the thing that can be operated there, or else what is seen.
 * Also in open shadow trees; a frame is told apart, for what is in it lies in another document.
 */
import type { HitFacts, HitThing } from './inside.ts';
import { attributeOf, fits, shadowOf, squeeze, tagOf } from './pristine.ts';

const longestName = 200;
const mostBelow = 40;

const operable =
  'a[href],area[href],button,input,select,textarea,summary,label,option,video[controls],audio[controls],[onclick],[tabindex]:not([tabindex="-1"]),[contenteditable]:not([contenteditable="false"]),[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=option],[role=combobox],[role=textbox],[role=slider],[role=spinbutton],[role=treeitem]';

const roles: Record<string, string> = {
  ...{
    a: 'link',
    area: 'link',
    button: 'button',
    select: 'combobox',
    textarea: 'textbox',
    summary: 'button',
  },
  ...{
    option: 'option',
    img: 'img',
    h1: 'heading',
    h2: 'heading',
    h3: 'heading',
    h4: 'heading',
    p: 'paragraph',
  },
  ...{ li: 'listitem', td: 'cell', th: 'columnheader', dialog: 'dialog', nav: 'navigation', main: 'main' },
  iframe: 'iframe',
};
const inputRoles: Record<string, string> = {
  ...{
    checkbox: 'checkbox',
    radio: 'radio',
    submit: 'button',
    button: 'button',
    reset: 'button',
    image: 'button',
  },
  ...{ range: 'slider', number: 'spinbutton', search: 'searchbox', file: 'button', color: 'button' },
};
/** Inputs that take no text. */
const pressed = /^(?:checkbox|radio|submit|button|reset|image|range|file|color|hidden)$/;

/** The innermost element there, through open shadow trees. */
function deepest(x: number, y: number): Element | null {
  let found = document.elementFromPoint(x, y);
  for (let inner = found; inner; ) {
    found = inner;
    const shadow = shadowOf(inner);
    inner = shadow?.elementFromPoint(x, y) ?? null;
    if (inner === found) break;
  }
  return found;
}

const above = (element: Element): Element | null => {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
};

function operated(element: Element): Element | undefined {
  for (let at: Element | null = element; at; at = above(at)) if (fits(at, operable)) return at;
  return undefined;
}

const roleOf = (element: Element): string | undefined =>
  attributeOf(element, 'role') ??
  (element instanceof HTMLInputElement ? (inputRoles[element.type] ?? 'textbox') : roles[tagOf(element)]);

function labelled(element: Element): string | undefined {
  const ids = attributeOf(element, 'aria-labelledby')?.split(/\s+/) ?? [];
  const words = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  if (words.trim()) return words;
  const { labels } = element as { labels?: NodeListOf<HTMLElement> | null };
  return labels instanceof NodeList && labels[0] ? labels[0].innerText : undefined;
}

/** Never what a field holds: that is not its name, and may be a secret. */
function nameOf(element: Element): string {
  const given = attributeOf(element, 'aria-label') || labelled(element) || attributeOf(element, 'alt');
  if (given) return squeeze(given).slice(0, longestName);
  const hint =
    attributeOf(element, 'placeholder') || attributeOf(element, 'title') || attributeOf(element, 'name');
  if (element instanceof HTMLInputElement && /^(?:submit|button|reset)$/.test(element.type))
    return squeeze(attributeOf(element, 'value') ?? hint ?? element.type).slice(0, longestName);
  const holds = fits(element, 'input,textarea,select,iframe,body,html');
  const text = !holds && element instanceof HTMLElement ? element.innerText.slice(0, 2000) : '';
  return squeeze(text || (hint ?? '')).slice(0, longestName);
}

function thing(element: Element): HitThing {
  const role = roleOf(element)?.slice(0, 50);
  const name = nameOf(element);
  return { tag: tagOf(element).slice(0, 50), ...(role && { role }), ...(name && { name }) };
}

const isEditable = (element: Element): boolean =>
  !fits(element, ':disabled') &&
  ((element instanceof HTMLElement && element.isContentEditable) ||
    (element instanceof HTMLTextAreaElement && !element.readOnly) ||
    (element instanceof HTMLInputElement && !element.readOnly && !pressed.test(element.type)));

/** Lists and dialogs of Chromium's own. */
const opensOutside = 'select:not([multiple]):not([size]),input[type=file],input[type=color]';

function opens(element: Element): boolean {
  const control = element instanceof HTMLLabelElement ? element.control : element;
  return control !== null && fits(control, opensOutside) && !fits(control, ':disabled');
}

/** What can be operated below what is hit, and is no part of it. */
function covered(top: Element, x: number, y: number): Element | undefined {
  for (const below of document.elementsFromPoint(x, y).slice(0, mostBelow)) {
    const other = operated(below);
    if (other && !other.contains(top) && !top.contains(other)) return other;
  }
  return undefined;
}

export function at(x: number, y: number): HitFacts | null {
  const seen = deepest(x, y);
  if (!seen) return null;
  const element = operated(seen) ?? seen;
  const hidden = operated(seen) ? undefined : covered(seen, x, y);
  const frame = seen instanceof HTMLIFrameElement || seen instanceof HTMLFrameElement;
  const box = frame ? seen.getBoundingClientRect() : undefined;
  return {
    ...thing(element),
    editable: isEditable(element),
    ...((fits(element, ':disabled') || attributeOf(element, 'aria-disabled') === 'true') && {
      disabled: true,
    }),
    ...(hidden && { covers: thing(hidden) }),
    ...(opens(element) && { opens: true }),
    ...(frame && box && { inFrame: { x: box.left + seen.clientLeft, y: box.top + seen.clientTop } }),
  };
}

/** The element of the frame at this place. */
export const frameAt = (x: number, y: number): Element | null => deepest(x, y);

/** A widget of a known kind, from the element that stands for it. */
import { above, attr, describe, formOf, matches, urlOf, valueIn } from './dom.ts';
import type { Item } from './item.ts';
import { type Kind, keyIn } from './kinds.ts';
import type { Tree } from './tree.ts';

/** The response field that belongs to a widget: within it, in its form, or the only one of the page. */
function fieldOf(tree: Tree, root: Element, selector: string): Element | undefined {
  const [inside] = tree.findIn(root, selector);
  const form = formOf(root);
  const [inForm] = form ? tree.findIn(form, selector) : [];
  return inside ?? inForm ?? (form ? undefined : tree.find(selector)[0]);
}

function siteKey(kind: Kind, root: Element, url: URL | undefined): string | undefined {
  const ofFrame = url && (kind.keyOf?.(url) ?? keyIn(url, kind.keys ?? []));
  const ofPage = url ? undefined : kind.keyOf?.(new URL('about:blank'));
  return attr(root, 'data-sitekey') || attr(root, 'sitekey') || ofFrame || ofPage || undefined;
}

export function itemOf(tree: Tree, kind: Kind, root: Element, frame?: Element): Item {
  const field = fieldOf(tree, root, kind.fieldIn?.(root) || kind.field);
  const value = (field && valueIn(field)) || kind.filled?.(root) || '';
  const parts = [root, frame, field].filter((each) => each !== undefined);
  return {
    type: kind.type,
    root,
    field,
    sitekey: siteKey(kind, root, frame && urlOf(frame)),
    target: kind.target?.(root) ?? frame ?? root,
    frame,
    value: (kind.isResponse ?? Boolean)(value) ? value : '',
    verified: kind.verified?.(root),
    confirmed: kind.confirmed,
    working: kind.working?.(root) ?? false,
    automatic: kind.automatic?.(root) ?? false,
    invisible: kind.invisible?.(root) ?? false,
    problem: kind.problem?.(root, value),
    seen: [...new Set(parts)].map(describe),
  };
}

/** The largest element around a frame or field that holds nothing but the widget. */
export function wrapped(tree: Tree, element: Element): Element {
  let root = element;
  for (let at = above(element); at && !holdsMore(tree, at); at = above(at)) root = at;
  return root;
}

const holdsMore = (tree: Tree, element: Element): boolean =>
  tree.findIn(element, 'input:not([type="hidden"]), p, h1, h2').length > 0 ||
  matches(element, 'form, body, html');

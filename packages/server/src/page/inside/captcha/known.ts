/** The captchas of the document that are known by name. */
import { above, closest, formOf, isInside, urlOf } from './dom.ts';
import type { Item } from './item.ts';
import { type Kind, keyIn, kindsIn } from './kinds.ts';
import { recaptchasIn } from './recaptcha.ts';
import type { Tree } from './tree.ts';
import { itemOf, wrapped } from './widget.ts';

/** What the widgets of all kinds are looked for in. */
interface Parts {
  iframes: Element[];
  scripts: URL[];
}

/** Of containers within each other, the outermost. */
function containersOf(tree: Tree, kind: Kind): Element[] {
  return tree
    .find(kind.container)
    .filter((root) => kind.works?.(root) ?? true)
    .filter((root) => {
      const around = closest(above(root) ?? root, kind.container);
      return !around || !isInside(around, root);
    });
}

function widgetsOf(tree: Tree, kind: Kind, { iframes, scripts }: Parts): Item[] {
  const addressOf = (frame: Element): string => urlOf(frame).host + urlOf(frame).pathname;
  const frames = iframes.filter((frame) => kind.frame?.test(addressOf(frame)));
  const keyOf = (frame: Element): string | undefined => keyIn(urlOf(frame), kind.keys ?? []);
  const items = containersOf(tree, kind).map((root) =>
    itemOf(
      tree,
      kind,
      root,
      frames.find((frame) => isInside(root, frame)),
    ),
  );
  const taken = (element: Element): boolean =>
    items.some(
      ({ root, field }) =>
        isInside(root, element) ||
        field === element ||
        (formOf(root) !== null && formOf(root) === formOf(element)),
    );
  for (const frame of frames) {
    // The large frame of a challenge hangs at the end of the page, away from its check box.
    const second = items.some((item) => item.frame && keyOf(item.frame) === keyOf(frame));
    if (!taken(frame) && !second) items.push(itemOf(tree, kind, wrapped(tree, frame), frame));
  }
  const { script } = kind;
  if (script && scripts.some(({ host, pathname }) => script.test(host + pathname)))
    for (const field of tree.find(kind.field))
      if (!taken(field)) items.push(itemOf(tree, kind, wrapped(tree, field)));
  return items;
}

export function knownIn(tree: Tree): Item[] {
  const iframes = tree.find('iframe');
  const scripts = tree.find('script[src]').map(urlOf);
  return [
    ...kindsIn(tree, scripts).flatMap((kind) => widgetsOf(tree, kind, { iframes, scripts })),
    ...recaptchasIn(tree, iframes, scripts),
  ];
}

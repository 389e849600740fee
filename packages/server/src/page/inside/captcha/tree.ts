/** The document and the open shadow roots in it, as they are at one moment, to be searched as one. */
import { isInside, isQuoted, shadow, tag } from './dom.ts';

type Root = Document | ShadowRoot;

const mostElements = 200_000;
const mostRoots = 500;

export function queryIn(root: Root | Element, selector: string): Element[] {
  const { prototype } =
    root instanceof Document ? Document : root instanceof Element ? Element : DocumentFragment;
  return [...prototype.querySelectorAll.call(root, selector)];
}

export class Tree {
  /** Elements with names of their own making. */
  readonly custom: Element[] = [];
  readonly #roots: Root[] = [document];

  constructor() {
    for (const root of this.#roots) {
      if (this.#roots.length >= mostRoots) return;
      for (const element of queryIn(root, '*').slice(0, mostElements)) {
        const inside = shadow(element);
        if (inside && this.#roots.length < mostRoots) this.#roots.push(inside);
        if (tag(element).includes('-')) this.custom.push(element);
      }
    }
  }

  find(selector: string): Element[] {
    return this.#roots.flatMap((root) => queryIn(root, selector)).filter((element) => !isQuoted(element));
  }

  /** Below an element, in its shadow root too. */
  findIn(element: Element, selector: string): Element[] {
    return [
      ...queryIn(element, selector),
      ...this.#roots
        .filter((root) => root instanceof ShadowRoot && isInside(element, root.host))
        .flatMap((root) => queryIn(root, selector)),
    ];
  }
}

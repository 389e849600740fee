/** Whether a document moves: what changes in it is counted, and when the last change was. */
import { shadowOf } from './pristine.ts';

let changes = 0;
let last = 0;
let observer: MutationObserver | undefined;

/** Shadow trees of more elements are not looked for. */
const mostElements = 20_000;
const kinds = { childList: true, attributes: true, characterData: true, subtree: true };

const stirred = (): void => {
  changes++;
  last = performance.now();
};

function follow(root: Document | ShadowRoot): void {
  observer?.observe(root, kinds);
  const all = root.querySelectorAll('*');
  if (all.length > mostElements) return;
  for (const element of all) {
    const shadow = shadowOf(element);
    if (shadow) follow(shadow);
  }
}

/** Counts from now on. */
export function begin(): void {
  changes = 0;
  last = performance.now();
  if (!observer) {
    observer = new MutationObserver(stirred);
    // A value that is typed and a page that is scrolled change no node.
    for (const type of ['input', 'change', 'scroll', 'toggle']) addEventListener(type, stirred, true);
  }
  follow(document);
}

export const since = (): { changes: number; quietMs: number; loading: boolean } => ({
  changes,
  quietMs: performance.now() - last,
  loading: document.readyState === 'loading',
});

/** Undoes `begin`. */
export function end(): void {
  observer?.disconnect();
  observer = undefined;
  for (const type of ['input', 'change', 'scroll', 'toggle']) removeEventListener(type, stirred, true);
}

export const view = (): { width: number; height: number; left: number; top: number } => ({
  width: innerWidth,
  height: innerHeight,
  left: scrollX,
  top: scrollY,
});

/**
 * Which labels a control has. Chromium looks through the whole document for those of each control; so the labels are gathered once
 * for each observation, in each tree that has some.
 */
import { fits } from '../pristine.ts';
import { rootOf } from './dom.ts';

const most = 5000;
const labelable = 'button,input,meter,output,progress,select,textarea';

let trees = new WeakMap<Node, Map<Element, HTMLLabelElement[]>>();

/** Before a document is read: it may have changed. */
export function forgetLabels(): void {
  trees = new WeakMap();
}

export function labelsOf(element: Element): HTMLLabelElement[] {
  if (!fits(element, labelable)) return [];
  const root = rootOf(element);
  const known = trees.get(root) ?? gather(root);
  trees.set(root, known);
  return known.get(element) ?? [];
}

function gather(root: Node): Map<Element, HTMLLabelElement[]> {
  const found = new Map<Element, HTMLLabelElement[]>();
  const all =
    root instanceof ShadowRoot
      ? root.querySelectorAll('label')
      : Document.prototype.querySelectorAll.call(document, 'label');
  for (const label of [...all].slice(0, most)) {
    if (!(label instanceof HTMLLabelElement) || !label.control) continue;
    const labels = found.get(label.control) ?? [];
    labels.push(label);
    found.set(label.control, labels);
  }
  return found;
}

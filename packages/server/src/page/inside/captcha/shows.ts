/** Whether something shows success: a ticked box, a state, a class that says so. */
import { attr, isShown, matches } from './dom.ts';
import type { Tree } from './tree.ts';

const says = /(^|[-_ ])(verified|success|solved|passed|completed?)([-_ ]|$)/i;

export function showsSuccess(tree: Tree, root: Element | undefined): boolean {
  if (!root) return false;
  const parts = [root, ...tree.findIn(root, '[aria-checked], [data-state], [class], input[type="checkbox"]')];
  return parts.some(
    (part) =>
      attr(part, 'aria-checked') === 'true' ||
      (matches(part, 'input[type="checkbox"]') && (part as HTMLInputElement).checked === true) ||
      ((says.test(attr(part, 'data-state')) || says.test(attr(part, 'class'))) && isShown(part)),
  );
}

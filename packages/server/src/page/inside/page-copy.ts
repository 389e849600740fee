/** The copy that a page is read from, of as much of the page as a reader should have. */
import { newBudget } from './budget.ts';
import { type CopyOptions, copyOf, isVeiled } from './copy.ts';
import type { Asked } from './inside.ts';
import { squeeze, theBody, theTitle } from './pristine.ts';

export interface Copied {
  page: Document;
  cut: boolean;
  /** Characters that are laid out but not painted, and were left out. */
  veiled: number;
}

type Copying = Pick<Asked, 'shadow' | 'ms'> & Pick<CopyOptions, 'frames'>;

function copyRoots(roots: Element[], copying: Copying, hidden: CopyOptions['hidden']): Copied {
  const { shadow, ms, frames } = copying;
  const page = document.implementation.createHTMLDocument('');
  page.title = theTitle(document);
  const budget = newBudget(ms / 2);
  let veiled = 0;
  for (const root of roots) {
    const into = root === theBody(document) ? page.body : page.body.appendChild(page.createElement('div'));
    veiled += copyOf(root, into, { budget, hidden, shadow, frames });
  }
  return { page, cut: budget.cut, veiled };
}

/** Pages that hide themselves, or most of themselves, until a script of theirs has run are read all the same. */
export function copyShown(roots: Element[], copying: Copying): Copied {
  const lengthOf = ({ page }: Copied) => squeeze(page.body.textContent).length;
  const body = theBody(document);
  const first = copyRoots(roots, copying, body && isVeiled(body) ? 'unveiled' : 'left out');
  const shown = first.veiled > lengthOf(first) ? copyRoots(roots, copying, 'unveiled') : first;
  const length = lengthOf(shown);
  if (length > 200) return shown;
  const all = copyRoots(roots, copying, 'read');
  return lengthOf(all) > length * 2 + 200 ? all : shown;
}

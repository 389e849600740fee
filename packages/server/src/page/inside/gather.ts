/**
 * The part of reading that only the page itself can do: what of it is shown is copied, and its lists and data are taken.
 * The text is made of the copy elsewhere, by `writer.ts`, which has done so before and is warm.
 */
import { packed } from './branches.ts';
import { embedded } from './embeds.ts';
import type { Asked, Gathered } from './inside.ts';
import { copyShown } from './page-copy.ts';
import { aboutPage, orNoSelector, partOf } from './page-facts.ts';
import { pdfHere } from './pdf-mark.ts';
import { allIn } from './pristine.ts';

/** A larger page takes longer than another page's reader should wait. */
const mostElements = 5000;
const mostChars = 300_000;

export function gather(asked: Asked): Gathered {
  const isLarge = document.getElementsByTagName('*').length > mostElements;
  if (isLarge || pdfHere() || allIn(embedded).length > 0) return { here: true };
  return orNoSelector(() => {
    const part = partOf(asked.selector);
    if (!part) return { nothing: true };
    if (part.plain) return { here: true };
    const { page, cut } = copyShown(part.roots, { ...asked, frames: new WeakMap() });
    const copy = { pageTitle: page.title, branches: packed(page.body) };
    if (copy.pageTitle.length + copy.branches.length > mostChars) return { here: true };
    return { ...aboutPage(part.roots, asked), kind: 'page', cut, ...copy };
  });
}

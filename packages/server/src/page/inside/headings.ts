/** Headings as Markdown can show them: one line of words, without what sites put beside them for their own use. */
import { squeeze } from './pristine.ts';

const blocks = 'p,div,ul,ol,dl,table,pre,blockquote,figure,section,article,h1,h2,h3,h4,h5,h6';
/** No heading that a person wrote is longer. */
const longest = 300;

/** Links that open an editor, with the brackets around them. */
export function removeEditLinks(root: Element): void {
  for (const part of root.querySelectorAll('[class*="editsection"],[class*="edit-section"]'))
    if (squeeze(part.textContent).length < 60 && part.querySelector('a')) part.remove();
  for (const link of root.querySelectorAll('h1 a,h2 a,h3 a,h4 a,h5 a,h6 a'))
    if (/[?&](?:ve)?action=edit(?:&|$)/.test(link.getAttribute('href') ?? '')) removeBracketed(link);
}

function removeBracketed(link: Element): void {
  const [before, after] = [link.previousSibling, link.nextSibling];
  if (before?.nodeType === 3 && after?.nodeType === 3) {
    const opened = /\[\s*$/.exec(before.nodeValue ?? '');
    const closed = /^\s*\]/.exec(after.nodeValue ?? '');
    if (opened && closed) {
      before.nodeValue = (before.nodeValue ?? '').slice(0, opened.index);
      after.nodeValue = (after.nodeValue ?? '').slice(closed[0].length);
    }
  }
  link.remove();
}

/** A heading that was never closed holds what follows it: only its first line is one. */
function split(heading: Element): void {
  if (squeeze(heading.textContent).length <= longest || !heading.querySelector(blocks)) return;
  const first = heading.cloneNode(false) as Element;
  for (let node = heading.firstChild; node && !isBlock(node); node = heading.firstChild) first.append(node);
  const rest = heading.ownerDocument.createElement('div');
  rest.append(...heading.childNodes);
  const next = squeeze(first.textContent) ? null : rest.querySelector('p,div');
  if (next && !next.querySelector(blocks) && squeeze(next.textContent).length <= longest)
    first.append(...next.childNodes);
  heading.replaceWith(first, rest);
}

const isBlock = (node: Node): boolean =>
  node instanceof Element && (node.matches(blocks) || node.querySelector(blocks) !== null);

/** Signs that link to the heading they stand in, and headings without words. */
export function tidyHeadings(root: Element): void {
  removeEditLinks(root);
  for (const heading of root.querySelectorAll('h1,h2,h3,h4,h5,h6')) split(heading);
  for (const heading of root.querySelectorAll('h1,h2,h3,h4,h5,h6')) {
    for (const link of heading.querySelectorAll('a'))
      if (/^[#¶§🔗\s]*$/u.test(link.textContent ?? '') && !link.querySelector('img')) link.remove();
    for (const link of heading.querySelectorAll('a'))
      if (/#[^/]*$/.test(link.getAttribute('href') ?? '')) link.replaceWith(...link.childNodes);
    for (const block of heading.querySelectorAll('div,p')) block.replaceWith(...block.childNodes, ' ');
    if (!squeeze(heading.textContent) && !heading.querySelector('img')) heading.remove();
  }
}

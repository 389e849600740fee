/** Puts what authors write in many ways into the one way that Markdown, text and HTML are made from. */
import { tidyHeadings } from './headings.ts';
import { squeeze } from './pristine.ts';
import { tidyTables } from './tables.ts';

const language =
  /(?:^|[\s_-])(?:lang(?:uage)?|highlight(?:-source|-text)?|brush:?|source|code)[-_:\s]\s*([a-z0-9+#]+)/i;

function languageOf(block: Element): string {
  for (const each of [
    block,
    block.querySelector('code'),
    block.parentElement,
    block.parentElement?.parentElement,
  ]) {
    const said = each?.getAttribute('data-lang') ?? each?.getAttribute('data-language');
    if (said) return said;
    const named = language.exec(each?.className ?? '')?.[1];
    if (named && !/^(?:highlight|block|wrapper|none|plaintext|text|auto)$/i.test(named))
      return named.toLowerCase();
  }
  return '';
}

/** The text of a block of code: numbers of lines and buttons to copy gone, a line for each element that is one. */
function tidyCode(root: Element): void {
  for (const table of root.querySelectorAll('table:has(pre)')) {
    const code = [...table.querySelectorAll('pre')].filter((pre) => !/^[\s\d]*$/.test(pre.textContent ?? ''));
    if (code.length === 1 && table.querySelectorAll('tr').length === 1) table.replaceWith(...code);
  }
  for (const pre of root.querySelectorAll('pre')) {
    const said = languageOf(pre);
    for (const extra of pre.querySelectorAll(
      'button,[class*="line-number"],[class*="linenum"],.lineno,.gutter',
    ))
      extra.remove();
    for (const br of pre.querySelectorAll('br')) br.replaceWith('\n');
    for (const line of pre.querySelectorAll('div,li,p'))
      if (!(line.textContent ?? '').endsWith('\n')) line.append('\n');
    const code = root.ownerDocument.createElement('code');
    code.textContent = (pre.textContent ?? '').replace(/^\n+|\s+$/g, '');
    if (said) code.className = `language-${said}`;
    pre.replaceChildren(code);
  }
}

function tidyLinks(root: Element): void {
  for (const link of root.querySelectorAll('a')) {
    if (!squeeze(link.textContent) && !link.querySelector('img')) link.remove();
    else if (!link.getAttribute('href')) link.replaceWith(...link.childNodes);
    // A card that is a link as a whole: Markdown knows links within a line only.
    else if (link.querySelector('h1,h2,h3,h4,h5,h6,p,div,ul,table')) moveInside(link);
  }
}

function moveInside(link: Element): void {
  const target = link.querySelector('h1,h2,h3,h4,h5,h6') ?? link.querySelector('p,div');
  const words = target && squeeze(target.textContent) ? target : null;
  if (!words) return;
  const inner = link.cloneNode(false) as Element;
  let deepest = words;
  for (
    let next = deepest.firstElementChild;
    next && deepest.children.length === 1 && squeeze(next.textContent) === squeeze(deepest.textContent);
    next = deepest.firstElementChild
  )
    deepest = next;
  inner.textContent = squeeze(deepest.textContent);
  deepest.replaceChildren(inner);
  const box = link.ownerDocument.createElement('div');
  box.append(...link.childNodes);
  link.replaceWith(box);
}

/** Every item carries its number, so that the writers need not count again. */
function number(list: Element): void {
  let next = Number.parseInt(list.getAttribute('start') ?? '1', 10) || 1;
  for (const item of list.children) {
    const own = Number.parseInt(item.getAttribute('value') ?? '', 10);
    if (own) next = own;
    item.setAttribute('value', String(next++));
  }
}

function tidyLists(root: Element): void {
  for (const term of root.querySelectorAll('dt')) {
    const line = root.ownerDocument.createElement('p');
    const strong = root.ownerDocument.createElement('strong');
    strong.textContent = squeeze(term.textContent);
    if (term.querySelector('a,code,img')) line.append(...term.childNodes);
    else line.append(strong);
    term.replaceWith(line);
  }
  for (const said of [...root.querySelectorAll('dd')].reverse()) {
    const block = root.ownerDocument.createElement('div');
    block.append(...said.childNodes);
    said.replaceWith(block);
  }
  // A list directly in a list belongs to the item before it.
  for (const list of root.querySelectorAll(':is(ul,ol) > :is(ul,ol)')) {
    const before = list.previousElementSibling;
    if (before?.tagName === 'LI') before.append(list);
  }
  for (const list of root.querySelectorAll('ol')) number(list);
  for (const item of root.querySelectorAll('li'))
    if (!squeeze(item.textContent) && !item.querySelector('img')) item.remove();
}

function tidyDetails(root: Element): void {
  for (const summary of root.querySelectorAll('summary')) {
    if (summary.querySelector('h1,h2,h3,h4,h5,h6')) continue;
    const line = root.ownerDocument.createElement('p');
    const strong = root.ownerDocument.createElement('strong');
    strong.append(...summary.childNodes);
    line.append(strong);
    summary.replaceWith(line);
  }
}

/** A heading that repeats the title of the page, which the answer has already. */
function dropTitle(root: Element, title: string): void {
  const first = root.querySelector('h1,h2');
  const plain = (text: string) => squeeze(text).toLowerCase();
  if (first && plain(first.textContent ?? '') === plain(title)) first.remove();
}

const citation =
  'sup > a[href*="#"],a[role=doc-noteref],a[rel~=footnote],sup.noprint,a.footnote-ref,a[href*="#cite_note"],a[href*="#cite_ref"]';

/** Signs in the text that lead to a note or a source, and those in the note that lead back. */
function removeCitations(root: Element): void {
  for (const sign of root.querySelectorAll(citation)) {
    if (squeeze(sign.textContent).length > 40) continue;
    const around = sign.closest('sup');
    if (around && squeeze(around.textContent).length <= 40) around.remove();
    else sign.remove();
  }
}

export interface Tidying {
  /** Of the page, to be left out as a heading. */
  title?: string;
  citations: boolean;
}

export function tidy(root: Element, { title, citations }: Tidying): void {
  if (!citations) removeCitations(root);
  tidyCode(root);
  tidyTables(root);
  tidyHeadings(root);
  tidyLists(root);
  tidyDetails(root);
  tidyLinks(root);
  if (title) dropTitle(root, title);
}

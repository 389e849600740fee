/** The program that reads a page, from its document to what the service asked for. */
import { newBudget } from './budget.ts';
import { type CopyOptions, copyOf, isVeiled } from './copy.ts';
import { embedded, isEmbed } from './embeds.ts';
import { BadSelector, extract, outermost, select } from './extract.ts';
import { formsOf, headingsOf, imagesOf, linksOf, tablesOf } from './extras.ts';
import { htmlOf } from './html.ts';
import type { Asked, Extras, Found, Reading } from './inside.ts';
import { mainContent } from './main-content.ts';
import { markdownOf } from './markdown.ts';
import { descriptionOf, metadataOf } from './metadata.ts';
import { pdfHere } from './pdf-mark.ts';
import { plainDocument } from './plain-document.ts';
import { allIn, squeeze, textOf, theBody, theRoot, theTitle } from './pristine.ts';
import { textOfTree } from './text.ts';
import { tidy } from './tidy.ts';

const frames = new WeakMap<Element, string>();
/** Whether the frame that this element shows is read with the page, all frames or not. */
export const isPart = (element: Element): boolean => isEmbed(element);

/** Called from outside before the page around a frame is read. */
export const setFrame = (element: Element, html: string): void => void frames.set(element, html);

interface Copied {
  page: Document;
  cut: boolean;
  /** Characters that are laid out but not painted, and were left out. */
  veiled: number;
}

function copyRoots(
  roots: Element[],
  asked: Pick<Asked, 'shadow' | 'ms'>,
  hidden: CopyOptions['hidden'],
): Copied {
  const page = document.implementation.createHTMLDocument('');
  page.title = theTitle(document);
  const budget = newBudget(asked.ms / 2);
  let veiled = 0;
  for (const root of roots) {
    const into = root === theBody(document) ? page.body : page.body.appendChild(page.createElement('div'));
    veiled += copyOf(root, into, { budget, hidden, shadow: asked.shadow, frames });
  }
  return { page, cut: budget.cut, veiled };
}

/** Pages that hide themselves, or most of themselves, until a script of theirs has run are read all the same. */
function copyShown(roots: Element[], asked: Pick<Asked, 'shadow' | 'ms'>): Copied {
  const lengthOf = ({ page }: Copied) => squeeze(page.body.textContent).length;
  const body = theBody(document);
  const first = copyRoots(roots, asked, body && isVeiled(body) ? 'unveiled' : 'left out');
  const shown = first.veiled > lengthOf(first) ? copyRoots(roots, asked, 'unveiled') : first;
  const length = lengthOf(shown);
  if (length > 200) return shown;
  const all = copyRoots(roots, asked, 'read');
  return lengthOf(all) > length * 2 + 200 ? all : shown;
}

const writers = { markdown: markdownOf, html: htmlOf, text: textOfTree };

function write(roots: Element[], asked: Asked): { whole: string; cut: boolean } {
  const { page, cut } = copyShown(roots, asked);
  const pdf = pdfHere();
  const reader = asked.mainContent && asked.selector === undefined && !pdf;
  const content = reader ? mainContent(page) : page.body;
  tidy(content, { title: reader ? titleOf() : undefined, citations: asked.citations });
  return { whole: writers[asked.form](content), cut: cut || pdf?.cut === true };
}

const titleOf = (): string => squeeze(theTitle(document)).slice(0, 2000);

/** Never half a character. */
function cutAt(whole: string, from: number, most: number): { content: string; next?: number } {
  const half = (at: number) =>
    at > 0 &&
    at < whole.length &&
    /[\udc00-\udfff]/.test(whole[at] ?? '') &&
    /[\ud800-\udbff]/.test(whole[at - 1] ?? '');
  const start = half(from) ? from - 1 : from;
  const end = Math.min(start + most, whole.length);
  const stop = half(end) ? Math.max(end - 1, start + 2) : end;
  return { content: whole.slice(start, stop), ...(stop < whole.length && { next: stop }) };
}

function extrasOf(roots: Element[], include: Asked['include']): Extras {
  const wants = (name: Asked['include'][number]) => include.includes(name);
  return {
    ...(wants('links') && { links: linksOf(roots) }),
    ...(wants('headings') && { headings: headingsOf(roots) }),
    ...(wants('forms') && { forms: formsOf(roots) }),
    ...(wants('images') && { images: imagesOf(roots) }),
    ...(wants('tables') && { tables: tablesOf(roots) }),
    ...(wants('metadata') && { metadata: metadataOf() }),
  };
}

function read(asked: Asked): Found | { nothing: true } {
  const plain = asked.selector === undefined ? plainDocument() : undefined;
  const body = theBody(document) ?? theRoot(document);
  const whole = body ? [body] : [];
  const roots =
    asked.selector === undefined ? whole : outermost(select(asked.selector, ['selector']), asked.selector);
  if (asked.selector !== undefined && roots.length === 0) return { nothing: true };
  const data = asked.extract && extract(asked.extract);
  const written = plain ? { whole: plain.text, cut: false } : write(roots, asked);
  const { content, next } = cutAt(written.whole, asked.from, asked.most);
  return {
    title: titleOf(),
    description: descriptionOf(),
    kind: plain?.kind ?? 'page',
    content,
    chars: written.whole.length,
    cut: written.cut,
    next,
    url: location.href,
    statusCode: (performance.getEntriesByType('navigation')[0] as { responseStatus?: number } | undefined)
      ?.responseStatus,
    extras: extrasOf(roots, asked.include),
    data,
    facts: metadataOf(),
  };
}

export function scrape(asked: Asked): Reading {
  if (!asked.framesRead && allIn(embedded).length > 0) return { framesFirst: true };
  try {
    return read(asked);
  } catch (error) {
    if (error instanceof BadSelector) return { badSelector: { path: error.path, selector: error.selector } };
    throw error;
  }
}

/** The text alone; null where nothing matches, or the selector is none. */
export function content(asked: Asked): { text: string; cut: boolean } | null {
  const reading = scrape(asked);
  return 'content' in reading ? { text: reading.content, cut: reading.cut } : null;
}

/** A frame's part of the page around it. */
export function frameHtml(shadow: boolean, ms: number): string {
  const body = theBody(document);
  // Without a style there is no box: the frame itself is not shown.
  if (!body || !getComputedStyle(body).display) return '';
  const { page } = copyShown([body], { shadow, ms });
  return textOf(page.body)?.trim() ? page.body.innerHTML : '';
}

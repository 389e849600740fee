/** Which part of a document is read, and what is said of it besides its text. */
import { BadSelector, extract, outermost, select } from './extract.ts';
import { formsOf, headingsOf, imagesOf, linksOf, tablesOf } from './extras.ts';
import type { About, Asked, Extras, NoSelector } from './inside.ts';
import { descriptionOf, metadataOf } from './metadata.ts';
import { type PlainDocument, plainDocument } from './plain-document.ts';
import { squeeze, theBody, theRoot, theTitle } from './pristine.ts';

export interface Part {
  roots: Element[];
  /** It is no page. */
  plain?: PlainDocument;
}

/** Undefined: nothing matches the selector. */
export function partOf(selector: string | undefined): Part | undefined {
  if (selector !== undefined) {
    const roots = outermost(select(selector, ['selector']), selector);
    return roots.length > 0 ? { roots } : undefined;
  }
  const body = theBody(document) ?? theRoot(document);
  return { roots: body ? [body] : [], plain: plainDocument() };
}

export const titleOf = (): string => squeeze(theTitle(document)).slice(0, 2000);

export const aboutPage = (roots: Element[], asked: Asked): About => ({
  title: titleOf(),
  description: descriptionOf(),
  url: location.href,
  statusCode: (performance.getEntriesByType('navigation')[0] as { responseStatus?: number } | undefined)
    ?.responseStatus,
  extras: extrasOf(roots, asked.include),
  data: asked.extract && extract(asked.extract),
  facts: metadataOf(),
});

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

/** What was read, or which selector of the caller is none. */
export function orNoSelector<T>(read: () => T): T | NoSelector {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadSelector) return { badSelector: { path: error.path, selector: error.selector } };
    throw error;
  }
}

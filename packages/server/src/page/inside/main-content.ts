/** Which part of a page is what a reader came for. */
import { forgetNames, removeAsides } from './asides.ts';
import { removeBoilerplate, removeConsent, trimArticle } from './boilerplate.ts';
import { removeEditLinks } from './headings.ts';
import { Measures } from './measure.ts';

declare const Readability: new (
  page: Document,
  options: object,
) => { parse(): { content: HTMLElement; byline?: string | null } | null };

/**
 * The part of a page that a reader came for.
 *
 *   copy ──> Readability ──> article? ──yes──> trimmed
 *     └────> page without what stands around ──no──┘
 *
 * Readability finds articles and nothing else: of a start page, a listing or a reference it returns one column or
 * nothing. So its find is held against the whole page cleaned by plainer rules, and given up when it misses most of it.
 */
const mostElements = 30_000;
const mostText = 1_000_000;

const lines = 'p,li,td,dd,pre,blockquote,div';

interface Text {
  all: number;
  /** In sentences, outside links: what a page says, as opposed to where it leads. */
  prose: number;
}

function textIn(root: Element): Text {
  const measures = new Measures(root);
  const outer = new Set<Element>();
  let prose = 0;
  for (const line of [...root.querySelectorAll(lines)].reverse()) {
    const above = line.parentElement?.closest(lines);
    if (above) outer.add(above);
    const { text } = measures.of(line);
    if (!outer.has(line) && text >= 80 && measures.density(line) < 0.35) prose += text;
  }
  return { all: measures.of(root).text, prose };
}

function article(page: Document): Element | undefined {
  if (page.querySelectorAll('*').length > mostElements) return undefined;
  if ((page.body.textContent?.length ?? 0) > mostText) return undefined;
  const copy = page.cloneNode(true) as Document;
  for (const heading of copy.querySelectorAll('h1')) heading.setAttribute(firstLevel, '');
  try {
    const found = new Readability(copy, {
      keepClasses: true,
      disableJSONLD: true,
      serializer: (element: Element) => element,
    }).parse();
    if (found) restoreHeadings(found.content);
    return found?.content;
  } catch {
    return undefined;
  }
}

/** Readability makes every `h1` an `h2`, as if the title were always its own. */
const firstLevel = 'data-first-level';

function restoreHeadings(found: Element): void {
  for (const heading of found.querySelectorAll(`h2[${firstLevel}]`)) {
    const first = found.ownerDocument.createElement('h1');
    first.append(...heading.childNodes);
    heading.replaceWith(first);
  }
}

/** `main`, or the one article, when most of the page is in it. */
function heart(body: Element): Element {
  const measures = new Measures(body);
  for (const selector of ['main', '[role=main]', 'article', '#main', '#content', '.content']) {
    const found = body.querySelectorAll(selector);
    const only = found[0];
    if (found.length === 1 && only && measures.of(only).text > measures.of(body).text * 0.5) return only;
  }
  return body;
}

const isSolid = ({ all, prose }: Text): boolean => prose >= 500 && prose > all * 0.6;

/** An article is sentences for the most part; a list of teasers, a form or an index is not. */
function missesMost(found: Text, rest: Text): boolean {
  if (found.all < 250) return rest.all > found.all * 1.5;
  if (isSolid(found)) return found.prose < rest.prose * 0.3;
  if (found.prose < rest.prose * 0.5) return true;
  return found.prose < 200 && found.all < rest.all * 0.5;
}

export function mainContent(page: Document): Element {
  removeConsent(page.body);
  // Beside a link even a heading looks like a menu.
  removeEditLinks(page.body);
  forgetNames(page.body);
  const found = article(page);
  removeBoilerplate(page.body);
  const rest = heart(page.body);
  const chosen = found && !missesMost(textIn(found), textIn(rest)) ? found : rest;
  if (chosen === found) trimArticle(found);
  if (isSolid(textIn(chosen))) removeAsides(chosen);
  return chosen;
}

import { linkDensity, removeBoilerplate, removeConsent, textLength, trimArticle } from './boilerplate.ts';

declare const Readability: new (
  page: Document,
  options: object,
) => { parse(): { content: HTMLElement; byline?: string | null } | null };

/**
 * The part of a page one came to read.
 *
 *   copy ──> Readability ──> article? ──yes──> trimmed
 *     └────> page without what stands around ──no──┘
 *
 * Readability finds articles and nothing else: of a start page, a listing or a reference it returns one column or
 * nothing. So its find is held against the whole page cleaned by plainer rules, and given up when it misses most of it.
 */
const mostElements = 60_000;

/** Text in sentences, outside links: what a page says, as opposed to where it leads. */
function prose(root: Element): number {
  let sum = 0;
  for (const block of root.querySelectorAll('p,li,td,dd,pre,blockquote,div')) {
    if (block.querySelector('p,li,td,dd,pre,blockquote,div')) continue;
    const length = textLength(block);
    if (length >= 80 && linkDensity(block) < 0.35) sum += length;
  }
  return sum;
}

function article(page: Document): Element | undefined {
  if (page.querySelectorAll('*').length > mostElements) return undefined;
  const copy = page.cloneNode(true) as Document;
  try {
    const found = new Readability(copy, {
      keepClasses: true,
      disableJSONLD: true,
      serializer: (element: Element) => element,
    }).parse();
    return found?.content;
  } catch {
    return undefined;
  }
}

/** `main`, or the one article, when most of the page is in it. */
function heart(body: Element): Element {
  const whole = textLength(body);
  for (const selector of ['main', '[role=main]', 'article', '#main', '#content', '.content']) {
    const found = body.querySelectorAll(selector);
    const only = found[0];
    if (found.length === 1 && only && textLength(only) > whole * 0.5) return only;
  }
  return body;
}

function missesMost(found: Element, rest: Element): boolean {
  const [foundProse, restProse] = [prose(found), prose(rest)];
  const [foundText, restText] = [textLength(found), textLength(rest)];
  if (foundText < 250) return restText > foundText * 1.5;
  if (restProse > 1000 && foundProse < restProse * 0.4) return true;
  return restProse < 1000 && foundText < restText * 0.4;
}

export function mainContent(page: Document): Element {
  removeConsent(page.body);
  const found = article(page);
  removeBoilerplate(page.body);
  const rest = heart(page.body);
  if (!found || missesMost(found, rest)) return rest;
  trimArticle(found);
  return found;
}

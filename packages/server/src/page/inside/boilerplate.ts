/**
 * What stands around the content of nearly every page. Told by what the page says it is (element, role), by the names
 * its authors gave it, and by what it is made of: short links in a row are a menu, sentences are not.
 */
const landmarks =
  'nav,aside,[role=navigation],[role=banner],[role=contentinfo],[role=complementary],[role=search],[role=menu],[role=menubar],[role=toolbar],[role=tablist],[role=dialog],[role=alertdialog],[aria-modal=true],button,[role=button]';
/** Of the page, unless they belong to an article in it. */
const frame = 'header,footer';
const consent =
  /(?:^|[-_ ])(?:cookie|consent|gdpr|ccpa|onetrust|cookiebot|didomi|truste|usercentrics|cc-window|sp_message)/i;
const names =
  /(?:^|[-_ ])(?:breadcrumbs?|pagination|pager|paginator|share|sharing|sharedaddy|social|socials|newsletter|subscribe|subscription|signup|promo|promos|promotion|advert|adverts|advertisement|ads?|adsense|sponsor|sponsored|related|recommended|recommendations|outbrain|taboola|trending|popular|most-read|sidebar|side-bar|rail|skip-link|skip-nav|skiplink|masthead|navbar|nav|menu|submenu|topbar|toolbar|comments?|disqus|respond|login|search-form|searchbox|site-header|site-footer|page-footer|footer|colophon|copyright|widget|toc-toggle|edit-?section|print|paywall|modal|popup|tooltip|visually-hidden|sr-only|screen-reader-text|byline-share|tags|tag-list|author-bio)(?:$|[-_ ])/i;

export const textLength = (node: Node): number => (node.textContent ?? '').replace(/\s+/g, ' ').trim().length;

export function linkDensity(element: Element): number {
  const all = textLength(element);
  let linked = 0;
  for (const link of element.querySelectorAll('a')) linked += textLength(link);
  return all === 0 ? 0 : linked / all;
}

const namesOf = (element: Element): string => `${element.className} ${element.id}`;

/** Banners that ask for consent go before anything is judged: their text is long and fluent. */
export function removeConsent(body: Element): void {
  const most = textLength(body) * 0.3;
  for (const element of body.querySelectorAll('div,section,aside,form,dialog'))
    if (element.isConnected && consent.test(namesOf(element)) && textLength(element) < Math.max(most, 400))
      element.remove();
}

/** A list of links with a word or two each. */
function isMenu(list: Element): boolean {
  const links = list.querySelectorAll('a');
  if (links.length < 3 || linkDensity(list) < 0.75) return false;
  return textLength(list) / links.length < 28;
}

/** Removes it unless it holds so much of the page that the name must mean something else. */
function removeAround(body: Element, elements: Iterable<Element>, share: number): void {
  const most = textLength(body) * share;
  for (const element of elements) if (element.isConnected && textLength(element) < most) element.remove();
}

export function removeBoilerplate(body: Element): void {
  removeAround(body, body.querySelectorAll(landmarks), 0.5);
  const outer = [...body.querySelectorAll(frame)].filter(
    (each) => !each.closest('article,main,[role=main],section,blockquote'),
  );
  removeAround(body, outer, 0.5);
  const named = [...body.querySelectorAll('div,section,ul,ol,p,span,table,li,footer,header')].filter(
    (each) => names.test(namesOf(each)) && !each.closest('pre,code,table td'),
  );
  removeAround(body, named, 0.25);
  const menus = [...body.querySelectorAll('ul,ol,dl,table,p,div')].filter(
    (each) => !each.closest('p ul,td') && isMenu(each),
  );
  removeAround(body, menus, 0.3);
}

const lastWords =
  /^(?:advertisement|advertisements|sponsored|share(?: this)?(?: article| story| post)?|related(?: articles| stories| posts| content| links)?|read more|more stories|you (?:may|might) also like|recommended(?: for you)?|see also:?|comments?|leave a (?:comment|reply)|follow us.*|tags?:?|topics?:?|loading\.*|sign up.*newsletter.*|most (?:read|popular)|trending(?: now)?)$/i;

/** What reader modes leave in: bars to share, lists of other articles, the headings over them. */
export function trimArticle(article: Element): void {
  const whole = textLength(article);
  const small = whole * 0.15;
  const named = [
    ...article.querySelectorAll('div,section,ul,ol,p,table,aside,nav,footer,figure > div'),
  ].filter((each) => names.test(namesOf(each)));
  for (const each of named) {
    const length = textLength(each);
    if (each.isConnected && length < small && (linkDensity(each) > 0.4 || length < 120)) each.remove();
  }
  for (const block of [...article.querySelectorAll('p,div,h2,h3,h4,h5,h6,li,span')].reverse()) {
    if (!block.isConnected || block.children.length > 3) continue;
    const text = (block.textContent ?? '').trim();
    if (text.length > 60 || !lastWords.test(text)) continue;
    const next = block.nextElementSibling;
    if (next?.matches('ul,ol,div') && linkDensity(next) > 0.6 && textLength(next) < small) next.remove();
    if (!next || /^H[2-6]$/.test(block.tagName) === false || !next.isConnected) block.remove();
  }
}

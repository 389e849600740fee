/**
 * What stands around the content of nearly every page. Recognised by what the page says it is (element, role), by the names
 * its authors gave it, and by what it is made of: short links in a row are a menu, sentences are not.
 */
import { Measures } from './measure.ts';

const landmarks =
  'nav,aside,[role=navigation],[role=banner],[role=contentinfo],[role=complementary],[role=search],[role=menu],[role=menubar],[role=toolbar],[role=tablist],[role=dialog],[role=alertdialog],[aria-modal=true],button,[role=button]';
/** Of the page, unless they belong to an article in it. */
const frame = 'header,footer';
const consent =
  /(?:^|[-_ ])(?:cookie|consent|gdpr|ccpa|onetrust|cookiebot|didomi|truste|usercentrics|cc-window|sp_message)/i;
const names =
  /(?:^|[-_ ])(?:breadcrumbs?|pagination|pager|paginator|share|sharing|sharedaddy|social|socials|newsletter|subscribe|subscription|signup|promo|promos|promotion|advert|adverts|advertisement|ads?|adsense|sponsor|sponsored|related|recommended|recommendations|outbrain|taboola|trending|popular|most-read|sidebar|side-bar|rail|skip-link|skip-nav|skiplink|masthead|navbar|nav|menu|submenu|topbar|toolbar|comments?|disqus|respond|login|search-form|searchbox|site-header|site-footer|page-footer|footer|colophon|copyright|widget|toc-toggle|edit-?section|print|paywall|modal|popup|tooltip|visually-hidden|sr-only|screen-reader-text|byline-share|tags|tag-list|author-bio|see-also|further[-_]reading|read-?next|share-tools|utility-bar|article-meta|article-tools|story-tools|storytimestamp|timestamp|interstitial|interstitial-link)(?:$|[-_ ])/i;

const namesOf = (element: Element): string => `${element.className} ${element.id}`;

/** Banners that ask for consent go before anything is judged: their text is long and fluent. */
export function removeConsent(body: Element): void {
  const found = [...body.querySelectorAll('div,section,aside,form')].filter((each) =>
    consent.test(namesOf(each)),
  );
  if (found.length > 0) new Remover(body).remove(found, 0.3, 400);
}

class Remover {
  readonly #measures: Measures;
  readonly #whole: number;

  constructor(body: Element) {
    this.#measures = new Measures(body);
    this.#whole = this.#measures.of(body).text;
  }

  /** Unless it holds so much of the page that its name must mean something else. */
  remove(elements: Iterable<Element>, share: number, least = 0): void {
    const most = Math.max(this.#whole * share, least);
    for (const element of elements)
      if (element.isConnected && this.#measures.of(element).text < most) element.remove();
  }

  /** Links with a word or two each. */
  isMenu(element: Element): boolean {
    const { text, links } = this.#measures.of(element);
    return links >= 3 && this.#measures.density(element) >= 0.75 && text / links < 28;
  }
}

export function removeBoilerplate(body: Element): void {
  const remover = new Remover(body);
  remover.remove(body.querySelectorAll(landmarks), 0.5);
  const outer = [...body.querySelectorAll(frame)].filter(
    (each) => !each.closest('article,main,[role=main],section,blockquote'),
  );
  remover.remove(outer, 0.5);
  const named = [...body.querySelectorAll('div,section,ul,ol,p,span,table,li,footer,header')].filter(
    (each) => names.test(namesOf(each)) && !each.closest('pre,code,td'),
  );
  remover.remove(named, 0.25);
  const menus = [...body.querySelectorAll('ul,ol,dl,table,p,div')].filter(
    (each) => remover.isMenu(each) && !each.closest('td'),
  );
  remover.remove(menus, 0.3);
}

const lastWords =
  /^(?:advertisement|advertisements|sponsored|share(?: this)?(?: article| story| post)?|related(?: articles| stories| posts| content| links)?|read more|more stories|you (?:may|might) also like|recommended(?: for you)?|comments?|leave a (?:comment|reply)|follow us.*|tags?:?|topics?:?|loading\.*|sign up.*newsletter.*|most (?:read|popular)|trending(?: now)?)$/i;

/** What reader modes leave in: bars to share, lists of other articles, the headings over them. */
export function trimArticle(article: Element): void {
  const measures = new Measures(article);
  const small = measures.of(article).text * 0.15;
  for (const each of article.querySelectorAll('div,section,ul,ol,p,table,aside,nav,footer')) {
    if (!names.test(namesOf(each))) continue;
    const { text } = measures.of(each);
    if (text < small && (measures.density(each) > 0.4 || text < 120)) each.remove();
  }
  for (const block of [...article.querySelectorAll('p,div,h2,h3,h4,h5,h6,li,span')].reverse()) {
    if (!article.contains(block) || measures.of(block).text > 60) continue;
    if (lastWords.test((block.textContent ?? '').trim())) removeLabel(block, measures, small);
  }
}

/** A heading stays over what is more than links. */
function removeLabel(block: Element, measures: Measures, small: number): void {
  const next = block.nextElementSibling;
  const listed = next?.matches('ul,ol,div') && measures.density(next) > 0.6 && measures.of(next).text < small;
  if (listed) next?.remove();
  if (listed || !next || !block.matches('h2,h3,h4,h5,h6')) block.remove();
}

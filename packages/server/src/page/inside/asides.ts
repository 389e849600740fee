/**
 * What stands in an article without being its text: captions and galleries, the line of the date, the box about the
 * author, invitations to subscribe or follow, links to other articles. Each is known by what it says or is made of
 * together with where it stands or how short it is; a class name alone never decides, because books have sidebars too.
 */
import { Measures } from './measure.ts';
import { squeeze } from './pristine.ts';

const blocks =
  'p,div,ul,ol,dl,table,pre,blockquote,figure,section,article,aside,header,footer,h1,h2,h3,h4,h5,h6,li,dd,dt,td';
const never = 'pre,code,table,dl';

const namesOf = (element: Element): string => `${element.getAttribute('class') ?? ''} ${element.id}`;
const wordsOf = (element: Element): string => squeeze(element.textContent);

/** The blocks that hold words themselves, in order. */
const leaves = (root: Element): Element[] =>
  [
    ...root.querySelectorAll('p,div,li,h2,h3,h4,h5,h6,blockquote,figcaption,footer,aside,section,center'),
  ].filter((each) => !each.querySelector(blocks) && !each.closest(never) && wordsOf(each) !== '');

const pictured =
  /(?:^|[-_ ])(?:image|images|photo|photos|picture|img|media|hmedia|caption|captioned|figure|thumb\w*|slideshow|gallery|lightbox|credit)(?:$|[-_ \d])/i;
const longestCaption = 350;

/** A picture without the words under it. Where those are much of the page they are what it says. */
function removeCaptions(article: Element): void {
  const measures = new Measures(article);
  const captions = [...article.querySelectorAll<Element>('figcaption')].filter(
    (each) => !each.closest('figure')?.querySelector('table,pre,code,blockquote,math'),
  );
  for (const box of article.querySelectorAll('div,p,span,aside,section,li,dl')) {
    if (!pictured.test(namesOf(box)) || box.closest(never) || box.querySelector('blockquote,h1,h2,table,pre'))
      continue;
    const beside = box.querySelector('img') ?? box.parentElement?.querySelector('img');
    const short = measures.of(box).text < longestCaption;
    if (short && (beside || measures.of(box).text < 60)) captions.push(box);
  }
  const outer = captions.filter((each) => !captions.some((other) => other !== each && other.contains(each)));
  const all = outer.reduce((sum, each) => sum + measures.of(each).text, 0);
  if (all > measures.of(article).text * 0.3) return;
  for (const each of outer) each.replaceWith(...each.querySelectorAll('img'));
}

/** With a colon, or as all there is to say. */
const elsewhere =
  /^[[(*\s]*(?:see also|(?:read|watch|listen)(?: also| more| next| this)?|also read|related(?: \w+)?|more (?:from|on|in|about) [^:]{1,50}|further reading|recommended(?: for you)?|don[’']t miss|you (?:may|might) also like|must read|[aà] lire(?: aussi)?|lire aussi|sur le même sujet|lea también|lee también|mehr zum thema|lesen sie auch|leggi anche|lees ook|video|photos|gallery|source|via|topics?|tags?)\s*(?::|»|$)/i;
const invitation =
  /^(?:sign up (?:for|to|now|here|today)|sign in (?:now|with|to)|subscribe (?:to|now|today|here)|get .{0,60}(?:newsletter|inbox|alerts)|(?:please )?follow (?:us|me|@)|(?:please )?follow .{2,60} on (?:twitter|facebook|instagram|x)\b|get .{0,40} on twitter|(?:join|like) us on|like .{2,30} on facebook|be the first to know|know something we don|have a tip|read or share this|you[’']re all set|you[’']ll receive free|enter your e?-?mail|we[’']ll e-?mail you|devenez fan|suivez[- ]nous|abonnez-vous|s[ií]guenos|folgen sie|add (?:videos|your comment)|be first to contribute|please wait|verifying your|now playing|close video|sponsored by|advertisement\b|publicité$|click here to (?:subscribe|sign up|download))/i;
const notice = /^(?:©|\(c\) ?\d{4}|copyright\b|all rights reserved)/i;
const dated =
  /^(?:(?:first |last |originally )?(?:published|updated|posted|modified|created)\b.{0,60}\d|(?:\w+ )?\(?[\w ]{0,20}\)? ?first published .{0,40}\d{4}|(?:mon|tues|wednes|thurs|fri|satur|sun)day,? .{3,30}\d{4}.{0,25}$|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|sept|oct|nov|dec)[a-z]*\.? \d{1,2},? \d{4}(?:[ ,|at]+\d.{0,20})?$)/i;
const enlarge =
  /^\[?\+?\]?\s*(?:enlarge|zoom|view (?:larger|gallery|slideshow|photos)|play video|next|previous|advertisement)\s*$/i;
const written =
  /^(?:about the author|\p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]*){1,3},? (?:is|was|covers|writes|reports|currently works|works|has been)\b)/u;

function isElsewhere(block: Element, text: string, measures: Measures): boolean {
  if (text.length > 220) return false;
  if (elsewhere.test(text)) return measures.density(block) > 0.4 || text.length < 30;
  // A line that is one link in brackets.
  return /^[[(].*[\])]$/.test(text) && measures.density(block) > 0.8;
}

function removeLines(article: Element): void {
  const measures = new Measures(article);
  const all = leaves(article);
  const whole = measures.of(article).text;
  let before = 0;
  for (const block of all) {
    const text = wordsOf(block);
    const edge = before < Math.max(whole * 0.1, 300) || before > whole * 0.85;
    before += measures.of(block).text;
    const isHeading = /^H\d$/.test(block.tagName);
    const lists = isHeading && block.nextElementSibling?.matches('p,ul,ol,div,table');
    if (
      isElsewhere(block, text, measures) ||
      (text.length < 200 && invitation.test(text) && !lists) ||
      (text.length < 160 && notice.test(text) && edge) ||
      (text.length < 110 && dated.test(text) && edge) ||
      (text.length < 30 && enlarge.test(text))
    )
      if (!lists) block.remove();
  }
}

const aboutAuthor = /(?:^|[-_ ])(?:author|authors|byline|bio|contributor|contributors|profile)(?:$|[-_ ])/i;

/** At the end, in italics or with links to where the author is found; or a box that is called so, at either end. */
function removeAuthors(article: Element): void {
  const measures = new Measures(article);
  const whole = measures.of(article).text;
  const last = leaves(article).slice(-6);
  for (const block of last) {
    const text = wordsOf(block);
    if (text.length > 600 || text.length > whole * 0.2 || !written.test(text)) continue;
    const said = block.querySelector('em,i') ? wordsOf(block.querySelector('em,i') as Element).length : 0;
    if (measures.density(block) > 0.1 || said > text.length * 0.8 || /@|e-?mail|twitter/i.test(text))
      block.remove();
  }
  for (const box of article.querySelectorAll('div,section,aside,p,footer,header,ul,li,span')) {
    if (!article.contains(box) || !aboutAuthor.test(namesOf(box)) || box.closest(never)) continue;
    const { text } = measures.of(box);
    if (text > Math.min(700, whole * 0.15) || box.querySelector('h1,h2,blockquote')) continue;
    box.remove();
  }
}

const tool =
  /^(?:print|e-?mail|share|tweet|recommend|facebook|twitter|linkedin|google\+?|reddit|whatsapp|pinterest|pin it|digg|delicious|stumbleupon|tumblr|flipboard|copy link|link|save|like|comments?(?: \(?\d+\)?)?|\d+|more|text size|a|zoom|rss|feed|buzz|mixx|connect|post|subscribe)$/i;

/** Rows of buttons, and lists of nothing but links at the end or under a label. */
function removeLists(article: Element): void {
  const measures = new Measures(article);
  const whole = measures.of(article).text;
  for (const list of article.querySelectorAll('ul,ol')) {
    if (!article.contains(list) || list.closest(never)) continue;
    const items = [...list.children].map(wordsOf).filter(Boolean);
    const tools = items.filter((item) => tool.test(item)).length;
    if (items.length > 1 && tools >= items.length * 0.6) {
      list.remove();
      continue;
    }
    if (measures.density(list) < 0.9 || measures.of(list).text > whole * 0.1) continue;
    const label = list.previousElementSibling;
    if (label && measures.of(label).text < 60 && elsewhere.test(wordsOf(label))) {
      label.remove();
      list.remove();
    }
  }
}

/** Of an article that is sentences for the most part, and never more than a part of it. */
export function removeAsides(article: Element): void {
  removeCaptions(article);
  removeLists(article);
  removeLines(article);
  removeAuthors(article);
}

const meansText =
  /(?:^|[-_ ])(?:sidebar|side-bar|widget|promo|print|related|comment|popup|tooltip|menu|rail|extra|note|footer|header|tags)(?:$|[-_ ])/i;

/**
 * Books and manuals set boxes of text between their paragraphs and call them sidebars. What stands between prose and
 * is prose loses its name before anything judges it by that.
 */
export function forgetNames(body: Element): void {
  const measures = new Measures(body);
  const isProse = (each: Element | null): boolean =>
    each !== null &&
    measures.of(each).text >= 150 &&
    measures.density(each) < 0.25 &&
    (each.matches('p,.para') || !each.querySelector('article,main,nav,form,header'));
  const isLine = (each: Element | null): boolean =>
    isProse(each) &&
    measures.of(each as Element).text < 1500 &&
    !each?.querySelector('h1,h2,section,article,ul li a');
  for (const box of body.querySelectorAll('div,section,aside')) {
    if (!meansText.test(namesOf(box)) || !isProse(box)) continue;
    const lines = [...(box.parentElement?.children ?? [])].filter(
      (each) => each !== box && !meansText.test(namesOf(each)) && isLine(each),
    );
    if (lines.length < 2 || !(isLine(box.previousElementSibling) || isLine(box.nextElementSibling))) continue;
    box.removeAttribute('class');
    box.removeAttribute('id');
  }
}

/** One look at one document: every captcha in it, and each as plain data. */

import type { CaptchaFound, CaptchaLook } from '../inside.ts';
import { textOf } from '../pristine.ts';
import {
  attr,
  closest,
  describe,
  formOf,
  isInside,
  isShown,
  markOf,
  matches,
  shownText,
  urlOf,
} from './dom.ts';
import { imagesIn } from './images.ts';
import type { Item } from './item.ts';
import { knownIn } from './known.ts';
import { showsSuccess } from './shows.ts';
import { Tree } from './tree.ts';
import { unknownIn } from './unknown.ts';
import { challengeText } from './words.ts';

interface Gate {
  type: Item['type'];
  marks: string;
  script: RegExp;
  text: RegExp;
}

/** Pages that stand before another page, by their own marks. */
const gates: Gate[] = [
  {
    type: 'cloudflare-turnstile',
    marks:
      '#challenge-form, #challenge-running, #challenge-stage, #challenge-error-text, #cf-challenge-running',
    script: /\/cdn-cgi\/challenge-platform\/h\/.*\/orchestrate\//,
    text: /_cf_chl_opt/,
  },
  {
    type: 'unknown',
    marks:
      '#px-captcha, form#captcha-form, #anubis_challenge, iframe[src*="_Incapsula_Resource"], iframe[src*="captcha-delivery.com"]',
    script: /captcha-delivery\.com|awswaf\.com\/.*(challenge|captcha)\.js/,
    text: /awsWafCookieDomainList/,
  },
];

const mostItems = 20;

function markOfGate(tree: Tree, scripts: Element[], { marks, script, text }: Gate): Element | undefined {
  const isIts = (each: Element): boolean =>
    attr(each, 'src') ? script.test(urlOf(each).href) : text.test((textOf(each) ?? '').slice(0, 100_000));
  return tree.find(marks)[0] ?? scripts.find(isIts);
}

/** The page is nothing but the challenge: nothing else to fill in, hardly any text, and that speaks of checking. */
function isOnly(tree: Tree, body: Element | undefined, { root, field }: Item): boolean {
  if (!body) return false;
  const isOther = (each: Element): boolean => isShown(each) && !isInside(root, each);
  const fields = tree
    .findIn(
      body,
      'input:not([type="hidden"], [type="submit"], [type="button"], [type="checkbox"]), textarea, select',
    )
    .filter((each) => each !== field && isOther(each));
  const own = root instanceof HTMLElement ? shownText(root) : '';
  const text = shownText(body).replace(own, ' ').trim();
  const links = tree.findIn(body, 'a[href]').filter(isOther);
  return (
    fields.length === 0 &&
    text.length <= 800 &&
    links.length <= 8 &&
    challengeText.test(`${document.title} ${text}`)
  );
}

function itemsIn(tree: Tree): Item[] {
  const known = knownIn(tree);
  const isKnown = (element: Element): boolean => known.some(({ root }) => isInside(root, element));
  const images = imagesIn(tree).filter(({ root, field }) => !isKnown(root) && !isKnown(field));
  return [...known, ...images, ...unknownIn(tree, [...known, ...images])];
}

const dataOf = (item: Item, number: number, blocking: boolean): CaptchaFound => ({
  number,
  type: item.type,
  sitekey: item.sitekey?.slice(0, 500),
  blocking,
  response: item.value === '' ? undefined : markOf(item.value),
  verified: item.verified,
  confirmed: item.confirmed === true,
  typed: item.typed === true,
  working: item.working === true,
  automatic: item.automatic === true,
  invisible: item.invisible === true,
  clickable: Boolean(item.target && isShown(item.target)),
  inForm: formOf(item.root) !== null,
  problem: item.problem,
  frameUrl: item.frame && urlOf(item.frame).href,
  seen: item.seen,
  callback:
    attr(closest(item.root, '[data-callback]') ?? item.root, 'data-callback').slice(0, 200) || undefined,
  action: attr(item.root, 'data-action').slice(0, 200) || undefined,
  hasField: item.field !== undefined && matches(item.field, 'input, textarea'),
});

export function lookAround(): { items: Item[]; seen: CaptchaLook } {
  const tree = new Tree();
  const items = itemsIn(tree);
  const scripts = tree.find('script');
  const [body] = tree.find('body');
  let gated = false;
  for (const gate of gates) {
    const mark = markOfGate(tree, scripts, gate);
    if (!mark || !body) continue;
    gated = true;
    if (items.length === 0)
      items.push({
        type: gate.type,
        root: body,
        value: '',
        automatic: true,
        invisible: true,
        seen: [describe(mark)],
      });
  }
  const isBlocking = (item: Item): boolean => gated || (!item.invisible && isOnly(tree, body, item));
  const seen = {
    ready: document.readyState === 'complete',
    frames: tree.find('iframe, frame').length,
    verified: showsSuccess(tree, body),
    items: items.slice(0, mostItems).map((item, number) => dataOf(item, number, isBlocking(item))),
  };
  return { items, seen };
}

/** reCAPTCHA, which is two things: a check box (v2), and a judge of visitors that shows at most a badge (v3). */
import { attr, closest, isInside, tag, urlOf } from './dom.ts';
import type { Item } from './item.ts';
import { type Kind, keyIn } from './kinds.ts';
import type { Tree } from './tree.ts';
import { itemOf, wrapped } from './widget.ts';

const anchor = /(^|\.)(google\.[a-z.]+|recaptcha\.net)\/recaptcha\/(api2|enterprise)\/anchor/;
const library = /\/recaptcha\/(api|enterprise)\.js$/;

const box: Kind = {
  type: 'recaptcha-v2',
  container: '.g-recaptcha[data-sitekey]',
  field: 'textarea[name="g-recaptcha-response"]',
  keys: ['k'],
};
const judge: Kind = { ...box, type: 'recaptcha-v3', automatic: () => true };

export function recaptchasIn(tree: Tree, iframes: Element[], scripts: URL[]): Item[] {
  const anchors = iframes.filter((frame) => anchor.test(urlOf(frame).host + urlOf(frame).pathname));
  /** The site keys of v3 are given to its script. */
  const configured = scripts
    .filter(({ host, pathname }) => library.test(host + pathname))
    .map((url) => url.searchParams.get('render') ?? '')
    .filter((key) => key !== '' && !['explicit', 'onload'].includes(key));
  const items = tree.find(box.container).map((root) => ({
    ...itemOf(
      tree,
      box,
      root,
      anchors.find((frame) => isInside(root, frame)),
    ),
    invisible: attr(root, 'data-size') === 'invisible' || tag(root) === 'button',
  }));
  for (const frame of anchors) {
    const key = keyIn(urlOf(frame), ['k']);
    if (items.some(({ root, sitekey }) => isInside(root, frame) || sitekey === key)) continue;
    const invisible = keyIn(urlOf(frame), ['size']) === 'invisible';
    const judges = invisible && (configured.length === 0 || configured.includes(key ?? ''));
    const root = closest(frame, '.grecaptcha-badge') ?? wrapped(tree, frame);
    items.push({ ...itemOf(tree, judges ? judge : box, root, frame), invisible });
  }
  for (const key of configured) {
    if (items.some(({ sitekey }) => sitekey === key)) continue;
    const isIts = (script: Element): boolean => urlOf(script).searchParams.get('render') === key;
    const script = tree.find('script[src]').find(isIts);
    if (script) items.push({ ...itemOf(tree, judge, script), sitekey: key, invisible: true });
  }
  return items;
}

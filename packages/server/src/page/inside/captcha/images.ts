/**
 * A picture with characters and a field to type them into. Neither alone is a captcha: a picture may illustrate an
 * article, and a code may come by mail.
 */
import {
  above,
  attr,
  closest,
  describe,
  formOf,
  isShown,
  matches,
  namesOf,
  rectOf,
  shownText,
  valueIn,
} from './dom.ts';
import type { Item } from './item.ts';
import type { Tree } from './tree.ts';

const names = /captcha|kaptcha|vcode|seccode|imgcode|verif\w*[-_ ]?(img|image|pic)|anti-?spam/i;
const asks =
  /captcha|kaptcha|vcode|seccode|imgcode|(code|letters|characters|text|numbers|digits|word).{0,30}(image|picture|shown|above|below|see)|验证码|капч|код с картинки/i;
const hints = ['name', 'id', 'class', 'placeholder', 'aria-label', 'title'];
const typable = ':not([type]), [type="text"], [type="tel"], [type="number"], [type="search"]';
const mostSteps = 6;

function labelOf(tree: Tree, field: Element): string {
  const id = attr(field, 'id');
  const [named] = id ? tree.find(`label[for="${CSS.escape(id)}"]`) : [];
  const label = named ?? closest(field, 'label');
  return label ? shownText(label).slice(0, 200) : '';
}

const asksFor = (tree: Tree, field: Element): boolean =>
  asks.test([...hints.map((name) => attr(field, name)), labelOf(tree, field)].join(' '));

function isPicture(element: Element): boolean {
  const { width, height } = rectOf(element);
  return width >= 40 && width <= 700 && height >= 15 && height <= 300 && isShown(element);
}

const saysSo = (picture: Element): boolean =>
  names.test([namesOf(picture), attr(picture, 'src').slice(0, 500), attr(picture, 'alt')].join(' '));

/** From the field outwards, until there is a picture. */
function pictureFor(tree: Tree, field: Element): Element | undefined {
  const form = formOf(field);
  for (let around = above(field), steps = 0; around && steps < mostSteps; around = above(around), steps++) {
    const pictures = tree.findIn(around, 'img, canvas, svg').filter(isPicture);
    const named = pictures.find(saysSo);
    if (named || pictures.length === 1) return named ?? pictures[0];
    if (around === form || matches(around, 'body')) return undefined;
  }
  return undefined;
}

export function imagesIn(tree: Tree): (Item & { field: Element })[] {
  const fields = tree
    .find('input')
    .filter((field) => matches(field, typable) && isShown(field) && asksFor(tree, field));
  return fields.flatMap((field) => {
    const picture = pictureFor(tree, field);
    if (!picture) return [];
    return {
      type: 'image' as const,
      root: picture,
      field,
      picture,
      target: field,
      value: '',
      typed: valueIn(field) !== '',
      seen: [picture, field].map(describe),
    };
  });
}

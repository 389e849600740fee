/**
 * Widgets of unknown kinds: what goes by a telling name and also has the workings of a widget. A name alone is a mention,
 * workings alone are any form.
 */
import {
  attr,
  attrNames,
  describe,
  formOf,
  isInside,
  isQuoted,
  isShown,
  matches,
  rectOf,
  valueIn,
} from './dom.ts';
import type { Item } from './item.ts';
import { showsSuccess } from './shows.ts';
import { queryIn, type Tree } from './tree.ts';
import { askedName, strongAnswer, telling, tellingSelector, weakAnswer } from './words.ts';
import { asksToSlide, claims, isTelling, keyOf, textIn, Workings } from './workings.ts';

/** All that belongs together is one widget, and its outermost part stands for it. */
interface Group {
  root: Element;
  all: Element[];
}

const longestText = 600;
const largest = 1500;
const mostNamed = 200;
const mostSeen = 6;
const neverWidgets =
  'html, body, main, article, nav, header, footer, a, input, textarea, script, link, style, meta, img, label, iframe, form';

function isWidget(element: Element, workings: Workings): boolean {
  if (queryIn(element, '*').length > largest || textIn(element).length > longestText) return false;
  const keyed = keyOf(element) !== undefined;
  const parts = workings.partsOf(element);
  if (isShown(element, 20, 15)) return keyed || parts.length > 0 || workings.isClosed(element);
  // What does not show must at least have a script that runs it.
  return workings.scriptsTell && (keyed || workings.answersIn(element, strongAnswer).length > 0);
}

function namedWidgets(tree: Tree, workings: Workings): Element[] {
  const own = tree.custom.filter((element) => !isQuoted(element));
  return [...tree.find(tellingSelector), ...own]
    .filter(
      (element) =>
        isTelling(element) &&
        !matches(element, neverWidgets) &&
        (!matches(element, 'button') || keyOf(element) !== undefined),
    )
    .slice(0, mostNamed)
    .filter((element) => isWidget(element, workings));
}

/** Response fields, and forms that a script guards without showing anything. */
function guardedParts(tree: Tree, workings: Workings): Element[] {
  if (!workings.scriptsTell) return [];
  const fields = tree
    .find('input, textarea')
    .filter((field) => workings.answersIn(field.parentElement ?? field, strongAnswer).includes(field));
  const forms = tree
    .find('form')
    .filter((form) => keyOf(form) !== undefined && telling.test(attrNames(form).join(' ')));
  return [...fields, ...forms];
}

const isAsked = (field: Element): boolean =>
  [attr(field, 'name'), attr(field, 'id')].some((name) => askedName.test(name)) &&
  matches(field, ':not([type]), [type="text"], [type="number"], [type="tel"]') &&
  isShown(field);

function candidates(tree: Tree, workings: Workings): Element[] {
  return [
    ...namedWidgets(tree, workings),
    ...tree.find('iframe').filter((frame) => workings.isTellingFrame(frame) && isShown(frame, 20, 15)),
    ...tree.find('input[type="checkbox"], [role="checkbox"]').filter(claims),
    ...tree
      .find('[class*="slid" i], [class*="drag" i], [role="slider"]')
      .slice(0, mostNamed)
      .filter(asksToSlide),
    ...guardedParts(tree, workings),
    ...tree.find('input').filter(isAsked),
  ];
}

const inSameForm = (one: Element, other: Element): boolean =>
  formOf(one) !== null && formOf(one) === formOf(other);

function groupsOf(parts: Element[], taken: Item[]): Group[] {
  const isTaken = (element: Element): boolean =>
    taken.some(
      ({ root, field }) =>
        isInside(root, element) ||
        isInside(element, root) ||
        (field && isInside(element, field)) ||
        inSameForm(root, element),
    );
  const groups: Group[] = [];
  for (const part of parts) {
    if (isTaken(part)) continue;
    const same = groups.find(
      ({ root }) => isInside(root, part) || isInside(part, root) || inSameForm(part, root),
    );
    if (!same) groups.push({ root: part, all: [part] });
    else {
      if (isInside(part, same.root)) same.root = part;
      same.all.push(part);
    }
  }
  return groups;
}

/** Never what would send the form off. */
const sendsOff = (part: Element): boolean =>
  part instanceof HTMLButtonElement && part.type === 'submit' && part.form !== null;

const framesOf = (tree: Tree, root: Element): Element[] =>
  [root, ...tree.findIn(root, 'iframe')].filter((part) => matches(part, 'iframe'));

const clickableIn = (tree: Tree, root: Element): Element | undefined =>
  [
    ...tree.findIn(root, 'input[type="checkbox"], [role="checkbox"]'),
    ...framesOf(tree, root),
    ...tree.findIn(root, 'button, [role="button"]'),
  ].find((part) => isShown(part) && !sendsOff(part));

function itemOf(tree: Tree, workings: Workings, { root, all }: Group): Item {
  const parts = workings.partsOf(root);
  const around = formOf(root);
  const answers = [
    ...workings.answersIn(root, weakAnswer),
    ...(around ? workings.answersIn(around, strongAnswer) : []),
  ];
  const { width, height } = rectOf(root);
  return {
    type: 'unknown',
    root,
    field: answers[0],
    frame: framesOf(tree, root).find((frame) => workings.isTellingFrame(frame)),
    sitekey: [root, ...all, ...parts, ...tree.findIn(root, '*')].map(keyOf).find((key) => key),
    target: matches(root, 'form, input') ? undefined : (clickableIn(tree, root) ?? root),
    value: answers.map(valueIn).find((value) => value !== '') ?? '',
    verified: showsSuccess(tree, root),
    invisible: width < 8 || height < 8 || matches(root, 'form'),
    automatic: true,
    seen: [...new Set([root, ...all, ...parts, ...answers])].slice(0, mostSeen).map(describe),
  };
}

/** `taken` are the captchas that are known already. */
export function unknownIn(tree: Tree, taken: Item[]): Item[] {
  const workings = new Workings(tree);
  return groupsOf(candidates(tree, workings), taken).map((group) => itemOf(tree, workings, group));
}

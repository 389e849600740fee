/** What identifies a widget of an unknown kind: names that say what it is for, and the parts that make it work. */
import {
  attr,
  attrNames,
  closest,
  formOf,
  isShown,
  matches,
  namesOf,
  shadow,
  shownText,
  tag,
  urlOf,
} from './dom.ts';
import type { Tree } from './tree.ts';
import {
  claim,
  keyName,
  notAnAnswer,
  puzzleClass,
  slideClaim,
  strongAnswer,
  telling,
  weakAnswer,
} from './words.ts';

const typedInto =
  'input:not([type="hidden"], [type="checkbox"], [type="submit"], [type="button"], [type="range"]), textarea, select';

const isTyped = (field: Element): boolean => matches(field, typedInto) && isShown(field);

function isAnswer(field: Element, pattern: RegExp): boolean {
  const names = [attr(field, 'name'), attr(field, 'id')];
  return (
    !isTyped(field) &&
    !matches(field, '[type="checkbox"], [type="submit"]') &&
    names.some((name) => name && pattern.test(name)) &&
    !names.some((name) => notAnAnswer.test(name))
  );
}

const isOwnFrame = (frame: Element): boolean => !/^https?:$/.test(urlOf(frame).protocol);

const isPuzzlePart = (element: Element): boolean =>
  matches(element, 'canvas, [role="slider"], input[type="range"], [draggable="true"]') ||
  puzzleClass.test(attr(element, 'class'));

export const textIn = (element: Element): string =>
  element instanceof HTMLElement ? shownText(element) : '';

const isEmpty = (element: Element): boolean =>
  !shadow(element) && element.childElementCount === 0 && textIn(element) === '';

export const isTelling = (element: Element): boolean => telling.test(namesOf(element));

/** Its site key. */
export const keyOf = (element: Element): string | undefined =>
  attrNames(element)
    .filter((name) => keyName.test(name))
    .map((name) => attr(element, name))
    .find((value) => value.length >= 6);

/** A box that the visitor ticks to say that it is no robot. */
export function claims(box: Element): boolean {
  const label = closest(box, 'label') ?? box.parentElement ?? box;
  const text = textIn(label);
  return isShown(label) && text.length <= 120 && claim.test(`${text} ${attr(box, 'aria-label')}`);
}

export function asksToSlide(element: Element): boolean {
  const text = textIn(element);
  return text.length <= 120 && slideClaim.test(text) && isShown(element, 60, 15);
}

export class Workings {
  /** The page loads a script of a captcha. */
  readonly scriptsTell: boolean;
  readonly #tree: Tree;

  constructor(tree: Tree) {
    this.#tree = tree;
    this.scriptsTell = tree
      .find('script[src]')
      .some((script) => telling.test(urlOf(script).host + urlOf(script).pathname));
  }

  answersIn(element: Element, pattern: RegExp): Element[] {
    return this.#tree.findIn(element, 'input, textarea').filter((field) => isAnswer(field, pattern));
  }

  isTellingFrame(frame: Element): boolean {
    const { protocol, host, pathname } = urlOf(frame);
    if (!/^https?:$/.test(protocol)) return false;
    if (telling.test(host)) return true;
    const around = formOf(frame) ?? frame.parentElement ?? frame;
    const names = `${namesOf(frame)} ${attr(frame, 'title')}`;
    return telling.test(pathname) && (telling.test(names) || this.answersIn(around, strongAnswer).length > 0);
  }

  /** The parts that show that an element works as a widget. */
  partsOf(element: Element): Element[] {
    const findIn = (selector: string): Element[] => this.#tree.findIn(element, selector);
    const text = textIn(element);
    const short = text.length <= 200 && !findIn('input, textarea, select').some(isTyped);
    const frames = findIn('iframe').filter(
      (frame) => this.isTellingFrame(frame) || (short && isOwnFrame(frame)),
    );
    const own = tag(element).includes('-');
    return [
      ...frames,
      ...this.answersIn(element, strongAnswer),
      ...(short ? [...this.answersIn(element, weakAnswer), ...this.#choices(element)] : []),
      ...findIn('*')
        .filter((part) => isPuzzlePart(part) && isShown(part))
        .slice(0, 2),
      ...(claim.test(text) ? findIn('input[type="checkbox"], [role="checkbox"]') : []),
      ...(own ? findIn('button, [role="button"]') : []),
    ];
  }

  /** What is in a closed shadow root does not show; that something is drawn there does. */
  isClosed(element: Element): boolean {
    return (
      isEmpty(element) &&
      isShown(element, 100, 30) &&
      (this.scriptsTell ||
        formOf(element) !== null ||
        (tag(element).includes('-') && matches(element, ':defined')))
    );
  }

  /** Pictures to choose from, and a hidden field for the choice. */
  #choices(element: Element): Element[] {
    const hidden = this.#tree
      .findIn(element, 'input[type="hidden"]')
      .filter((field) => !notAnAnswer.test(attr(field, 'name')));
    if (hidden.length === 0) return [];
    const pictures = this.#tree.findIn(element, 'img, canvas').filter((each) => isShown(each));
    return pictures.length >= 2 ? hidden : [];
  }
}

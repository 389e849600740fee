/**
 * The references of a document. An element keeps its number as long as it lives; numbers of elements that are gone are
 * not given again, so that an old reference finds nothing rather than something else.
 */
import { isHere } from './dom.ts';

const numbers = new WeakMap<Element, number>();
const elements = new Map<number, WeakRef<Element>>();
/** Elements that are gone stay in the list until it is this long. */
const mostListed = 50_000;

let prefix: string | undefined;
let last = 0;

/** Has an effect once for each document. Gives what the references of the document begin with. */
export function begin(wanted: string, after: number): string {
  if (prefix === undefined) {
    prefix = wanted;
    last = after;
  }
  return prefix;
}

export const lastNumber = (): number => last;

export function refOf(element: Element): string {
  let number = numbers.get(element);
  if (number === undefined) {
    number = ++last;
    numbers.set(element, number);
    if (elements.size >= mostListed) forgetTheGone();
    elements.set(number, new WeakRef(element));
  }
  return `${prefix ?? ''}e${number}`;
}

/** Of an element that was given one before. */
export const knownRefOf = (element: Element): string | undefined => {
  const number = numbers.get(element);
  return number === undefined ? undefined : `${prefix ?? ''}e${number}`;
};

export function elementOf(ref: string): Element | undefined {
  const start = `${prefix ?? ''}e`;
  const element = ref.startsWith(start) ? elements.get(Number(ref.slice(start.length)))?.deref() : undefined;
  return element && isHere(element) ? element : undefined;
}

function forgetTheGone(): void {
  for (const [number, element] of elements) if (!element.deref()) elements.delete(number);
}

/** How much text an element holds, and how much of it in links; counted once for a whole tree, from the leaves up. */
export interface Measure {
  text: number;
  linked: number;
  links: number;
}

/** A sign of a script without spaces says as much as a few letters. */
const dense = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
const lengthOf = (text: string): number => text.length + 1.5 * (text.match(dense)?.length ?? 0);

const nothing: Measure = { text: 0, linked: 0, links: 0 };

export class Measures {
  readonly #known = new WeakMap<Element, Measure>();

  constructor(root: Element) {
    this.#count(root, false);
  }

  /** What was taken out since is still counted in what it stood in. */
  of(element: Element): Measure {
    return this.#known.get(element) ?? nothing;
  }

  density(element: Element): number {
    const { text, linked } = this.of(element);
    return text === 0 ? 0 : linked / text;
  }

  #count(element: Element, inLink: boolean): Measure {
    const isLink = element.tagName === 'A';
    const sum: Measure = { text: 0, linked: 0, links: isLink ? 1 : 0 };
    for (let child = element.firstChild; child; child = child.nextSibling)
      if (child instanceof Element) {
        const part = this.#count(child, inLink || isLink);
        sum.text += part.text;
        sum.linked += part.linked;
        sum.links += part.links;
      } else if (child.nodeType === 3) {
        const length = lengthOf((child.nodeValue ?? '').trim());
        sum.text += length;
        if (inLink || isLink) sum.linked += length;
      }
    this.#known.set(element, sum);
    return sum;
  }
}

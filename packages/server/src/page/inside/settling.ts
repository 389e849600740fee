/** Whether a document still grows: the text that is added is counted. A clock that ticks adds none. */
let grownChars = 0;
let observer: MutationObserver | undefined;

const shortest = 20;
const largest = 20_000;
/** The text of a document that is too large to be laid out for this. */
const much = 1e9;
const neverText = /^(?:SCRIPT|STYLE|NOSCRIPT)$/;

function count(records: MutationRecord[]): void {
  for (const { addedNodes } of records)
    for (const node of addedNodes) {
      const { length } = (node.textContent ?? '').trim();
      if (length >= shortest && !neverText.test(node.nodeName)) grownChars += length;
    }
}

/** What can ask for an answer of its visitor, or bring it in. */
const asking =
  'form, input, textarea, select, canvas, iframe, frame, object, embed, [id*="captcha" i], [class*="captcha" i], [id*="challenge" i]';

/** Data in an element for scripts is none. */
const hasScripts = (): boolean =>
  document.querySelector(
    'script:not([type]),script[type=module],script[type*=javascript],script[type=""]',
  ) !== null;

/** Nothing in it acts or asks, neither in the document nor in its shadow trees. */
export function isPlain(): boolean {
  const all = document.getElementsByTagName('*');
  if (all.length > largest || hasScripts() || document.querySelector(asking)) return false;
  return !Array.from(all).some(({ shadowRoot }) => shadowRoot);
}

/** Asked for once it is known where they are, when the page is drawn. */
const lazy = 'img[loading="lazy" i], iframe[loading="lazy" i]';
const hasLazy = (): boolean =>
  Array.from(document.querySelectorAll(lazy)).some((each) => !(each as Partial<HTMLImageElement>).complete);

export function watch(): { scripts: boolean; plain: boolean; lazy: boolean; text: number } {
  if (!observer) {
    observer = new MutationObserver(count);
    observer.observe(document, { childList: true, subtree: true });
  }
  const large = document.getElementsByTagName('*').length > largest;
  const text = large ? much : (document.body?.innerText ?? '').trim().length;
  return { scripts: hasScripts(), plain: isPlain(), lazy: hasLazy(), text };
}

export const grown = (): number => grownChars;

/** Added text is not counted any more, and none was. */
export function forget(): void {
  observer?.disconnect();
  observer = undefined;
  grownChars = 0;
}

const isHandler = (name: string): boolean => name.startsWith('on');

/** Neither a script nor another document will change what is written in it. */
const staysWritten = (): boolean =>
  isPlain() &&
  document.querySelector('meta[http-equiv="refresh" i]') === null &&
  !Array.from(document.getElementsByTagName('*')).some((each) => each.getAttributeNames().some(isHandler));

const missingSheets = (): HTMLLinkElement[] =>
  Array.from(document.querySelectorAll('link')).filter(
    (link) => link.relList.contains('stylesheet') && link.sheet === null,
  );

/** With those that it imports. */
const isHere = (sheet: HTMLLinkElement): Promise<unknown> =>
  new Promise((resolve) => {
    for (const event of ['load', 'error']) sheet.addEventListener(event, resolve, { once: true });
  });

/** The page is read in the very moment in which its sheets are there, before it is drawn. */
export async function isWritten(): Promise<boolean> {
  if (!staysWritten()) return false;
  const missing = missingSheets();
  await Promise.all(missing.map(isHere));
  return missing.length === 0 || (missingSheets().length === 0 && staysWritten());
}

const stepMs = 30;
const mostSteps = 20;

/** Until the page has been drawn where it is now; a page behind another one is not drawn. */
export const drawn = (mostMs = stepMs): Promise<void> =>
  new Promise((resolve) => {
    const late = setTimeout(resolve, mostMs);
    requestAnimationFrame(() => {
      clearTimeout(late);
      setTimeout(resolve);
    });
  });

/** Once down and back, as a reader would: parts of many pages come, or show themselves, only when they are reached. */
export async function scrollThrough(): Promise<{ scrolled: boolean; grown: number }> {
  const before = grownChars;
  const root = document.scrollingElement;
  if (!root || root.scrollHeight < innerHeight * 1.5) return { scrolled: false, grown: before };
  const { scrollTop: start, scrollHeight: height } = root;
  const step = Math.max(innerHeight, height / mostSteps);
  for (let top = start + step; top < height; top += step) {
    scrollTo({ top, behavior: 'instant' });
    await drawn();
  }
  scrollTo({ top: start, behavior: 'instant' });
  return { scrolled: true, grown: before };
}

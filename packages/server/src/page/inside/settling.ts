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

export function watch(): { scripts: boolean; text: number } {
  if (!observer) {
    observer = new MutationObserver(count);
    observer.observe(document, { childList: true, subtree: true });
  }
  const scripts =
    document.querySelector(
      'script:not([type]),script[type=module],script[type*=javascript],script[type=""]',
    ) !== null;
  const large = document.getElementsByTagName('*').length > largest;
  return { scripts, text: large ? much : (document.body?.innerText ?? '').trim().length };
}

export const grown = (): number => grownChars;

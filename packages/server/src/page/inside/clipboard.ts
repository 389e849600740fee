/** What a document gives away when it copies, and how it takes what is pasted. Runs where the focus is. */
import { getter, shadowOf, theBody } from './pristine.ts';

const activeInDocument = getter<Element | null>(Document.prototype, 'activeElement');
const activeInShadow = getter<Element | null>(ShadowRoot.prototype, 'activeElement');
const { getRootNode } = Node.prototype;
const { dispatchEvent } = EventTarget.prototype;

/** Of the document, or of a shadow tree in it. */
function active(): Element | null {
  let element = activeInDocument(document);
  for (let inner = element; inner; ) {
    element = inner;
    const shadow = shadowOf(inner);
    inner = shadow && activeInShadow(shadow);
  }
  return element;
}

/** The element whose frame has the focus, if a frame has it. */
export function focusedFrame(): Element | null {
  const element = active();
  return element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement ? element : null;
}

function selectedText(): string {
  const element = active();
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    if (element.type === 'password' || element.selectionStart === null) return '';
    return element.value.slice(element.selectionStart, element.selectionEnd ?? undefined);
  }
  // A shadow tree has a selection of its own, where Chromium has not made one of all of them.
  const root = element && (getRootNode.call(element) as Partial<Pick<Document, 'getSelection'>>);
  const selection = root instanceof ShadowRoot ? root.getSelection?.() : undefined;
  return (selection ?? getSelection())?.toString() ?? '';
}

/** What the next copy or cut puts on the clipboard; nothing where none comes in time. */
export function expectCopy(how: 'copy' | 'cut', ms: number, most: number): Promise<string> {
  return new Promise((resolve) => {
    let selected = '';
    // Before the page hears of it, and before a cut takes the text away.
    const first = (): void => {
      selected = selectedText();
    };
    // After the page: it may have put something else in its place.
    const last = ({ defaultPrevented, clipboardData }: ClipboardEvent): void =>
      done(defaultPrevented ? (clipboardData?.getData('text/plain') ?? '') : selected);
    const done = (text: string): void => {
      clearTimeout(timer);
      removeEventListener(how, first, true);
      removeEventListener(how, last);
      resolve(text.slice(0, most));
    };
    const timer = setTimeout(() => done(selected), ms);
    addEventListener(how, first, true);
    addEventListener(how, last);
  });
}

/** Whether the page took it itself. */
export function paste(text: string): boolean {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const how = { clipboardData, bubbles: true, cancelable: true, composed: true };
  const where = active() ?? theBody(document) ?? document;
  return !dispatchEvent.call(where, new ClipboardEvent('paste', how));
}

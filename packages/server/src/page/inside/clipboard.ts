/** What a document gives away when it copies, and how it takes what is pasted. Runs where the focus is. */

/** Of the document, or of a shadow tree in it. */
function activeIn(root: Document | ShadowRoot): Element | null {
  const active = root.activeElement;
  return active?.shadowRoot ? (activeIn(active.shadowRoot) ?? active) : active;
}

/** The element whose frame has the focus, if a frame has it. */
export function focusedFrame(): Element | null {
  const active = activeIn(document);
  return active instanceof HTMLIFrameElement || active instanceof HTMLFrameElement ? active : null;
}

function selectedText(): string {
  const active = activeIn(document);
  if (active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement) {
    if (active.type === 'password' || active.selectionStart === null) return '';
    return active.value.slice(active.selectionStart, active.selectionEnd ?? undefined);
  }
  const root = active?.getRootNode() as (ShadowRoot & { getSelection?(): Selection | null }) | undefined;
  return (root?.getSelection?.() ?? getSelection())?.toString() ?? '';
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
  const event = new ClipboardEvent('paste', {
    clipboardData,
    bubbles: true,
    cancelable: true,
    composed: true,
  });
  return !(activeIn(document) ?? document.body ?? document).dispatchEvent(event);
}

// The clipboard of the person. What the page copies comes from the service a moment after the key, and the web browser
// may by then refuse to take it: then a button offers it, for a click is always enough.
import type { Send } from './parts.ts';

const answerMs = 6000;

interface Parts {
  send: Send;
  notice: HTMLElement;
  keys: HTMLElement;
}

export type Clipboard = ReturnType<typeof openClipboard>;

export function openClipboard({ send, notice, keys }: Parts) {
  let waiting: PromiseWithResolvers<string> | undefined;

  const hide = (): void => {
    notice.hidden = true;
    notice.replaceChildren();
  };

  /** For addresses without https, where pages have no clipboard, only commands on what is selected. */
  const writeOld = (text: string): boolean => {
    const field = document.createElement('textarea');
    field.value = text;
    notice.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  };

  const offer = (text: string): void => {
    const take = document.createElement('button');
    take.type = 'button';
    take.textContent = 'Copy to my clipboard';
    take.onclick = async () => {
      const taken = navigator.clipboard
        ? await navigator.clipboard.writeText(text).then(
            () => true,
            () => writeOld(text),
          )
        : writeOld(text);
      if (!taken) return;
      hide();
      keys.focus({ preventScroll: true });
    };
    notice.replaceChildren('The page has copied text. ', take);
    notice.hidden = false;
  };

  const copy = async (cut = false): Promise<void> => {
    hide();
    waiting?.reject();
    waiting = Promise.withResolvers();
    const { promise, reject } = waiting;
    const timer = setTimeout(() => reject(), answerMs);
    send({ type: 'copy', cut });
    let text = '';
    const asked = promise
      .then((copied) => {
        text = copied;
        // an empty one must not take the place of what the person had
        if (!text) throw new Error('nothing is selected');
        return new Blob([text], { type: 'text/plain' });
      })
      .finally(() => clearTimeout(timer));
    asked.catch(() => undefined);
    try {
      // while the key is being handled the web browser takes a promise of the text
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': asked })]);
    } catch {
      await asked.catch(() => undefined);
      if (text) offer(text);
    }
  };

  return {
    copy,
    paste(text: string): void {
      if (text) send({ type: 'paste', text });
    },
    receive: (text: string): void => waiting?.resolve(text),
    /** For a finger, which has no chord. */
    async pasteOwn(): Promise<void> {
      try {
        const text = await navigator.clipboard.readText();
        if (text) send({ type: 'paste', text });
      } catch {
        notice.textContent =
          'This web browser does not let the page read the clipboard. Paste with its keyboard.';
        notice.hidden = false;
        keys.focus({ preventScroll: true });
      }
    },
  };
}

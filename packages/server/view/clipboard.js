// The clipboard of the person. What the page copies comes from the service a moment after the key, and the web browser
// may by then refuse to take it: then a button offers it, for a click is always enough.
const answerMs = 6000;

export function openClipboard({ send, notice, keys }) {
  let waiting;

  const hide = () => {
    notice.hidden = true;
    notice.replaceChildren();
  };

  /** For addresses without https, where pages have no clipboard, only commands on what is selected. */
  const writeOld = (text) => {
    const field = document.createElement('textarea');
    field.value = text;
    notice.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  };

  const offer = (text) => {
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

  const copy = async (cut = false) => {
    hide();
    waiting?.reject();
    const { promise, resolve, reject } = Promise.withResolvers();
    waiting = { resolve, reject };
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
    paste: (text) => text && send({ type: 'paste', text }),
    receive: (text) => waiting?.resolve(text),
    /** For a finger, which has no chord. */
    async pasteOwn() {
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

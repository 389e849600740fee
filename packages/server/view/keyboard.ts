// The keyboard. Keys go to the page from an invisible text field, so that input methods, dead keys and on-screen
// keyboards work: these write into the field instead of sending keys, and what they write is passed on.
import { editOf, isMac, leaves, type Stroke, strokeOf } from './chords.ts';
import type { Listen, Send } from './parts.ts';

/** Never shown: without something to delete, an on-screen keyboard does not tell that it deletes. */
const filling = '\u200b\u200b';
/** Keys of an input method, or that only begin a sign. */
const unfinished = ['Dead', 'Process', 'Unidentified', 'Compose'];
const ctrl = 2;
const backspace = { key: 'Backspace', code: 'Backspace', keyCode: 8 };
const enter = { key: 'Enter', code: 'Enter', keyCode: 13 };
/** A key that has one place on the keyboard. */
type Press = Omit<Stroke, 'location'>;
/** What an on-screen keyboard does to the field, as the key that does it in the page. */
const strokesOf: Record<string, Press> = {
  deleteContentBackward: { ...backspace, modifiers: 0 },
  deleteWordBackward: { ...backspace, modifiers: ctrl },
  deleteSoftLineBackward: { ...backspace, modifiers: ctrl },
  deleteContentForward: { key: 'Delete', code: 'Delete', keyCode: 46, modifiers: 0 },
  insertLineBreak: { ...enter, modifiers: 0 },
  insertParagraph: { ...enter, modifiers: 0 },
};

interface Parts {
  keys: HTMLTextAreaElement;
  send: Send;
  on: Listen;
  copy(cut: boolean): Promise<void>;
  paste(text: string): void;
  leave(): void;
}

export function sendKeys({ keys, send, on, copy, paste, leave }: Parts): void {
  /** What is down in the page, by the key of this machine. */
  const down = new Map<string, Stroke>();
  const say = (kind: 'down' | 'up', stroke: Stroke, repeat = false): void =>
    send({ type: 'key', kind, ...stroke, repeat });
  const press = (key: Press): void => {
    const stroke = { ...key, location: 0 };
    say('down', stroke);
    say('up', stroke);
  };
  const letGo = (): void => {
    for (const stroke of down.values()) say('up', { ...stroke, modifiers: 0 });
    down.clear();
  };
  const clear = (): void => {
    keys.value = filling;
    keys.setSelectionRange(filling.length, filling.length);
  };

  on('keydown', (event) => {
    if (event.isComposing || event.keyCode === 229 || unfinished.includes(event.key)) return;
    const edit = editOf(event);
    // the web browser answers it with an event that carries the text
    if (edit === 'paste') return;
    event.preventDefault();
    if (leaves(event)) {
      letGo();
      return leave();
    }
    if (edit) return copy(edit === 'cut');
    const stroke = strokeOf(event);
    say('down', stroke, event.repeat);
    // a Mac does not tell when a key is let go while Cmd is held
    if (isMac && event.metaKey && event.key !== 'Meta') say('up', stroke);
    else down.set(event.code || event.key, stroke);
  });
  on('keyup', (event) => {
    const name = event.code || event.key;
    const pressed = down.get(name);
    if (!pressed) return;
    event.preventDefault();
    down.delete(name);
    const { modifiers } = strokeOf(event);
    say('up', { ...pressed, modifiers });
  });
  keys.addEventListener('blur', letGo);
  keys.addEventListener('focus', clear);

  on('paste', (event) => {
    event.preventDefault();
    paste(event.clipboardData?.getData('text/plain') ?? '');
  });
  on('compositionupdate', ({ data }) =>
    send({ type: 'compose', text: data, selectionStart: data.length, selectionEnd: data.length }),
  );
  on('compositionend', ({ data }) => {
    if (data) send({ type: 'text', text: data });
    else send({ type: 'compose', text: '', selectionStart: 0, selectionEnd: 0 });
    clear();
  });
  on('input', ({ isComposing, inputType, data }) => {
    if (isComposing || /composition/i.test(inputType)) return;
    const stroke = strokesOf[inputType];
    const text = data ?? keys.value.replaceAll('\u200b', '');
    clear();
    if (stroke) press(stroke);
    else if (text) write(text);
  });

  /** A single sign is pressed as a key, for pages that listen to keys. */
  const write = (text: string): void => {
    const isPlain = /^[a-z0-9]$/i.test(text);
    const keyCode = isPlain ? text.toUpperCase().charCodeAt(0) : 0;
    if (Array.from(text).length > 1) send({ type: 'text', text });
    else press({ key: text, code: '', keyCode, modifiers: 0 });
  };
}

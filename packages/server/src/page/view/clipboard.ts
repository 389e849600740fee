/**
 * Copying out of the page and pasting into it. A page has the clipboard of its own Chromium, which the viewer does not
 * share; so what the page copies is read as it copies, and what the viewer pastes is brought along:
 *
 *   copy:  listen for the page's copy event ──> Ctrl+C ──> the text that the page, or its selection, gives
 *   paste: a paste event with the text ──> unless the page took it, the text is written where the cursor is
 */
import { clipboardProgram } from '../reach/reach.ts';
import { FocusedFrame } from './focused-frame.ts';
import { keyCommand, textCommand } from './input.ts';
import { RefusedError } from './remote.ts';
import type { Shown } from './screencast.ts';

/** The event comes with the key, or the page does not want to copy. */
const copyMs = 500;
const mostChars = 1_000_000;

const strokes = {
  copy: { key: 'c', code: 'KeyC', keyCode: 67 },
  cut: { key: 'x', code: 'KeyX', keyCode: 88 },
} as const;
const ctrl = 2;

/** Empty: nothing was selected, or the page did not let it be copied. */
export async function copyFrom(shown: Shown, how: 'copy' | 'cut'): Promise<string> {
  await using frame = await FocusedFrame.find(shown);
  const copied = await frame.begin(clipboardProgram.call('expectCopy', how, copyMs, mostChars));
  const stroke = { type: 'key', ...strokes[how], location: 0, repeat: false, modifiers: ctrl } as const;
  await Promise.all(
    (['down', 'up'] as const).map((kind) => {
      const { method, params } = keyCommand({ ...stroke, kind });
      return shown.remote.send(method, params, shown.sessionId);
    }),
  );
  return copied();
}

export async function pasteInto(shown: Shown, text: string): Promise<void> {
  if (await takesPaste(shown, text)) return;
  const { method, params } = textCommand(text);
  await shown.remote.send(method, params, shown.sessionId);
}

/** Pages with fields of their own making, or with one for each digit of a code, take a paste themselves. */
async function takesPaste(shown: Shown, text: string): Promise<boolean> {
  try {
    await using frame = await FocusedFrame.find(shown);
    return await frame.evaluate(clipboardProgram.call('paste', text));
  } catch (error) {
    // A page that cannot be asked, busy or just being replaced, is written to as it is.
    if (error instanceof RefusedError) return false;
    throw error;
  }
}

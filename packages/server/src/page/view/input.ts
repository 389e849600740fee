/** A viewer's hand on the page: one message about mouse, keys or touch as the commands that do it. */
import type { ViewerMessage } from './messages.ts';

export type InputMessage = Extract<ViewerMessage, { type: 'mouse' | 'key' | 'text' | 'compose' | 'touch' }>;
export type MouseMessage = Extract<InputMessage, { type: 'mouse' }>;
export type KeyMessage = Extract<InputMessage, { type: 'key' }>;
export type TouchPoint = Extract<InputMessage, { type: 'touch' }>['points'][number];

export interface InputCommand {
  method: string;
  params: Record<string, unknown>;
}

const mouseTypes = { move: 'mouseMoved', down: 'mousePressed', up: 'mouseReleased', wheel: 'mouseWheel' };

/** `buttons` as in CDP and in the DOM: 1 left, 2 right, 4 middle, 8 back, 16 forward. */
export const mouseCommand = (message: MouseMessage, buttons: number): InputCommand => {
  const { kind, x, y, button, clicks, deltaX, deltaY, modifiers } = message;
  const wheel = kind === 'wheel' && { deltaX, deltaY };
  const params = { type: mouseTypes[kind], x, y, button, buttons, clickCount: clicks, modifiers };
  return { method: 'Input.dispatchMouseEvent', params: { ...params, ...wheel } };
};

export const touchCommand = (
  type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel',
  touchPoints: readonly TouchPoint[],
  modifiers: number,
): InputCommand => ({ method: 'Input.dispatchTouchEvent', params: { type, touchPoints, modifiers } });

export const textCommand = (text: string): InputCommand => ({ method: 'Input.insertText', params: { text } });

/** What an input method shows before the text is final. */
export const composeCommand = ({
  text,
  selectionStart,
  selectionEnd,
}: Extract<InputMessage, { type: 'compose' }>): InputCommand => ({
  method: 'Input.imeSetComposition',
  params: { text, selectionStart, selectionEnd },
});

/** A key that writes something is pressed with its text, any other raw; Enter writes a line break. */
export function keyCommand(message: KeyMessage): InputCommand {
  const { kind, key, code, keyCode, location, repeat, modifiers } = message;
  const shortcut = (modifiers & 6) !== 0;
  const written = message.text ?? (key === 'Enter' ? '\r' : /^.$/u.test(key) ? key : undefined);
  const text = kind === 'down' && !shortcut ? written : undefined;
  return {
    method: 'Input.dispatchKeyEvent',
    params: {
      type: kind === 'up' ? 'keyUp' : text === undefined ? 'rawKeyDown' : 'keyDown',
      key,
      code,
      location,
      modifiers,
      windowsVirtualKeyCode: keyCode,
      autoRepeat: repeat,
      ...(text !== undefined && { text, unmodifiedText: text }),
    },
  };
}

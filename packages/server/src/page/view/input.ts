/** A person's hand on the page: what is said of mouse, keys and touch, as the command that does it. */
import type { ViewerMessage } from './messages.ts';

type Input = Extract<ViewerMessage, { type: 'mouse' | 'key' | 'text' | 'compose' | 'touch' }>;
export interface InputCommand {
  method: string;
  params: Record<string, unknown>;
}

const mouseTypes = { move: 'mouseMoved', down: 'mousePressed', up: 'mouseReleased', wheel: 'mouseWheel' };
const touchTypes = { start: 'touchStart', move: 'touchMove', end: 'touchEnd', cancel: 'touchCancel' };

const isInput = (message: ViewerMessage): message is Input =>
  ['mouse', 'key', 'text', 'compose', 'touch'].includes(message.type);

export function inputOf(message: ViewerMessage): InputCommand | undefined {
  return isInput(message) ? commandOf(message) : undefined;
}

function commandOf(message: Input): InputCommand {
  switch (message.type) {
    case 'mouse': {
      const { kind, x, y, button, buttons, clicks, deltaX, deltaY, modifiers } = message;
      const wheel = kind === 'wheel' && { deltaX, deltaY };
      const params = { type: mouseTypes[kind], x, y, button, buttons, clickCount: clicks, modifiers };
      return { method: 'Input.dispatchMouseEvent', params: { ...params, ...wheel } };
    }
    case 'key':
      return { method: 'Input.dispatchKeyEvent', params: keyOf(message) };
    case 'text':
      return { method: 'Input.insertText', params: { text: message.text } };
    case 'compose': {
      const { text, selectionStart, selectionEnd } = message;
      return { method: 'Input.imeSetComposition', params: { text, selectionStart, selectionEnd } };
    }
    case 'touch': {
      const { kind, points, modifiers } = message;
      const touchPoints = kind === 'end' || kind === 'cancel' ? [] : points;
      return {
        method: 'Input.dispatchTouchEvent',
        params: { type: touchTypes[kind], touchPoints, modifiers },
      };
    }
  }
}

/** A key that writes something is pressed with its text, any other raw; Enter writes a line break. */
function keyOf(message: Extract<Input, { type: 'key' }>): Record<string, unknown> {
  const { kind, key, code, keyCode, location, repeat, modifiers } = message;
  const shortcut = (modifiers & 6) !== 0;
  const written = message.text ?? (key === 'Enter' ? '\r' : /^.$/u.test(key) ? key : undefined);
  const text = kind === 'down' && !shortcut ? written : undefined;
  return {
    type: kind === 'up' ? 'keyUp' : text === undefined ? 'rawKeyDown' : 'keyDown',
    key,
    code,
    location,
    modifiers,
    windowsVirtualKeyCode: keyCode,
    autoRepeat: repeat,
    ...(text !== undefined && { text, unmodifiedText: text }),
  };
}

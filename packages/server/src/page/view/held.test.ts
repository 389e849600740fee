import { describe, expect, test } from 'vitest';
import { Held } from './held.ts';
import { viewerMessage } from './messages.ts';

/** What reaches Chromium, as one line a command. */
const asLines = (commands: ReturnType<Held['letGo']>): string[] =>
  commands.map(({ method, params }) => {
    const { type, button, buttons, key, touchPoints } = params as Record<string, string> & {
      touchPoints?: { id: number }[];
    };
    const fingers = touchPoints?.map(({ id }) => id).join();
    return [method.replace('Input.', ''), type, button, buttons, key, fingers]
      .filter((part) => part !== undefined && part !== '')
      .join(' ');
  });
const hold = () => {
  const held = new Held();
  const say = (message: object): string[] =>
    asLines(held.commandsFor(viewerMessage.parse(message) as Parameters<Held['commandsFor']>[0]));
  const mouse = (kind: string, more: object = {}) => say({ type: 'mouse', kind, x: 5, y: 6, ...more });
  return { held, say, mouse, letGo: () => asLines(held.letGo()) };
};

describe('a button that is held', () => {
  test('is named with every move, until it is let go', () => {
    const { mouse } = hold();
    expect(mouse('move', { buttons: 0 })).toEqual(['dispatchMouseEvent mouseMoved none 0']);
    mouse('down', { button: 'left', buttons: 1 });
    expect(mouse('move', { buttons: 1 })).toEqual(['dispatchMouseEvent mouseMoved left 1']);
    expect(mouse('move')).toEqual(['dispatchMouseEvent mouseMoved left 1']);
    expect(mouse('up', { button: 'left', buttons: 0 })).toEqual(['dispatchMouseEvent mouseReleased left 0']);
    expect(mouse('move')).toEqual(['dispatchMouseEvent mouseMoved none 0']);
  });

  test('goes on being held while others come and go', () => {
    const { mouse } = hold();
    mouse('down', { button: 'right', buttons: 2 });
    expect(mouse('down', { button: 'left', buttons: 3 })).toEqual(['dispatchMouseEvent mousePressed left 3']);
    expect(mouse('move', { buttons: 3 })).toEqual(['dispatchMouseEvent mouseMoved left 3']);
    mouse('up', { button: 'left', buttons: 2 });
    expect(mouse('move', { buttons: 2 })).toEqual(['dispatchMouseEvent mouseMoved right 2']);
  });

  test('is let go where the viewer did not see that it was', () => {
    const { mouse } = hold();
    mouse('down', { button: 'left', buttons: 1 });
    expect(mouse('move', { buttons: 0 })).toEqual([
      'dispatchMouseEvent mouseReleased left 0',
      'dispatchMouseEvent mouseMoved none 0',
    ]);
  });

  test('is not held because it was pressed somewhere else', () => {
    const { mouse, held } = hold();
    expect(mouse('move', { buttons: 1 })).toEqual(['dispatchMouseEvent mouseMoved none 0']);
    expect(held.isEmpty).toBe(true);
  });

  test('ends a drag without a drop with Escape', () => {
    const { mouse, say } = hold();
    mouse('down', { button: 'left', buttons: 1 });
    expect(say({ type: 'key', kind: 'down', key: 'Escape' })).toEqual([
      'cancelDragging',
      'dispatchKeyEvent rawKeyDown Escape',
    ]);
  });
});

test('all that is held is let go at once, and only once', () => {
  const { mouse, say, letGo, held } = hold();
  expect(letGo()).toEqual([]);
  mouse('down', { button: 'left', buttons: 1 });
  mouse('down', { button: 'middle', buttons: 5 });
  say({ type: 'key', kind: 'down', key: 'Alt', code: 'AltLeft' });
  say({ type: 'touch', kind: 'start', points: [{ x: 1, y: 1, id: 7 }] });
  expect(letGo()).toEqual([
    'cancelDragging',
    'dispatchMouseEvent mouseReleased left 4',
    'dispatchMouseEvent mouseReleased middle 0',
    'dispatchKeyEvent keyUp Alt',
    'dispatchTouchEvent touchCancel',
  ]);
  expect(held.isEmpty).toBe(true);
  expect(letGo()).toEqual([]);
});

test('of two fingers one is lifted alone', () => {
  const { say } = hold();
  const [one, two] = [
    { x: 1, y: 1, id: 1 },
    { x: 9, y: 9, id: 2 },
  ];
  say({ type: 'touch', kind: 'start', points: [one] });
  expect(say({ type: 'touch', kind: 'start', points: [one, two] })).toEqual([
    'dispatchTouchEvent touchStart 1,2',
  ]);
  expect(say({ type: 'touch', kind: 'end', points: [two] })).toEqual(['dispatchTouchEvent touchEnd 1']);
  expect(say({ type: 'touch', kind: 'end', points: [] })).toEqual(['dispatchTouchEvent touchEnd']);
  expect(say({ type: 'touch', kind: 'cancel', points: [] })).toEqual([]);
});

test('a sign is pressed with its text, a chord without', () => {
  const { held } = hold();
  const params = (more: object) => {
    const message = viewerMessage.parse({ type: 'key', kind: 'down', ...more });
    return held.commandsFor(message as Parameters<Held['commandsFor']>[0])[0]?.params;
  };
  expect(params({ key: '@', code: 'KeyQ' })).toMatchObject({ type: 'keyDown', text: '@' });
  expect(params({ key: 'Enter', code: 'Enter' })).toMatchObject({ type: 'keyDown', text: '\r' });
  expect(params({ key: 'a', code: 'KeyA', modifiers: 2 })).toMatchObject({ type: 'rawKeyDown' });
});

import { describe, expect, test } from 'vitest';
import { Held } from './held.ts';
import { viewerMessage } from './messages.ts';

/** What reaches Chromium, as one line a command. */
const asLines = (commands: ReturnType<Held['letGo']>): string[] =>
  commands.map(({ method, params }) => {
    const { type, button, buttons, key, enabled, touchPoints } = params as Record<string, string> & {
      touchPoints?: { id: number }[];
    };
    const fingers = touchPoints?.map(({ id }) => id).join();
    return [method.replace('Input.', ''), type, button, buttons, key, enabled, fingers]
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
    expect(mouse('down', { button: 'left', buttons: 1 })).toEqual([
      'setInterceptDrags true',
      'dispatchMouseEvent mousePressed left 1',
    ]);
    expect(mouse('move', { buttons: 1 })).toEqual(['dispatchMouseEvent mouseMoved left 1']);
    expect(mouse('move')).toEqual(['dispatchMouseEvent mouseMoved left 1']);
    expect(mouse('up', { button: 'left', buttons: 0 })).toEqual(['dispatchMouseEvent mouseReleased left 0']);
    expect(mouse('move')).toEqual(['dispatchMouseEvent mouseMoved none 0']);
  });

  test('goes on being held while others come and go', () => {
    const { mouse } = hold();
    mouse('down', { button: 'left', buttons: 1 });
    expect(mouse('down', { button: 'right', buttons: 3 })).toEqual([
      'dispatchMouseEvent mousePressed right 3',
    ]);
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
});

describe('a drag that the page begins', () => {
  const data = { items: [{ mimeType: 'text/plain', data: 'it' }], dragOperationsMask: 1 };
  const pressed = () => {
    const hand = hold();
    hand.mouse('down', { button: 'left', buttons: 1 });
    return { ...hand, began: () => asLines(hand.held.dragBegan(data)) };
  };

  test('takes the place of the mouse until it is dropped', () => {
    const { mouse, began, held } = pressed();
    expect(began()).toEqual(['dispatchDragEvent dragEnter', 'dispatchDragEvent dragOver']);
    expect(mouse('move', { buttons: 1 })).toEqual(['dispatchDragEvent dragOver']);
    expect(mouse('up', { button: 'left', buttons: 0 })).toEqual(['dispatchDragEvent drop']);
    expect(asLines(held.settle())).toEqual(['setInterceptDrags false']);
    expect(began()).toEqual([]);
  });

  test('after the release is dropped at once', () => {
    const { mouse, began } = pressed();
    mouse('up', { button: 'left', buttons: 0 });
    expect(began().at(-1)).toBe('dispatchDragEvent drop');
  });

  test('is not dropped with Escape, nor where the viewer lost it', () => {
    const escaped = pressed();
    escaped.began();
    expect(escaped.say({ type: 'key', kind: 'down', key: 'Escape' })).toEqual([
      'dispatchDragEvent dragCancel',
      'dispatchKeyEvent rawKeyDown Escape',
    ]);
    const lost = pressed();
    lost.began();
    expect(lost.mouse('move', { buttons: 0 })).toEqual([
      'dispatchDragEvent dragCancel',
      'dispatchMouseEvent mouseMoved none 0',
    ]);
    const late = pressed();
    late.letGo();
    expect(late.began().at(-1)).toBe('dispatchDragEvent dragCancel');
  });

  test('carries no link that a client may not open', () => {
    const { held } = pressed();
    const items = ['https://a.test/', 'file:///etc/passwd'].map((link) => ({
      mimeType: 'text/uri-list',
      data: link,
    }));
    const [entered] = held.dragBegan({ items, dragOperationsMask: 1 });
    expect(JSON.stringify(entered)).toContain('a.test');
    expect(JSON.stringify(entered)).not.toContain('passwd');
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
    'dispatchMouseEvent mouseReleased left 4',
    'dispatchMouseEvent mouseReleased middle 0',
    'dispatchKeyEvent keyUp Alt',
    'dispatchTouchEvent touchCancel',
  ]);
  expect(asLines(held.settle())).toEqual(['setInterceptDrags false']);
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

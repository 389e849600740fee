/**
 * What one viewer holds down in the page: buttons, keys, fingers. Chromium wants to be told with every move which button
 * is held, or nothing is dragged; and what is held when the viewer leaves must be let go, or the page waits for it.
 *
 *   down ──> held ──move: with the held button──> up
 *                └── the viewer lost it (a move without the button, a cancelled pointer, a broken line) ──> let go
 *
 * Chromium itself makes drag and drop of these moves, in both engines, once a page lets itself be dragged from.
 */
import {
  composeCommand,
  type InputCommand,
  type InputMessage,
  type KeyMessage,
  keyCommand,
  type MouseMessage,
  mouseCommand,
  type TouchPoint,
  textCommand,
  touchCommand,
} from './input.ts';

/** In the order in which one of several held buttons is named in a move. */
const bits = { left: 1, right: 2, middle: 4, back: 8, forward: 16 } as const;
type Button = keyof typeof bits;
const buttonsIn = (mask: number): Button[] =>
  (Object.keys(bits) as Button[]).filter((name) => (mask & bits[name]) !== 0);
const bitOf = (button: MouseMessage['button']): number => (button === 'none' ? 0 : bits[button]);

/** Ends a drag and drop without a drop; without one it does nothing. */
const cancelDragging: InputCommand = { method: 'Input.cancelDragging', params: {} };
/** No hand has more fingers; a viewer that names ever new keys is held to it. */
const mostKeys = 32;

export class Held {
  #buttons = 0;
  #at = { x: 0, y: 0 };
  #clicks = 1;
  readonly #keys = new Map<string, KeyMessage>();
  #points = new Map<number, TouchPoint>();

  get isEmpty(): boolean {
    return this.#buttons === 0 && this.#keys.size === 0 && this.#points.size === 0;
  }

  commandsFor(message: InputMessage): InputCommand[] {
    switch (message.type) {
      case 'mouse':
        return this.#mouse(message);
      case 'key':
        return this.#key(message);
      case 'text':
        return [textCommand(message.text)];
      case 'compose':
        return [composeCommand(message)];
      case 'touch':
        return this.#touch(message);
    }
  }

  /** What was dragged is not dropped: the viewer did not choose the place. */
  letGo(): InputCommand[] {
    const dragging = this.#buttons === 0 ? [] : [cancelDragging];
    const keys = [...this.#keys.values()].map((down) => keyCommand({ ...down, kind: 'up', modifiers: 0 }));
    const touches = this.#points.size === 0 ? [] : [touchCommand('touchCancel', [], 0)];
    const buttons = this.#release(this.#buttons, 0);
    this.forget();
    return [...dragging, ...buttons, ...keys, ...touches];
  }

  /** The page in which it was held is not shown any more. */
  forget(): void {
    this.#buttons = 0;
    this.#keys.clear();
    this.#points.clear();
  }

  #mouse(message: MouseMessage): InputCommand[] {
    const { kind, x, y, button, buttons, clicks, modifiers } = message;
    const bit = bitOf(button);
    this.#at = { x, y };
    const lost = buttons === undefined ? 0 : this.#buttons & ~buttons & ~bit;
    const released = this.#release(lost, modifiers);
    if (kind === 'down') {
      this.#buttons |= bit;
      this.#clicks = Math.max(clicks, 1);
    }
    if (kind === 'up') this.#buttons &= ~bit;
    const named = kind === 'move' ? (buttonsIn(this.#buttons)[0] ?? 'none') : button;
    return [...released, mouseCommand({ ...message, button: named }, this.#buttons)];
  }

  #release(mask: number, modifiers: number): InputCommand[] {
    const { x, y } = this.#at;
    return buttonsIn(mask).map((button) => {
      this.#buttons &= ~bits[button];
      const up = { type: 'mouse', kind: 'up', x, y, button, clicks: this.#clicks, modifiers } as const;
      return mouseCommand({ ...up, deltaX: 0, deltaY: 0 }, this.#buttons);
    });
  }

  #key(message: KeyMessage): InputCommand[] {
    const { kind, key, code } = message;
    const name = code || key;
    if (kind === 'up') this.#keys.delete(name);
    else if (this.#keys.size < mostKeys) this.#keys.set(name, message);
    const endsDrag = kind === 'down' && key === 'Escape' && this.#buttons !== 0;
    return [...(endsDrag ? [cancelDragging] : []), keyCommand(message)];
  }

  /** A viewer names the fingers that are on the glass now; Chromium wants to hear of those that were lifted. */
  #touch({ kind, points, modifiers }: Extract<InputMessage, { type: 'touch' }>): InputCommand[] {
    const before = this.#points;
    const now = new Map(points.map((point) => [point.id, point]));
    if (kind === 'cancel') now.clear();
    this.#points = now;
    if (kind === 'cancel') return before.size === 0 ? [] : [touchCommand('touchCancel', [], modifiers)];
    const lifted = [...before.values()].filter(({ id }) => !now.has(id));
    const ended =
      lifted.length === 0
        ? []
        : [touchCommand('touchEnd', lifted.length === before.size ? [] : lifted, modifiers)];
    if (kind === 'end' || points.length === 0) return ended;
    return [...ended, touchCommand(kind === 'start' ? 'touchStart' : 'touchMove', points, modifiers)];
  }
}

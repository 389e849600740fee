/**
 * What one viewer holds down in the page: buttons, keys, fingers. Chromium wants to be told with every move which button
 * is held, or nothing is dragged; and what is held when the viewer leaves must be let go, or the page waits for it.
 *
 *   down ──> held ──move: with the held button──> up
 *                └── the viewer lost it (a move without the button, a cancelled pointer, a broken line) ──> let go
 *
 * Once a page lets itself be dragged from, what the mouse does is a drag (drag.ts).
 */
import { Drag, intercept } from './drag.ts';
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

/** More than a viewer holds down at once. Of one that presses ever more keys, the rest is not remembered. */
const mostKeys = 32;

export class Held {
  #buttons = 0;
  #at = { x: 0, y: 0 };
  #clicks = 1;
  readonly #keys = new Map<string, KeyMessage>();
  #points = new Map<number, TouchPoint>();
  #intercepts = false;
  #drag: Drag | undefined;
  /** The viewer did not let go by itself: a drag that the page begins now is not dropped. */
  #isLost = false;

  /** The left button was let go, and drags are still intercepted. */
  get isToSettle(): boolean {
    return this.#intercepts && !this.#holdsLeft;
  }

  get #holdsLeft(): boolean {
    return (this.#buttons & bits.left) !== 0;
  }

  get isEmpty(): boolean {
    return this.#buttons === 0 && this.#keys.size === 0 && this.#points.size === 0 && !this.#intercepts;
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

  /** The page has begun a drag, of the viewer who pressed the button; others have nothing to do. */
  dragBegan(data: ConstructorParameters<typeof Drag>[0]): InputCommand[] {
    if (!this.#intercepts) return [];
    const drag = new Drag(data);
    const begun = drag.begin(this.#at, 0);
    if (!this.#holdsLeft) return [...begun, this.#isLost ? drag.cancel(this.#at) : drag.drop(this.#at, 0)];
    this.#drag = drag;
    return begun;
  }

  /** Some time after the release: no drag comes of it any more. */
  settle(): InputCommand[] {
    if (!this.isToSettle) return [];
    this.#intercepts = false;
    return [intercept(false)];
  }

  /** What was dragged is not dropped: the viewer did not choose the place. */
  letGo(): InputCommand[] {
    const dragging = this.#endDrag();
    const keys = [...this.#keys.values()].map((down) => keyCommand({ ...down, kind: 'up', modifiers: 0 }));
    const touches = this.#points.size === 0 ? [] : [touchCommand('touchCancel', [], 0)];
    const buttons = this.#release(this.#buttons, 0);
    this.#keys.clear();
    this.#points.clear();
    this.#isLost = true;
    return [...dragging, ...buttons, ...keys, ...touches];
  }

  /** The page in which it was held is not shown any more. */
  forget(): void {
    this.#buttons = 0;
    this.#keys.clear();
    this.#points.clear();
    this.#intercepts = false;
    this.#drag = undefined;
  }

  #mouse(message: MouseMessage): InputCommand[] {
    const { kind, x, y, button, buttons, clicks, modifiers } = message;
    const bit = bitOf(button);
    this.#at = { x, y };
    const lost = buttons === undefined ? 0 : this.#buttons & ~buttons & ~bit;
    this.#isLost ||= (lost & bits.left) !== 0;
    const cancelled = (lost & bits.left) === 0 ? [] : this.#endDrag();
    const released = [...cancelled, ...this.#release(lost & this.#buttons, modifiers)];
    const drag = this.#drag;
    if (kind === 'move' && drag) return [...released, drag.over(this.#at, modifiers)];
    if (kind === 'up') this.#buttons &= ~bit;
    if (kind === 'up' && button === 'left' && drag) {
      this.#drag = undefined;
      return [...released, drag.drop(this.#at, modifiers)];
    }
    const named = kind === 'move' ? (buttonsIn(this.#buttons)[0] ?? 'none') : button;
    if (kind !== 'down') return [...released, mouseCommand({ ...message, button: named }, this.#buttons)];
    this.#buttons |= bit;
    this.#isLost = false;
    this.#clicks = Math.max(clicks, 1);
    const intercepted = button === 'left' && !this.#intercepts ? [intercept(true)] : [];
    this.#intercepts ||= button === 'left';
    return [...released, ...intercepted, mouseCommand(message, this.#buttons)];
  }

  /** With it ends what the mouse held: a page that drags hears of no release. */
  #endDrag(): InputCommand[] {
    const drag = this.#drag;
    if (!drag) return [];
    this.#drag = undefined;
    this.#buttons &= ~bits.left;
    return [drag.cancel(this.#at)];
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
    const ended = kind === 'down' && key === 'Escape' ? this.#endDrag() : [];
    return [...ended, keyCommand(message)];
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

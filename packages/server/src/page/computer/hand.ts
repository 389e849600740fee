/** Mouse and keys as a person's hand uses them: each movement of it as the messages that Chromium takes for trusted input. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { InputMessage, MouseMessage } from '../view/view.ts';
import type { Desk } from './desk.ts';
import { chordOf, type Key, keyNamed, keyOfSign } from './keys.ts';
import type { Place } from './screen.ts';

type Button = 'left' | 'right' | 'middle' | 'back' | 'forward';

/** A page hears of a drag a little after the move that began it. */
const dragStepMs = 20;
/** Moves between two places of a drag. */
const dragSteps = 5;
/** More is written at once: a page that listens to every key of a book would never come to rest. */
const mostTyped = 2000;

const mouse = (kind: MouseMessage['kind'], at: Place, more: Partial<MouseMessage> = {}): InputMessage => ({
  ...{ type: 'mouse', kind, ...at, button: 'none', clicks: 0, deltaX: 0, deltaY: 0, modifiers: 0 },
  ...more,
});

const stroke = (
  { key, code, keyCode, location, text }: Key,
  kind: 'down' | 'up',
  modifiers: number,
): InputMessage => ({
  ...{ type: 'key', kind, key, code, keyCode, location, repeat: false, modifiers },
  ...(text !== undefined && kind === 'down' && { text }),
});

export class Hand {
  readonly #desk: Desk;
  /** The call is over: what takes many strokes ends between two of them. */
  readonly #signal: AbortSignal;

  constructor({ desk, signal }: { desk: Desk; signal: AbortSignal }) {
    this.#desk = desk;
    this.#signal = signal;
  }

  async move(to: Place, modifiers = 0): Promise<void> {
    this.#desk.cursor = to;
    await this.#desk.act(mouse('move', to, { modifiers }));
  }

  async down(button: Button): Promise<void> {
    await this.#desk.act(mouse('down', this.#desk.cursor, { button, clicks: 1 }));
  }

  async up(button: Button): Promise<void> {
    await this.#desk.act(mouse('up', this.#desk.cursor, { button, clicks: 1 }));
  }

  /** Sent as one: a page that stands still in a dialog after the press gets the release all the same. */
  click(at: Place, button: Button, count: number, held: readonly string[]): Promise<void> {
    this.#desk.cursor = at;
    return this.#while(held, (modifiers) => {
      const presses = Array.from({ length: count }, (_, n) => n + 1).flatMap((clicks) => [
        mouse('down', at, { button, clicks, modifiers }),
        mouse('up', at, { button, clicks, modifiers }),
      ]);
      return this.#desk.act(mouse('move', at, { modifiers }), ...presses);
    });
  }

  drag(path: readonly Place[], button: Button, held: readonly string[]): Promise<void> {
    const [from, ...others] = path as [Place, ...Place[]];
    return this.#while(held, async (modifiers) => {
      await this.move(from, modifiers);
      await this.#desk.act(mouse('down', from, { button, clicks: 1, modifiers }));
      try {
        for (const to of others) await this.#slide(this.#desk.cursor, to, modifiers);
      } finally {
        await this.#desk.act(mouse('up', this.#desk.cursor, { button, clicks: 1, modifiers }));
      }
    });
  }

  scroll(at: Place, by: Place, held: readonly string[]): Promise<void> {
    this.#desk.cursor = at;
    return this.#while(held, (modifiers) =>
      this.#desk.act(
        mouse('move', at, { modifiers }),
        mouse('wheel', at, { deltaX: by.x, deltaY: by.y, modifiers }),
      ),
    );
  }

  /** The keys of a chord go down in order and up in reverse. */
  async chord(keys: readonly Key[], holdMs = 0): Promise<void> {
    let modifiers = 0;
    const shifted = keys.some(({ modifier }) => modifier === 8);
    const pressed: { key: Key; modifiers: number }[] = [];
    const downs = keys.map((each) => {
      const key = keys.length > 1 && !shifted ? unshifted(each) : each;
      modifiers |= key.modifier;
      pressed.push({ key, modifiers: modifiers & ~key.modifier });
      return stroke(key, 'down', modifiers);
    });
    const ups = pressed.reverse().map((each) => stroke(each.key, 'up', each.modifiers));
    if (holdMs === 0) return this.#desk.act(...downs, ...ups);
    await this.#desk.act(...downs);
    try {
      await sleep(holdMs, undefined, { signal: this.#signal });
    } finally {
      await this.#desk.act(...ups);
    }
  }

  /** A sign that has a key is typed by it; any other (emoji, other scripts) is written as an input method would. */
  async type(text: string): Promise<void> {
    const signs = [
      ...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text.replaceAll('\r\n', '\n')),
    ];
    const isLong = signs.length > mostTyped;
    let written = '';
    const write = async (): Promise<void> => {
      if (written) await this.#desk.act({ type: 'text', text: written });
      written = '';
    };
    for (const { segment } of signs) {
      this.#signal.throwIfAborted();
      const key = isLong && segment !== '\n' ? undefined : keyOfSign(segment);
      if (!key) written += segment;
      else {
        await write();
        const modifiers = key.shifted ? 8 : 0;
        await this.#desk.act(stroke(key, 'down', modifiers), stroke(key, 'up', modifiers));
      }
    }
    await write();
  }

  /** With keys held down, which the page hears of too. */
  async #while(names: readonly string[], work: (modifiers: number) => Promise<void>): Promise<void> {
    const keys = names.flatMap((name) => (name.includes('+') ? chordOf(name) : [keyNamed(name)]));
    if (keys.length === 0) return work(0);
    const modifiers = keys.reduce((sum, { modifier }) => sum | modifier, 0);
    await this.#desk.act(...keys.map((key) => stroke(key, 'down', modifiers)));
    try {
      await work(modifiers);
    } finally {
      await this.#desk.act(...keys.map((key) => stroke(key, 'up', 0)));
    }
  }

  async #slide(from: Place, to: Place, modifiers: number): Promise<void> {
    for (let step = 1; step <= dragSteps; step++) {
      const part = step / dragSteps;
      await this.move({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }, modifiers);
      await sleep(dragStepMs, undefined, { signal: this.#signal });
    }
  }
}

/** `Control+A` means the key a, whatever the model writes. */
const unshifted = (key: Key): Key =>
  key.shifted && /^[A-Z]$/.test(key.key) ? (keyOfSign(key.key.toLowerCase()) ?? key) : key;

// Mouse, pen and wheel on the picture. The pointer is captured while a button is held, so that a drag may leave the
// picture and its end is not missed; where it is missed all the same, everything is let go in the page.
import type { SentMessage } from '../src/page/view/messages.ts';
import type { Listen, Place, Point, Send } from './parts.ts';
import { modifiersOf } from './place.ts';

type MouseMessage = Extract<SentMessage, { type: 'mouse' }>;

interface Parts {
  screen: HTMLElement;
  send: Send;
  on: Listen;
  place(point: Point): Place;
  focus(): void;
}

/** As in the DOM: the bit of each button in `buttons`. */
const bits = { left: 1, right: 2, middle: 4, back: 8, forward: 16 };
const moveEveryMs = 15;
const againMs = 500;
const againPx = 5;

export function sendPointer({ screen, send, on, place, focus }: Parts): void {
  let held = 0;
  let last = { at: 0, x: 0, y: 0, button: '', count: 0 };

  const say = (kind: MouseMessage['kind'], event: MouseEvent, more: Partial<MouseMessage>): void =>
    send({ ...more, type: 'mouse', kind, ...place(event), modifiers: modifiersOf(event) });

  /** Pointer events do not count clicks, so they are counted here. */
  const clicksOf = (
    kind: 'down' | 'up',
    button: string,
    { timeStamp, clientX, clientY }: PointerEvent,
  ): number => {
    if (kind === 'up') return last.count;
    const near = Math.hypot(clientX - last.x, clientY - last.y) < againPx;
    const again = last.button === button && timeStamp - last.at < againMs && near;
    last = { at: timeStamp, x: clientX, y: clientY, button, count: again ? Math.min(last.count + 1, 3) : 1 };
    return last.count;
  };

  /** All buttons of a mouse share one pointer: a second one is pressed and released in a move of it. */
  const follow = (event: PointerEvent, now: number): boolean => {
    let changed = false;
    for (const [button, bit] of Object.entries(bits) as [keyof typeof bits, number][]) {
      if (((now ^ held) & bit) === 0) continue;
      held ^= bit;
      changed = true;
      const kind = held & bit ? 'down' : 'up';
      say(kind, event, { button, buttons: held, clicks: clicksOf(kind, button, event) });
    }
    return changed;
  };

  const lost = (): void => {
    if (held === 0) return;
    held = 0;
    send({ type: 'release' });
  };

  const ofMouse = (handle: (event: PointerEvent) => void) => (event: PointerEvent) =>
    event.pointerType !== 'touch' && handle(event);
  on(
    'pointerdown',
    ofMouse((event) => {
      event.preventDefault();
      screen.setPointerCapture(event.pointerId);
      focus();
      follow(event, event.buttons);
    }),
  );
  on(
    'pointerup',
    ofMouse((event) => {
      event.preventDefault();
      follow(event, event.buttons);
    }),
  );
  let movedAt = 0;
  on(
    'pointermove',
    ofMouse((event) => {
      // a button that was pressed elsewhere is not pressed in the page
      const pressedHere = event.button === -1 ? held : 31;
      if (follow(event, event.buttons & pressedHere)) return;
      if (event.timeStamp - movedAt < moveEveryMs && held === 0) return;
      movedAt = event.timeStamp;
      say('move', event, { buttons: held });
    }),
  );
  on('pointercancel', ofMouse(lost));
  on('lostpointercapture', ofMouse(lost));
  on('contextmenu', (event) => event.preventDefault());
  on(
    'wheel',
    (event) => {
      event.preventDefault();
      const { deltaX, deltaY } = event;
      say('wheel', event, { deltaX, deltaY, buttons: held });
    },
    { passive: false },
  );
}

// Fingers on the picture: one belongs to the page, two zoom and move the picture itself, for a page made for a desktop is
// small on a phone. What the first finger began in the page is cancelled when the second one comes.
import type { SentMessage } from '../src/page/view/messages.ts';
import type { Fingers, Zoom } from './layout.ts';
import type { Place, Point, Send } from './parts.ts';
import { modifiersOf } from './place.ts';

type Kind = Extract<SentMessage, { type: 'touch' }>['kind'];

interface Parts {
  screen: HTMLElement;
  send: Send;
  allowed(): boolean;
  place(point: Point): Place;
  zoom: Zoom;
}

/** Undefined: there are fewer. */
const firstTwo = ({ touches: [first, second] }: TouchEvent): Fingers | undefined =>
  first && second && [first, second];

export function sendTouch({ screen, send, allowed, place, zoom }: Parts): void {
  let inPage = false;
  let isZooming = false;
  const say = (kind: Kind, event: TouchEvent): void => {
    const points = [...event.touches].map((each) => ({ ...place(each), id: each.identifier % 1000 }));
    send({ type: 'touch', kind, points, modifiers: modifiersOf(event) });
  };
  const handle: Record<Kind, (event: TouchEvent) => void> = {
    start(event) {
      const fingers = firstTwo(event);
      if (fingers) {
        if (inPage) say('cancel', event);
        inPage = false;
        isZooming = true;
        return zoom.begin(fingers);
      }
      inPage = allowed() && !isZooming;
      if (inPage) say('start', event);
    },
    move(event) {
      const fingers = firstTwo(event);
      if (inPage) say('move', event);
      else if (fingers) zoom.move(fingers);
    },
    end(event) {
      if (inPage) say('end', event);
      const fingers = firstTwo(event);
      // the finger that is left after a zoom must not press anything in the page
      if (event.touches.length === 0) inPage = isZooming = false;
      else if (fingers) zoom.begin(fingers);
    },
    cancel(event) {
      if (inPage) say('cancel', event);
      inPage = isZooming = false;
    },
  };
  for (const kind of Object.keys(handle) as Kind[])
    screen.addEventListener(
      `touch${kind}`,
      (event) => {
        event.preventDefault();
        handle[kind](event);
      },
      { passive: false },
    );
}

// Fingers on the picture: one belongs to the page, two zoom and move the picture itself, for a page made for a desktop is
// small on a phone. What the first finger began in the page is cancelled when the second one comes.
import { modifiersOf } from './place.js';

export function sendTouch({ screen, send, allowed, place, zoom }) {
  let inPage = false;
  let isZooming = false;
  const say = (kind, event) => {
    const points = [...event.touches].map((each) => ({ ...place(each), id: each.identifier % 1000 }));
    send({ type: 'touch', kind, points, modifiers: modifiersOf(event) });
  };
  const handle = {
    start(event) {
      if (event.touches.length < 2) {
        inPage = allowed() && !isZooming;
        return inPage && say('start', event);
      }
      if (inPage) say('cancel', event);
      inPage = false;
      isZooming = true;
      zoom.begin(event.touches);
    },
    move(event) {
      if (inPage) say('move', event);
      else if (event.touches.length >= 2) zoom.move(event.touches);
    },
    end(event) {
      if (inPage) say('end', event);
      // the finger that is left after a zoom must not press anything in the page
      if (event.touches.length === 0) inPage = isZooming = false;
      else if (event.touches.length >= 2) zoom.begin(event.touches);
    },
    cancel(event) {
      if (inPage) say('cancel', event);
      inPage = isZooming = false;
    },
  };
  for (const [kind, react] of Object.entries(handle))
    screen.addEventListener(
      `touch${kind}`,
      (event) => {
        event.preventDefault();
        react(event);
      },
      { passive: false },
    );
}

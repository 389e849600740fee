// A person's hand on the picture: mouse, fingers and keys, sent as messages in the coordinates of the page it shows.
import { sendKeys } from './keyboard.js';
import { placeIn } from './place.js';
import { sendPointer } from './pointer.js';
import { sendTouch } from './touch.js';

export function sendInput({ screen, keys, send, allowed, size, zoom, clipboard, leave }) {
  const listen = (target) => (type, handle, options) =>
    target.addEventListener(type, (event) => allowed() && handle(event), options);
  const place = (point) => placeIn(screen, size, point);
  const on = listen(screen);
  sendPointer({ screen, send, on, place, focus: () => keys.focus({ preventScroll: true }) });
  // who only watches may enlarge the picture too
  sendTouch({ screen, send, allowed, place, zoom });
  sendKeys({ keys, send, on: listen(keys), copy: clipboard.copy, paste: clipboard.paste, leave });
}

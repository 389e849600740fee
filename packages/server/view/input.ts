// A person's hand on the picture: mouse, fingers and keys, sent as messages in the coordinates of the page it shows.
import type { Clipboard } from './clipboard.ts';
import { sendKeys } from './keyboard.ts';
import type { Zoom } from './layout.ts';
import type { Listen, Point, Send, Size } from './parts.ts';
import { placeIn } from './place.ts';
import { sendPointer } from './pointer.ts';
import { sendTouch } from './touch.ts';

interface Parts {
  screen: HTMLElement;
  keys: HTMLTextAreaElement;
  send: Send;
  allowed(): boolean;
  size(): Size;
  zoom: Zoom;
  clipboard: Clipboard;
  /** The way out of the page for a person who has only the keyboard. */
  leave(): void;
}

export function sendInput({ screen, keys, send, allowed, size, zoom, clipboard, leave }: Parts): void {
  const listen =
    (target: HTMLElement): Listen =>
    (type, handle, options) =>
      target.addEventListener(type, (event) => allowed() && handle(event), options);
  const place = (point: Point) => placeIn(screen, size, point);
  const on = listen(screen);
  sendPointer({ screen, send, on, place, focus: () => keys.focus({ preventScroll: true }) });
  // who only watches may enlarge the picture too
  sendTouch({ screen, send, allowed, place, zoom });
  sendKeys({ keys, send, on: listen(keys), copy: clipboard.copy, paste: clipboard.paste, leave });
}

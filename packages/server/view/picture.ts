// The picture of the page. A picture is decoded beside the work of this page; one that is decoded after a newer one is not
// drawn. Every picture is confirmed, drawn or not, because the service sends the next ones at that pace.
import type { FrameFacts } from '../src/page/view/told.ts';

interface Listener {
  /** Hears what the service says of the picture that is shown from then on. */
  onFrame(frame: FrameFacts): void;
  onDone(): void;
}

export function pictureOn(
  screen: HTMLCanvasElement,
  { onFrame, onDone }: Listener,
): (data: ArrayBuffer) => Promise<void> {
  const context = screen.getContext('2d', { alpha: false })!;
  let last = 0;
  let shown = 0;
  const show = (picture: ImageBitmap, frame: FrameFacts): void => {
    if (screen.width !== picture.width) screen.width = picture.width;
    if (screen.height !== picture.height) screen.height = picture.height;
    context.drawImage(picture, 0, 0);
    onFrame(frame);
  };
  return async (data) => {
    const order = ++last;
    const length = new DataView(data).getUint32(0);
    const frame: FrameFacts = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    const bytes = new Blob([new Uint8Array(data, 4 + length)], { type: 'image/jpeg' });
    try {
      const picture = await createImageBitmap(bytes);
      if (order > shown) {
        shown = order;
        show(picture, frame);
      }
      picture.close();
    } finally {
      onDone();
    }
  };
}

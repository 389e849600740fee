/**
 * Which page a frame is in. The outermost frame of a page has the id of its target; Chromium sends an event
 * for each frame inside. There is none for a frame inside one that runs in another process: it is its own outermost then.
 */
import type { Cdp } from '../../chromium/chromium.ts';

const mostKept = 10_000;

export class Frames {
  readonly #parents = new Map<string, string>();

  constructor(cdp: Cdp) {
    cdp.on('Page.frameAttached', ({ frameId, parentFrameId }) => {
      this.#parents.set(frameId, parentFrameId);
      const [oldest = ''] = this.#parents.keys();
      // There is no event for the frames of a page that closes.
      if (this.#parents.size > mostKept) this.#parents.delete(oldest);
    });
    cdp.on('Page.frameDetached', ({ frameId, reason }) => {
      if (reason === 'remove') this.#parents.delete(frameId);
    });
  }

  outermost(frameId: string): string {
    let at = frameId;
    for (let parent = this.#parents.get(at); parent; parent = this.#parents.get(at)) at = parent;
    return at;
  }
}

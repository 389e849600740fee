// Where things are: the picture on the screen of the viewer, and the page in the picture.
import type { Place, Point, Size } from './parts.ts';

/** The place in the page, in its CSS pixels, under a point of the window. Zoom and full screen are part of the box. */
export function placeIn(screen: HTMLElement, size: () => Size, { clientX, clientY }: Point): Place {
  const box = screen.getBoundingClientRect();
  const { width, height } = size();
  return {
    x: ((clientX - box.left) / box.width) * width,
    y: ((clientY - box.top) / box.height) * height,
  };
}

export const modifiersOf = (
  event: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
): number =>
  (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);

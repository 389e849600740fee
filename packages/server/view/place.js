// Where things are: the picture on the screen of the viewer, and the page in the picture.

/** The place in the page, in its CSS pixels, under a point of the window. Zoom and full screen are part of the box. */
export function placeIn(screen, size, { clientX, clientY }) {
  const box = screen.getBoundingClientRect();
  const { width, height } = size();
  return {
    x: ((clientX - box.left) / box.width) * width,
    y: ((clientY - box.top) / box.height) * height,
  };
}

export const modifiersOf = (event) =>
  (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);

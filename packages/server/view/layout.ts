// How large the picture is: as large as its place allows, larger by two fingers, and the whole screen on request.
import type { Place, Point, Size } from './parts.ts';

const largest = 6;

interface Parts {
  screen: HTMLElement;
  stage: HTMLElement;
  full: HTMLElement;
  fit: HTMLElement;
  size(): Size;
}

/** The two fingers that zoom. */
export type Fingers = readonly [Point, Point];
export interface Zoom {
  begin(fingers: Fingers): void;
  move(fingers: Fingers): void;
}

interface Pinch {
  spread: number;
  scale: number;
  /** Of the picture without zoom. */
  corner: Place;
  /** Of the picture, between the fingers. */
  point: Place;
}

export function layOut({ screen, stage, full, fit, size }: Parts): { fitIn(): void; zoom: Zoom } {
  let zoom = { scale: 1, x: 0, y: 0 };
  let pinch: Pinch | undefined;

  const isFull = (): boolean => document.body.classList.contains('full');

  const showZoom = (): void => {
    const { scale, x, y } = zoom;
    screen.style.transform = scale === 1 ? '' : `translate(${x}px, ${y}px) scale(${scale})`;
    fit.hidden = scale === 1;
  };

  /** The zoomed picture covers its own place, so that it cannot get lost. */
  const within = (offset: number, length: number, scale: number): number =>
    Math.min(0, Math.max(length * (1 - scale), offset));
  const moveTo = (scale: number, x: number, y: number): void => {
    zoom = { scale, x: within(x, screen.offsetWidth, scale), y: within(y, screen.offsetHeight, scale) };
    showZoom();
  };

  /** Outside of the full screen it is not drawn larger than it is. */
  const fitIn = (): void => {
    const { width, height } = size();
    const room = Math.min(stage.clientWidth / width, stage.clientHeight / height);
    const scale = isFull() ? room : Math.min(room, 1);
    const [wide, high] = [`${Math.floor(width * scale)}px`, `${Math.floor(height * scale)}px`];
    if (screen.style.width === wide && screen.style.height === high) return;
    const before = Number.parseFloat(screen.style.width) || 1;
    screen.style.width = wide;
    screen.style.height = high;
    const by = screen.offsetWidth / before;
    moveTo(zoom.scale, zoom.x * by, zoom.y * by);
  };

  const middleOf = ([a, b]: Fingers): Place => ({
    x: (a.clientX + b.clientX) / 2,
    y: (a.clientY + b.clientY) / 2,
  });
  const spreadOf = ([a, b]: Fingers): number =>
    Math.max(Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), 1);

  const begin = (fingers: Fingers): void => {
    const box = screen.getBoundingClientRect();
    const middle = middleOf(fingers);
    pinch = {
      spread: spreadOf(fingers),
      scale: zoom.scale,
      corner: { x: box.left - zoom.x, y: box.top - zoom.y },
      point: { x: (middle.x - box.left) / zoom.scale, y: (middle.y - box.top) / zoom.scale },
    };
  };
  const move = (fingers: Fingers): void => {
    if (!pinch) return;
    const middle = middleOf(fingers);
    const scale = Math.min(Math.max((pinch.scale * spreadOf(fingers)) / pinch.spread, 1), largest);
    const { corner, point } = pinch;
    moveTo(scale, middle.x - corner.x - point.x * scale, middle.y - corner.y - point.y * scale);
  };
  fit.onclick = () => moveTo(1, 0, 0);

  const showFull = (on: boolean): void => {
    document.body.classList.toggle('full', on);
    full.setAttribute('aria-pressed', String(on));
    fitIn();
  };
  full.onclick = async () => {
    const on = !isFull();
    // a phone without a full screen for pages at least gives the picture all of the page
    showFull(on);
    try {
      if (on) await document.documentElement.requestFullscreen?.();
      else if (document.fullscreenElement) await document.exitFullscreen();
    } catch {
      // refused by the web browser or by the page that frames this one: the picture has all of this page
    }
  };
  document.addEventListener('fullscreenchange', () => showFull(document.fullscreenElement !== null));
  new ResizeObserver(fitIn).observe(stage);
  return { fitIn, zoom: { begin, move } };
}

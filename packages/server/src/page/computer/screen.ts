/**
 * Where a place in the picture lies in the page. The model sees a picture, the page has CSS pixels, and Chromium draws device
 * pixels; one factor leads from each to the next, so that nothing is rounded on the way:
 *
 *   picture pixel ──/ factor──> CSS pixel ──× deviceScaleFactor──> device pixel
 */
import type { Scale } from './schema.ts';

export interface Place {
  x: number;
  y: number;
}

/** What shows of the page, in CSS pixels. */
export interface View {
  width: number;
  height: number;
  /** How far the page is scrolled. */
  left: number;
  top: number;
}

export interface Screen {
  view: View;
  /** Pixels of the picture for each CSS pixel. */
  factor: number;
  width: number;
  height: number;
}

export function screenOf(view: View, scale: Scale | undefined): Screen {
  const factor = factorOf(view, scale);
  const whole = (side: number): number => Math.max(1, Math.round(side * factor));
  return { view, factor, width: whole(view.width), height: whole(view.height) };
}

function factorOf({ width, height }: View, scale: Scale | undefined): number {
  if (!scale || width === 0 || height === 0) return 1;
  if ('maxSide' in scale) return Math.min(1, scale.maxSide / Math.max(width, height));
  return Math.min(scale.width / width, scale.height / height);
}

export type Unit = 'pixels' | 'thousandths';

/** Undefined: outside the page. The far edges are still the last pixel, for models count them in. */
export function inPage({ view, factor, width, height }: Screen, place: Place, unit: Unit): Place | undefined {
  const { x, y } =
    unit === 'pixels'
      ? { x: place.x / factor, y: place.y / factor }
      : { x: (place.x / 1000) * view.width, y: (place.y / 1000) * view.height };
  // The picture is rounded to whole pixels, so its edge may lie a little beside that of the page.
  const [right, bottom] = [Math.max(view.width, width / factor), Math.max(view.height, height / factor)];
  if (!(x >= 0 && y >= 0 && x <= right && y <= bottom)) return undefined;
  const last = 1 / 1024;
  return { x: Math.min(x, view.width - last), y: Math.min(y, view.height - last) };
}

export const inPicture = ({ factor }: Screen, { x, y }: Place): Place => ({ x: x * factor, y: y * factor });

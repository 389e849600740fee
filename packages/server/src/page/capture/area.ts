/**
 * Which part of the page a picture shows, as Chromium wants to hear it. Drawing beyond the viewport makes the page
 * hear a `resize`, so it is asked for only where the part does not show anyway.
 */
import { ApiError } from '../../errors.ts';
import type { Box, Measures } from '../inside/inside.ts';
import type { Picture, Wanted } from './schema.ts';

export interface Area {
  clip?: Box & { scale: number };
  captureBeyondViewport?: boolean;
}

/** Too tall to be drawn at once: parts of it, from the top, of so many device pixels in all. */
export interface TallArea {
  slices: Area[];
  rows: number;
}

/** Device pixels: Chromium draws no longer side right, and more in all takes gigabytes of memory. */
const longestSide = 16_384;
const mostPixels = longestSide * 4096;
/** A picture that is put together of parts. */
const tallestSide = 100_000;
const mostTallPixels = tallestSide * 4096;
const sliceRows = 4096;

export function areaOf(asked: Wanted, measures: Measures): Area | TallArea {
  const { view, page, element } = measures;
  const wanted = asked.fullPage ? { x: 0, y: 0, ...page } : (asked.clip ?? element);
  const fitting = ({ width, height }: Box): number =>
    asked.deviceScaleFactor === undefined
      ? Math.min(1, (asked.maxSide ?? longestSide) / (Math.max(width, height) * measures.scale))
      : asked.deviceScaleFactor / measures.scale;
  const drawnAt = Math.max(measures.scale, asked.deviceScaleFactor ?? 0);
  if (!wanted) {
    refuseTooLarge(view, drawnAt, 'The viewport');
    return fitting(view) === 1 ? {} : { clip: { ...view, scale: fitting(view) } };
  }
  const box = within(wanted, page);
  if (box.width <= 0 || box.height <= 0) throw outside(asked, page);
  const tall = tallArea(asked, box, measures.scale);
  if (tall) return tall;
  refuseTooLarge(box, drawnAt, asked.fullPage ? 'The page' : asked.clip ? 'The clip' : 'The element');
  return { clip: { ...box, scale: fitting(box) }, captureBeyondViewport: !isWithin(box, view) };
}

/** Only of a PNG in its own size: parts of another kind cannot be put together without drawing them anew. */
function tallArea(asked: Wanted, box: Box, scale: number): TallArea | undefined {
  // Chromium rounds what is left of a pixel at the end.
  const [across, down] = [box.width * scale, Math.round(box.height * scale)];
  const isSized = asked.maxSide !== undefined || asked.deviceScaleFactor !== undefined;
  if (asked.format !== 'png' || isSized) return undefined;
  if (across > longestSide || (down <= longestSide && across * down <= mostPixels)) return undefined;
  if (down > tallestSide || across * down > mostTallPixels) return undefined;
  let step = Math.floor(sliceRows / scale);
  // Parts begin and end at whole device pixels, or there would be seams.
  while (step > 0 && !isWhole(step * scale)) step--;
  if (step === 0) return undefined;
  const slices: Area[] = [];
  for (let y = 0; y < box.height; y += step) {
    const height = Math.min(step, box.height - y);
    slices.push({ clip: { ...box, y: box.y + y, height, scale: 1 }, captureBeyondViewport: true });
  }
  return { slices, rows: down };
}

/** As far as a scale such as 1.1, which no computer holds exactly, lets it be. */
const isWhole = (pixels: number): boolean => Math.abs(pixels - Math.round(pixels)) < 1e-6;

/** In whole pixels, around what was asked for, cut off where the page ends. */
function within(box: Box, page: { width: number; height: number }): Box {
  const [x, y] = [Math.max(0, Math.floor(box.x)), Math.max(0, Math.floor(box.y))];
  const right = Math.min(Math.ceil(page.width), Math.ceil(box.x + box.width));
  const bottom = Math.min(Math.ceil(page.height), Math.ceil(box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

const isWithin = (box: Box, view: Box): boolean =>
  box.x >= view.x &&
  box.y >= view.y &&
  box.x + box.width <= view.x + view.width &&
  box.y + box.height <= view.y + view.height;

const outside = ({ clip, selector }: Picture, page: { width: number; height: number }): ApiError => {
  const size = `${Math.ceil(page.width)} × ${Math.ceil(page.height)} CSS pixels`;
  if (!clip)
    return new ApiError(
      'ELEMENT_NOT_ACTIONABLE',
      `The element ${selector} lies outside the page, which is ${size}; nothing can be seen of it.`,
      { details: { selector, page } },
    );
  return new ApiError(
    'VALIDATION_FAILED',
    `\`clip\` lies outside the page, which is ${size}. Choose a part of it.`,
    { details: { issues: [{ path: 'clip', reason: `outside the page of ${size}` }], page } },
  );
};

function refuseTooLarge({ width, height }: Box, scale: number, what: string): void {
  const [across, down] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  if (Math.max(across, down) <= longestSide && across * down <= mostPixels) return;
  const limits = `${longestSide} on a side and ${mostPixels} in all (of a PNG in its own size ${tallestSide} down and ${mostTallPixels} in all)`;
  const mend =
    scale > 1
      ? 'Capture parts with `clip`, or use a smaller `deviceScaleFactor`.'
      : 'Capture parts with `clip`.';
  throw new ApiError(
    'CAPTURE_TOO_LARGE',
    `${what} is ${width} × ${height} CSS pixels, as a picture ${across} × ${down} pixels; at most ${limits} can be drawn. ${mend}`,
    { details: { width, height, deviceScaleFactor: scale, longestSide, mostPixels } },
  );
}

/** Where in a picture lies what is of no interest in it. */
import { ApiError } from '../../errors.ts';
import type { Measures } from '../inside/inside.ts';
import type { PixelBox } from '../pixels/pixels.ts';
import { drawingProgram, lookInto, type PageTarget } from '../reach/reach.ts';
import type { Area, TallArea } from './area.ts';

const mostBoxes = 1000;

export async function ignoredIn(
  page: PageTarget,
  selectors: readonly string[] = [],
  area: Area | TallArea,
  { view, scale }: Pick<Measures, 'view' | 'scale'>,
): Promise<PixelBox[]> {
  if (selectors.length === 0) return [];
  const boxes = await lookInto(page, drawingProgram.call('boxesOf', [...selectors], mostBoxes));
  if ('wrong' in boxes)
    throw new ApiError(
      'VALIDATION_FAILED',
      `\`ignore\` has what is not a CSS selector: ${boxes.wrong.slice(0, 200)}`,
      { details: { issues: [{ path: 'ignore', reason: 'not a CSS selector' }] } },
    );
  const { clip } = 'slices' in area ? (area.slices[0] ?? {}) : area;
  const { x, y } = clip ?? view;
  const perPixel = scale * (clip?.scale ?? 1);
  return boxes.map((box) => ({
    left: Math.floor((box.x - x) * perPixel),
    top: Math.floor((box.y - y) * perPixel),
    right: Math.ceil((box.x + box.width - x) * perPixel),
    bottom: Math.ceil((box.y + box.height - y) * perPixel),
  }));
}

/**
 * Looks at a page before it is captured: waits for its web fonts, and finds out how large it is, what of it shows, and
 * where an element lies.
 */
import { ApiError } from '../../errors.ts';
import type { Measured, Measures } from '../inside/inside.ts';
import { drawingProgram, lookInto, nearestCandidates, type PageTarget } from '../reach/reach.ts';

/** A font that never comes must not hold up everything. */
const fontsMs = 2500;

/** Whether the caller wants them waited for. */
interface FontsWish {
  waitForFonts?: boolean;
}

const patienceFor = ({ waitForFonts = true }: FontsWish): number => (waitForFonts ? fontsMs : 0);

export async function whenFontsAreThere(page: PageTarget, wish: FontsWish): Promise<void> {
  const mostMs = patienceFor(wish);
  if (mostMs > 0) await lookInto(page, drawingProgram.call('whenFontsAreThere', mostMs));
}

/** `putBack` undoes what had to be scrolled. */
export async function measure(
  page: PageTarget,
  selector: string | undefined,
  wish: FontsWish,
): Promise<Measures & { putBack(): Promise<void> }> {
  const seen = await lookInto(page, drawingProgram.call('measure', patienceFor(wish), selector));
  if (!('scale' in seen)) throw await whyNot(page, selector ?? '', seen);
  const putBack = async (): Promise<void> => {
    if (seen.element?.moved) await lookInto(page, drawingProgram.call('scrollBack')).catch(() => undefined);
  };
  return { ...seen, putBack };
}

type NotSeen = Exclude<Measured, { scale: number }>;

async function whyNot(page: PageTarget, selector: string, seen: NotSeen): Promise<ApiError> {
  if ('missing' in seen)
    return new ApiError('SELECTOR_NOT_FOUND', `Nothing on the page matches ${selector}.`, {
      details: { selector, candidates: await nearestCandidates(page, selector) },
    });
  if ('unseen' in seen)
    return new ApiError(
      'ELEMENT_NOT_ACTIONABLE',
      `The element ${selector} is there, but has no size or is hidden, so there is nothing to see of it. Make it show first, or name another.`,
      { details: { selector } },
    );
  return new ApiError('VALIDATION_FAILED', `\`selector\` is not a CSS selector: ${seen.wrong}`, {
    details: { issues: [{ path: 'selector', reason: 'not a CSS selector' }] },
  });
}

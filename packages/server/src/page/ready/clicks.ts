/** A click on what a selector finds, as real input: the page cannot tell it from a person's. */
import { ApiError } from '../../errors.ts';
import { lookInto, nearestCandidates, type PageTarget, stagingProgram } from '../reach/reach.ts';
import type { Waiting } from '../visit/visit.ts';

const inputMs = 5000;

/** False: it is not there, and need not be. */
export async function clickOn(
  page: PageTarget,
  selector: string,
  { path, optional }: { path: string; optional: boolean },
  waiting: Waiting,
): Promise<boolean> {
  const place = await lookInto(page, stagingProgram.call('placeToClick', selector), waiting.left());
  if (place === 'bad')
    throw new ApiError('VALIDATION_FAILED', `\`${path}\` is not a CSS selector: ${selector.slice(0, 200)}`, {
      details: { issues: [{ path, reason: 'not a CSS selector' }] },
    });
  if (typeof place === 'string' && optional) return false;
  if (place === 'missing')
    throw new ApiError(
      'SELECTOR_NOT_FOUND',
      `\`${path}\`: nothing on the page matches ${selector}. Name another, or send {"selector": …, "optional": true}.`,
      { details: { selector, candidates: await nearestCandidates(page, selector) } },
    );
  if (place === 'unseen')
    throw new ApiError(
      'ELEMENT_NOT_ACTIONABLE',
      `\`${path}\`: ${selector} is there, but hidden or without size, so it cannot be clicked.`,
      { details: { selector } },
    );
  const press = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased') =>
    page.cdp.send(
      'Input.dispatchMouseEvent',
      { type, ...place, ...(type !== 'mouseMoved' && { button: 'left' as const, clickCount: 1 }) },
      { sessionId: page.sessionId, timeoutMs: inputMs },
    );
  for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'] as const) await press(type);
  return true;
}

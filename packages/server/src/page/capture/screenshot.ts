/**
 * A picture of a page, drawn by Chromium itself, so that a script that runs or hangs is no hindrance:
 *
 *   fonts there, measures taken ──> Page.captureScreenshot ──> bytes
 *   dialog open, or page busy ────> the last frame it drew
 */
import { CdpError } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import { dialogOpen, type PageTarget, pageCrashed, unlessItEnds } from '../reach/reach.ts';
import { areaOf } from './area.ts';
import { inFront } from './in-front.ts';
import { lastFrame } from './last-frame.ts';
import { measure } from './measure.ts';
import type { Wanted } from './schema.ts';

const captureMs = 20_000;
const usualQuality = 80;

export async function takeScreenshot(page: PageTarget, asked: Wanted): Promise<Buffer> {
  if (page.blocker() === 'crashed') throw pageCrashed(page);
  try {
    if (page.blocker() === 'dialog') throw dialogOpen();
    return await unlessItEnds(page, () => inFront(page, () => drawn(page, asked)));
  } catch (error) {
    if (!(error instanceof ApiError) || !['DIALOG_OPEN', 'BROWSER_UNRESPONSIVE'].includes(error.code))
      throw error;
    return lastFrame(page, asked, error);
  }
}

/** A page that navigates at this very moment is asked once more. */
async function drawn(page: PageTarget, asked: Wanted): Promise<Buffer> {
  try {
    return await draw(page, asked);
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
  }
  try {
    return await draw(page, asked);
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    throw page.blocker() === 'crashed' ? pageCrashed(page) : cannotDraw(error);
  }
}

const cannotDraw = (error: CdpError): ApiError =>
  new ApiError('BROWSER_UNRESPONSIVE', `Chromium could not draw the page: ${error.reason}. Try again.`, {
    details: { method: error.method },
    cause: error,
  });

async function draw(page: PageTarget, asked: Wanted): Promise<Buffer> {
  const { cdp, sessionId } = page;
  const { format, quality = usualQuality, omitBackground, selector } = asked;
  const { putBack, ...measures } = await measure(page, selector);
  const background = (color?: { r: number; g: number; b: number; a: number }) =>
    cdp.send('Emulation.setDefaultBackgroundColorOverride', { color }, { sessionId });
  try {
    const area = areaOf(asked, measures);
    if (omitBackground) await background({ r: 0, g: 0, b: 0, a: 0 });
    const { data } = await cdp.send(
      'Page.captureScreenshot',
      // The fast PNG takes about half the time of the smallest one, for more bytes.
      { format, ...(format !== 'png' && { quality }), optimizeForSpeed: true, ...area },
      { sessionId, timeoutMs: captureMs },
    );
    return Buffer.from(data, 'base64');
  } finally {
    if (omitBackground) await background().catch(() => undefined);
    await putBack();
  }
}

/**
 * A picture of a page, drawn by Chromium itself, so that a script that runs or hangs is no hindrance:
 *
 *   fonts there, measures taken ──> Page.captureScreenshot ──> bytes
 *   dialog open, or page busy ────> the last frame it drew
 */
import { CdpError } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { Measures } from '../inside/inside.ts';
import type { Taken } from '../pixels/pixels.ts';
import {
  dialogOpen,
  drawingProgram,
  type PageSession,
  type PageTarget,
  pageCrashed,
  unlessItEnds,
} from '../reach/reach.ts';
import type { AtRest } from '../visit/visit.ts';
import { type Area, areaOf, type TallArea } from './area.ts';
import { ignoredIn } from './ignored.ts';
import { inFront } from './in-front.ts';
import { lastFrame } from './last-frame.ts';
import { measure } from './measure.ts';
import { joined } from './png-join.ts';
import type { Wanted } from './schema.ts';

const captureMs = 20_000;
const usualQuality = 80;
/** Of a picture put together of parts, which is kept until it is sent. */
const mostTallBytes = 64 * 1024 ** 2;

/** What is known of the page before it is drawn, and is still so. */
export interface Ahead {
  measures: Measures & { putBack?: undefined };
  /** What its viewport shows. */
  bytes?: Buffer;
}

/** CSS pixels of a viewport that are drawn before it is known whether the picture is wanted. */
const mostAhead = 4_000_000;

/** Of a page that is visited for the picture: it is measured, and where its viewport is wanted drawn, as soon as it is loaded. */
export function pictureAtRest(
  asked: Wanted,
  viewport: { width: number; height: number },
): AtRest | undefined {
  if (asked.selector !== undefined) return undefined;
  const measuring = { load: drawingProgram.load(), look: drawingProgram.callLoaded('measureAtOnce') };
  const { fullPage, clip, omitBackground, maxSide, deviceScaleFactor } = asked;
  const isOtherwise = fullPage || omitBackground || (clip ?? maxSide ?? deviceScaleFactor) !== undefined;
  if (isOtherwise || viewport.width * viewport.height > mostAhead) return measuring;
  return { ...measuring, draw: (page) => shoot(page, asked, {}) };
}

/** What `pictureAtRest` brought. Without measures its fonts were not all there. */
export const aheadOf = ({ atRest, drawn }: { atRest?: unknown; drawn?: unknown }): Ahead | undefined =>
  isMeasured(atRest) ? { measures: atRest, ...(Buffer.isBuffer(drawn) && { bytes: drawn }) } : undefined;

const isMeasured = (seen: unknown): seen is Measures =>
  typeof seen === 'object' && seen !== null && 'scale' in seen;

export const takeScreenshot = async (page: PageTarget, asked: Wanted): Promise<Buffer> =>
  (await takePicture(page, asked)).bytes;

/** With the boxes of what is of no interest in it. */
export async function takePicture(page: PageTarget, asked: Wanted, ahead?: Ahead): Promise<Taken> {
  if (page.blocker() === 'crashed') throw pageCrashed(page);
  try {
    if (page.blocker() === 'dialog') throw dialogOpen();
    return await unlessItEnds(page, () => inFront(page, () => drawn(page, asked, ahead)));
  } catch (error) {
    if (!(error instanceof ApiError) || !['DIALOG_OPEN', 'BROWSER_UNRESPONSIVE'].includes(error.code))
      throw error;
    return { bytes: await lastFrame(page, asked, error), ignored: [] };
  }
}

/** A page that navigates at this very moment is asked once more. */
async function drawn(page: PageTarget, asked: Wanted, ahead: Ahead | undefined): Promise<Taken> {
  try {
    return await draw(page, asked, ahead);
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

async function draw(page: PageTarget, asked: Wanted, ahead?: Ahead): Promise<Taken> {
  const { cdp, sessionId } = page;
  const { omitBackground, selector } = asked;
  const { putBack, ...measures } = ahead?.measures ?? (await measure(page, selector, asked));
  const background = (color?: { r: number; g: number; b: number; a: number }) =>
    cdp.send('Emulation.setDefaultBackgroundColorOverride', { color }, { sessionId });
  try {
    const area = areaOf(asked, measures);
    const ignored = await ignoredIn(page, asked.ignore, area, measures);
    if (omitBackground) await background({ r: 0, g: 0, b: 0, a: 0 });
    if (ahead?.bytes && !('slices' in area) && !area.clip) return { bytes: ahead.bytes, ignored };
    const shootPart = (part: Area) => shoot(page, asked, part);
    return {
      bytes: 'slices' in area ? await inOne(area, shootPart) : await shoot(page, asked, area),
      ignored,
    };
  } finally {
    if (omitBackground) await background().catch(() => undefined);
    await putBack?.();
  }
}

type Kind = Pick<Wanted, 'format' | 'quality'>;
async function shoot(
  { cdp, sessionId }: PageSession,
  { format, quality = usualQuality }: Kind,
  part: Area,
): Promise<Buffer> {
  const { data } = await cdp.send(
    'Page.captureScreenshot',
    // The fast PNG takes about half the time of the smallest one, for more bytes.
    { format, ...(format !== 'png' && { quality }), optimizeForSpeed: true, ...part },
    { sessionId, timeoutMs: captureMs },
  );
  return Buffer.from(data, 'base64');
}

/** One part at a time is in memory besides what has been put together. */
async function inOne({ slices, rows }: TallArea, shoot: (part: Area) => Promise<Buffer>): Promise<Buffer> {
  async function* parts(): AsyncGenerator<Buffer> {
    for (const slice of slices) yield await shoot(slice);
  }
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of joined(parts(), rows)) {
    bytes += piece.length;
    if (bytes > mostTallBytes)
      throw new ApiError(
        'CAPTURE_TOO_LARGE',
        `The picture of the whole page is larger than ${mostTallBytes} bytes. Capture parts with \`clip\`.`,
        { details: { mostBytes: mostTallBytes, rows } },
      );
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

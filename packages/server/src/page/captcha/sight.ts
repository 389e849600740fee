/** What a page shows of its captchas, in all of its frames, at one moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import type { CaptchaFound, CaptchaLook } from '../inside/inside.ts';
import { captchaProgram, type PageTarget } from '../reach/reach.ts';
import { type Frame, PageFrames } from './page-frames.ts';

export interface Sighting extends CaptchaFound {
  /** The same captcha of the same document has the same key in each look. */
  key: string;
  frame: Frame;
  pageUrl: string;
}

/** Frames that widgets bring with them; what they are part of is seen from outside. */
const widgetFrame =
  /^https?:\/\/([\w-]+\.)*((google\.[a-z.]+|recaptcha\.net)\/recaptcha|hcaptcha\.com|challenges\.cloudflare\.com|frcapi\.com|friendlycaptcha\.(com|eu)|geetest\.com)\//;

/** A page may move on under a look. */
const mostLooks = 3;
const againMs = 150;

export async function sightings(frames: PageFrames): Promise<{ sightings: Sighting[]; ready: boolean }> {
  for (let looks = 1; ; looks++) {
    try {
      return await lookAround(frames);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (looks === mostLooks)
        throw new ApiError(
          'BROWSER_UNRESPONSIVE',
          'The page is too busy, or changes too fast, to be looked at. Try again later.',
          { cause: error },
        );
      await sleep(againMs);
    }
  }
}

async function lookAround(frames: PageFrames): Promise<{ sightings: Sighting[]; ready: boolean }> {
  let all = await frames.list();
  const seen = new Map(await Promise.all(all.map((frame) => lookInto(frames, frame))));
  const inside = [...seen.values()].reduce((sum, each) => sum + (each?.frames ?? 0), 0);
  if (inside > all.length - 1) {
    await frames.reachOthers();
    all = await frames.list();
    const more = all.filter((frame) => !seen.has(frame));
    const known = new Set([...seen.keys()].map(({ frameId }) => frameId));
    for (const [frame, each] of await Promise.all(
      more.filter(({ frameId }) => !known.has(frameId)).map((frame) => lookInto(frames, frame)),
    ))
      seen.set(frame, each);
  }
  const pageUrl = all[0]?.url ?? '';
  const verified = new Set(
    [...seen].flatMap(([{ url, parentId }, each]) => (parentId && each?.verified ? url : [])),
  );
  const found = [...seen]
    .flatMap(([frame, each]) => ofFrame(frame, each, pageUrl))
    // The face of a widget that lives in a frame is in there.
    .map((each) => (verified.has(each.frameUrl ?? '') ? { ...each, verified: true } : each));
  return { sightings: withoutEchoes(found), ready: [...seen.values()][0]?.ready ?? false };
}

async function lookInto(frames: PageFrames, frame: Frame): Promise<[Frame, CaptchaLook | undefined]> {
  if (frame.parentId !== undefined && widgetFrame.test(frame.url)) return [frame, undefined];
  const main = frame.parentId === undefined;
  const seen = frames.evaluate(frame, captchaProgram.call('look'));
  return [frame, await (main ? seen : seen.catch(() => undefined))];
}

function ofFrame(frame: Frame, seen: CaptchaLook | undefined, pageUrl: string): Sighting[] {
  const counts = new Map<string, number>();
  return (seen?.items ?? []).map((found) => {
    const name = `${frame.loaderId}/${found.type}/${found.sitekey ?? ''}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    // A frame of the page is not the whole page.
    const blocking = found.blocking && frame.parentId === undefined;
    return { ...found, blocking, key: `${name}/${count}`, frame, pageUrl };
  });
}

/** A frame that looks like a widget from outside and shows what it is from inside is one captcha, not two. */
function withoutEchoes(all: Sighting[]): Sighting[] {
  const isEcho = (outer: Sighting): boolean =>
    outer.type === 'unknown' &&
    all.some(
      ({ frame, type }) => type !== 'unknown' && frame.url === outer.frameUrl && frame.parentId !== undefined,
    );
  const outside = all.filter((each) => !isEcho(each));
  return outside.filter(
    ({ type, frame }) => type !== 'unknown' || !outside.some(({ frameUrl }) => frameUrl === frame.url),
  );
}

/** The page has accepted it, as far as the page shows. `given` is a response that was put there from outside. */
export function isAccepted(sighting: Sighting, given?: string): boolean {
  const { type, response, verified, confirmed } = sighting;
  if (confirmed) return verified === true;
  if (response === undefined || response === given || verified === false) return false;
  // A field of an unknown widget may hold anything.
  return type !== 'unknown' || verified === true;
}

export async function sightingsOn(page: PageTarget): Promise<Sighting[]> {
  await using frames = new PageFrames(page);
  return (await sightings(frames)).sightings;
}

/**
 * A page that waits in a dialog or loops cannot be drawn anew, but the last frame it drew is still with the
 * compositor, which a screencast shows without asking the page. It is the viewport, in CSS pixels. The cast runs in a
 * session of its own, beside any other of the tab.
 */
import { ApiError } from '../../errors.ts';
import type { PageTarget } from '../reach/reach.ts';
import type { Wanted } from './schema.ts';

const frameMs = 3000;

export async function lastFrame(page: PageTarget, asked: Wanted, why: ApiError): Promise<Buffer> {
  const { format, quality, fullPage, selector, clip, omitBackground, maxSide } = asked;
  const isPlain = !fullPage && selector === undefined && !clip && !omitBackground && !asked.ignore?.length;
  if (format === 'webp' || !isPlain)
    throw new ApiError(
      why.code,
      `${why.message} Meanwhile there is only the last picture of the viewport: ask for it as png or jpeg, without other options.`,
      { details: why.details },
    );
  const { cdp, targetId } = page;
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const off = cdp.on('Page.screencastFrame', ({ data }, session) => {
    if (session === sessionId) resolve(Buffer.from(data, 'base64'));
  });
  const timer = setTimeout(() => reject(why), frameMs);
  try {
    const size = { maxWidth: maxSide, maxHeight: maxSide };
    cdp.send('Page.startScreencast', { format, quality, ...size }, { sessionId }).catch(reject);
    return await promise;
  } finally {
    clearTimeout(timer);
    off();
    // It ends with its session.
    await cdp.send('Target.detachFromTarget', { sessionId }).catch(() => undefined);
  }
}

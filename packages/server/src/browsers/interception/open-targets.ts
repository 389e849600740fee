/**
 * Chromium asks about the requests of a page, frame or worker if that began after rules were set. What was open before
 * notices them when its ways to the network are made anew, which Chromium does whenever interception is switched in a session
 * of its own. A worker of one page goes with its page; a shared worker keeps its ways until it starts again.
 *
 * All of it is done below a second session of the browser, whose events the rest of the service does not hear.
 */
import type { Cdp } from '../../chromium/chromium.ts';

const kinds = [{ type: 'page' }, { type: 'iframe' }, { type: 'service_worker' }];

export async function reachOpenTargets(cdp: Cdp): Promise<void> {
  const { sessionId: own } = await cdp.send('Target.attachToBrowserTarget');
  try {
    const { targetInfos } = await cdp.send('Target.getTargets', { filter: kinds }, { sessionId: own });
    await Promise.all(
      targetInfos.map(({ targetId }) => renewWays(cdp, own, targetId).catch(() => undefined)),
    );
  } finally {
    await cdp.send('Target.detachFromTarget', { sessionId: own });
  }
}

async function renewWays(cdp: Cdp, own: string, targetId: string): Promise<void> {
  const target = { targetId, flatten: true };
  const { sessionId } = await cdp.send('Target.attachToTarget', target, { sessionId: own });
  await cdp.send('Fetch.enable', { patterns: [] }, { sessionId });
  await cdp.send('Fetch.disable', undefined, { sessionId });
}

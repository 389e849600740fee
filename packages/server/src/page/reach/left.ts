/** Closed, stopped or crashed under a call: the record knows. */
import type { BrowsersOnNode, Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';

export async function whyLeft(browsers: Pick<BrowsersOnNode, 'use'>, running: Running): Promise<unknown> {
  const crashed = new ApiError(
    'BROWSER_CRASHED',
    `Chromium of browser ${running.id} ended while the call waited or ran; it is ready again, with another Chromium.`,
  );
  return browsers.use(running.projectId, running.id).then(
    () => crashed,
    (error: unknown) => error,
  );
}

/**
 * Work on a living browser for its owner. It ends when the caller has gone or the browser is left. It counts as an action
 * of the owner, unless the caller only looks.
 */
import type { BrowsersOnNode, Running } from '../../browsers/browsers.ts';
import { whyLeft } from './left.ts';

export async function useBrowser<T>(
  browsers: Pick<BrowsersOnNode, 'use'>,
  [projectId, id]: [projectId: string, id: string],
  gone: AbortSignal,
  work: (running: Running, signal: AbortSignal) => Promise<T>,
  { onlyLooks = false } = {},
): Promise<T> {
  const running = await browsers.use(projectId, id);
  if (!onlyLooks) running.acted();
  try {
    return await work(running, AbortSignal.any([gone, running.left]));
  } catch (error) {
    throw running.left.aborted ? await whyLeft(browsers, running) : error;
  } finally {
    if (!onlyLooks) running.acted();
  }
}

import type { Running } from '../browsers/browsers.ts';

/**
 * Looking at a page from outside, without its scripts noticing: expressions run in an isolated world, where the page
 * has replaced nothing, and with a deadline of their own, because the page may never come back.
 */
const worldName = 'browserd';
const lookMs = 5000;

class PageBusyError extends Error {}

export async function lookAtPage<T>(running: Running, tabId: string, expression: string): Promise<T> {
  const { cdp } = running.live.chromium;
  const sessionId = running.live.tabs.sessionOf(tabId);
  const options = { sessionId, timeoutMs: lookMs };
  try {
    const { frameTree } = await cdp.send('Page.getFrameTree', undefined, options);
    const { executionContextId } = await cdp.send(
      'Page.createIsolatedWorld',
      { frameId: frameTree.frame.id, worldName },
      options,
    );
    const { result, exceptionDetails } = await cdp.send(
      'Runtime.evaluate',
      {
        expression,
        contextId: executionContextId,
        returnByValue: true,
        awaitPromise: true,
        timeout: lookMs - 500,
      },
      options,
    );
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  } catch (error) {
    if ((error as { code?: string }).code === 'BROWSER_UNRESPONSIVE')
      throw new PageBusyError('The page is too busy to be looked at.');
    throw error;
  }
}

export type Readiness = 'loading' | 'interactive' | 'complete' | 'unknown';

export const readinessOf = (running: Running, tabId: string): Promise<Readiness> =>
  lookAtPage<Readiness>(running, tabId, 'document.readyState').catch(() => 'unknown');

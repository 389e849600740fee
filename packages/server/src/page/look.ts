import type { Running } from '../browsers/browsers.ts';
import { ApiError } from '../errors.ts';
import type { PageTarget } from './page-target.ts';

/**
 * Looking at a page from outside, without its scripts noticing: expressions run in an isolated world, where the page
 * has replaced nothing, and with a deadline of their own, because the page may never come back.
 */
const worldName = 'browserd';
const lookMs = 5000;

/** The page of a session, without more said of it. */
export type Looked = Pick<PageTarget, 'cdp'> & { sessionId: string | undefined };

export async function lookAt<T>({ cdp, sessionId }: Looked, expression: string): Promise<T> {
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
    if (error instanceof ApiError && error.code === 'BROWSER_UNRESPONSIVE')
      throw new ApiError(
        error.code,
        'The page is too busy to be looked at. Try again later, or navigate away.',
        {
          details: error.details,
        },
      );
    throw error;
  }
}

export const lookAtPage = <T>({ live }: Running, tabId: string, expression: string): Promise<T> =>
  lookAt<T>({ cdp: live.chromium.cdp, sessionId: live.tabs.sessionOf(tabId) }, expression);

export type Readiness = 'loading' | 'interactive' | 'complete' | 'unknown';

export const readinessOf = (running: Running, tabId: string): Promise<Readiness> =>
  lookAtPage<Readiness>(running, tabId, 'document.readyState').catch(() => 'unknown');

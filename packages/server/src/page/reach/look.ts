/**
 * Looking at a page from outside, without its scripts noticing: expressions run in an isolated world, where the page
 * has replaced nothing, and with a deadline of their own, because the page may never come back.
 */
import type { Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { Expression } from '../../kit/page-program.ts';
import type { PageSession } from './page-session.ts';

const worldName = 'browserd';
const lookMs = 5000;
const endMs = 2000;
const busyMs = 1000;

export class PageBusyError extends ApiError {
  constructor(details: Record<string, unknown> = {}) {
    super(
      'BROWSER_UNRESPONSIVE',
      'The page is too busy to be looked at. Try again later, or navigate away.',
      {
        details,
      },
    );
  }
}

/** The isolated world of a frame, of the page's own by default. */
export async function worldOf(page: PageSession, timeoutMs: number, frameId?: string): Promise<number> {
  const options = { sessionId: page.sessionId, timeoutMs };
  const known = frameId ?? page.targetId;
  const id = known ?? (await page.cdp.send('Page.getFrameTree', undefined, options)).frameTree.frame.id;
  const world = { frameId: id, worldName };
  return (await page.cdp.send('Page.createIsolatedWorld', world, options)).executionContextId;
}

/** The value of the expression, or of its promise. It is ended when it takes longer. */
export async function lookInto<T>(
  page: PageSession,
  expression: Expression<T>,
  timeoutMs: number = lookMs,
  frameId?: string,
): Promise<T> {
  return lookIn(page, () => worldOf(page, timeoutMs, frameId), expression, timeoutMs);
}

/** The same in a world that is known already, or is found by `world`. */
export async function lookIn<T>(
  page: PageSession,
  world: () => number | Promise<number>,
  expression: Expression<T>,
  timeoutMs: number,
): Promise<T> {
  try {
    const contextId = await world();
    const { result, exceptionDetails } = await page.cdp.send(
      'Runtime.evaluate',
      {
        expression,
        contextId,
        returnByValue: true,
        awaitPromise: true,
        timeout: Math.max(timeoutMs - 500, 1),
      },
      { sessionId: page.sessionId, timeoutMs },
    );
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  } catch (error) {
    const terminated = /Execution was terminated|Internal error/.test((error as Error).message);
    if (terminated) throw new PageBusyError();
    if (error instanceof ApiError && error.code === 'BROWSER_UNRESPONSIVE')
      throw new PageBusyError(error.details);
    throw error;
  }
}

/** Ends the script that keeps the page busy. Only of a page that is ours alone. */
export const endScript = ({ cdp, sessionId }: PageSession): Promise<unknown> =>
  cdp.send('Runtime.terminateExecution', undefined, { sessionId, timeoutMs: endMs }).catch(() => undefined);

/** The same where the page does not answer at once. */
export async function endBusyScript(page: PageSession): Promise<void> {
  await lookInto(page, 'true', busyMs).catch(async (error: unknown) => {
    if (error instanceof PageBusyError) await endScript(page);
  });
}

/** A tab as a page; a tab that is just being opened or closed has no session. */
export function sessionOf(running: Running, tabId: string): PageSession {
  return { cdp: running.live.chromium.cdp, sessionId: running.live.tabs.sessionOf(tabId) ?? '' };
}

const lookAtPage = <T>(running: Running, tabId: string, expression: Expression<T>): Promise<T> =>
  lookInto<T>(sessionOf(running, tabId), expression);

export type Readiness = 'loading' | 'interactive' | 'complete' | 'unknown';

export const readinessOf = (running: Running, tabId: string): Promise<Readiness> =>
  lookAtPage<Readiness>(running, tabId, 'document.readyState').catch(() => 'unknown');

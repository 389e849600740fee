/** Code of the caller in the world of the page, which may see and change all that the page's own code does. */
import { CdpError } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import { PageBusyError, type PageSession } from '../reach/reach.ts';
import type { Waiting } from '../visit/visit.ts';

const addMs = 5000;

/** Ahead of the page's own scripts. */
export async function addEarlyScripts(
  { cdp, sessionId }: PageSession,
  scripts: readonly { content: string; when?: string }[] = [],
): Promise<void> {
  for (const { content, when } of scripts)
    if (when === 'before')
      await cdp.send(
        'Page.addScriptToEvaluateOnNewDocument',
        // HTML that was sent along is written into the document that is there
        { source: content, runImmediately: true },
        { sessionId, timeoutMs: addMs },
      );
}

export async function runScript(
  { cdp, sessionId }: PageSession,
  content: string,
  path: string,
  waiting: Waiting,
): Promise<void> {
  const timeoutMs = Math.max(waiting.left(), 1);
  const asked = cdp.send(
    'Runtime.evaluate',
    // its value is not taken: it may be the whole page
    {
      expression: `(async () => { ${content}\n})().then(() => undefined)`,
      awaitPromise: true,
      timeout: timeoutMs,
    },
    { sessionId, timeoutMs },
  );
  const answer = await asked.catch((error: unknown) => {
    if (!(error instanceof CdpError)) throw error;
    if (/terminated|Internal error/.test(error.reason)) throw new PageBusyError();
    // It took the page elsewhere, which is an end like any other.
    return undefined;
  });
  const exceptionDetails = answer?.exceptionDetails;
  if (!exceptionDetails) return;
  const why = exceptionDetails.exception?.description ?? exceptionDetails.text;
  throw new ApiError('SCRIPT_FAILED', `\`${path}\` threw in the page: ${why.split('\n')[0]?.slice(0, 500)}`, {
    details: { path },
  });
}

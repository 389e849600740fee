/** Code of the caller in the world of the page, which may see and change all that the page's own code does. */
import { ApiError } from '../../errors.ts';
import type { PageSession } from '../reach/reach.ts';
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
  const { exceptionDetails } = await cdp.send(
    'Runtime.evaluate',
    // its value is not taken: it may be the whole page
    {
      expression: `(async () => { ${content}\n})().then(() => undefined)`,
      awaitPromise: true,
      timeout: timeoutMs,
    },
    { sessionId, timeoutMs },
  );
  if (!exceptionDetails) return;
  const why = exceptionDetails.exception?.description ?? exceptionDetails.text;
  throw new ApiError('SCRIPT_FAILED', `\`${path}\` threw in the page: ${why.split('\n')[0]?.slice(0, 500)}`, {
    details: { path },
  });
}

/** Waiting for what only the page's own world knows, such as a variable of its scripts. */
import { ApiError } from '../../errors.ts';
import { PageBusyError, type PageSession } from '../reach/reach.ts';
import type { Loading } from './loading.ts';
import { check, type Waiting } from './settle.ts';

const lookEveryMs = 50;

/** What it throws is not yet true: the script that makes it valid may still come. */
export async function untilTrue(
  { cdp, sessionId }: PageSession,
  expression: string,
  loading: Loading,
  waiting: Waiting,
): Promise<void> {
  await parse({ cdp, sessionId }, expression, waiting);
  for (;;) {
    check(loading, waiting);
    const timeoutMs = Math.max(waiting.left(), 1);
    const answer = await cdp
      .send(
        'Runtime.evaluate',
        {
          expression: `(async () => Boolean(await (${expression}\n)))()`,
          awaitPromise: true,
          returnByValue: true,
        },
        { sessionId, timeoutMs },
      )
      .catch((error: unknown) => {
        // the document was replaced meanwhile; or the page never answers
        if ((error as ApiError).code === 'BROWSER_UNRESPONSIVE') throw new PageBusyError();
        return undefined;
      });
    if (loading.staying && loading.interactive && answer?.result.value === true) return;
    await loading.nextEvent(lookEveryMs);
  }
}

/** As the body of a function that is not called. (Chromium compiles without running only for pages whose console is heard.) */
async function parse({ cdp, sessionId }: PageSession, expression: string, waiting: Waiting): Promise<void> {
  const { exceptionDetails } = await cdp.send(
    'Runtime.evaluate',
    { expression: `(async () => (${expression}\n))` },
    { sessionId, timeoutMs: Math.max(waiting.left(), 1) },
  );
  if (!exceptionDetails) return;
  const reason = exceptionDetails.exception?.description?.split('\n')[0] ?? exceptionDetails.text;
  throw new ApiError('VALIDATION_FAILED', `\`waitFor.expression\` cannot be parsed: ${reason}`, {
    details: { issues: [{ path: 'waitFor.expression', reason }] },
  });
}

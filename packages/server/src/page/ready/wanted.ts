/** Whether a page is one that the caller wants captured: an error page, or one half of whose parts are missing, is not. */
import { ApiError } from '../../errors.ts';
import { lookInto, type PageSession, stagingProgram } from '../reach/reach.ts';
import { badSelector } from '../visit/visit.ts';
import type { ReadyRequest, StatusCode } from './schema.ts';

/** More would only repeat it. */
const mostReasons = 20;
const longestText = 500;

type FailOn = NonNullable<ReadyRequest['failOn']>;

interface Reason {
  kind: 'status' | 'resource' | 'console' | 'selector';
  text: string;
  url?: string;
}

export interface SeenFaults extends Disposable {
  readonly reasons: readonly Reason[];
}

/** From before the page is visited. */
export async function watchFaults(
  { cdp, sessionId }: PageSession,
  { resources, console }: FailOn,
): Promise<SeenFaults> {
  using held = new DisposableStack();
  const reasons: Reason[] = [];
  const add = (reason: Reason): void => {
    if (reasons.length < mostReasons) reasons.push({ ...reason, text: reason.text.slice(0, longestText) });
  };
  if (resources) watchResources({ cdp, sessionId }, add, held);
  if (console) {
    held.defer(
      cdp.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text, url } }, from) => {
        if (from === sessionId) add({ kind: 'console', text: exception?.description ?? text, url });
      }),
    );
    held.defer(
      cdp.on('Runtime.consoleAPICalled', ({ type, args }, from) => {
        if (from !== sessionId || (type !== 'error' && type !== 'assert')) return;
        const words = args.map(({ value, description }) => String(value ?? description ?? ''));
        add({ kind: 'console', text: words.join(' ') });
      }),
    );
    await cdp.send('Runtime.enable', undefined, { sessionId });
    held.defer(() => void cdp.send('Runtime.disable', undefined, { sessionId }).catch(() => undefined));
  }
  const kept = held.move();
  return { reasons, [Symbol.dispose]: () => kept.dispose() };
}

function watchResources(
  { cdp, sessionId }: PageSession,
  add: (reason: Reason) => void,
  held: DisposableStack,
): void {
  const asked = new Map<string, string>();
  held.defer(
    cdp.on('Network.requestWillBeSent', ({ requestId, request, type }, from) => {
      if (from === sessionId && type !== 'Document') asked.set(requestId, request.url.slice(0, 2048));
    }),
  );
  held.defer(
    cdp.on('Network.responseReceived', ({ requestId, response: { status } }, from) => {
      const url = from === sessionId ? asked.get(requestId) : undefined;
      if (url !== undefined && status >= 400) add({ kind: 'resource', text: `answered with ${status}`, url });
    }),
  );
  held.defer(
    cdp.on('Network.loadingFailed', ({ requestId, errorText, canceled }, from) => {
      const url = from === sessionId ? asked.get(requestId) : undefined;
      if (url !== undefined && !canceled) add({ kind: 'resource', text: errorText, url });
      asked.delete(requestId);
    }),
  );
  held.defer(cdp.on('Network.loadingFinished', ({ requestId }) => void asked.delete(requestId)));
}

/** Of the document that a tab shows; null where it was not answered over HTTP. */
export const statusOf = async (page: PageSession): Promise<number | null> =>
  (await lookInto<number>(page, "performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0")) ||
  null;

const isOne = (status: number, wanted: StatusCode): boolean =>
  typeof wanted === 'number' ? status === wanted : Math.floor(status / 100) === Number(wanted[0]);

/** Throws where it is not wanted. */
export async function judge(
  page: PageSession,
  failOn: FailOn,
  { statusCode, faults }: { statusCode: number | null; faults?: SeenFaults },
): Promise<void> {
  const reasons = [...(faults?.reasons ?? [])];
  if (statusCode !== null && failOn.status?.some((wanted) => isOne(statusCode, wanted)))
    reasons.unshift({ kind: 'status', text: `the page was answered with ${statusCode}` });
  const { selector } = failOn;
  if (selector !== undefined) {
    const found = await lookInto(page, stagingProgram.call('matches', selector));
    if (found === 'bad') throw badSelector(['failOn', 'selector'], selector);
    if (found) reasons.unshift({ kind: 'selector', text: `something matches ${selector}` });
  }
  const [first] = reasons;
  if (!first) return;
  const more = reasons.length > 1 ? ` (and ${reasons.length - 1} more)` : '';
  throw new ApiError(
    'PAGE_NOT_WANTED',
    `The page is not one to be captured by \`failOn\`: ${first.text}${first.url ? ` (${first.url})` : ''}${more}.`,
    { details: { reasons } },
  );
}

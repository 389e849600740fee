/** Requests that are held up on their way: those of unwanted kinds, and answers that may be no page. No others wait. */
import type { Protocol } from 'devtools-protocol';
import type { PageSession } from '../reach/reach.ts';
import type { DocumentQuestion } from './known-document.ts';
import type { Resource } from './schema.ts';

const resourceTypes = { image: 'Image', font: 'Font', media: 'Media', stylesheet: 'Stylesheet' } as const;

export type Answered = Protocol.Fetch.RequestPausedEvent;

export interface Held {
  refused: Resource[];
  /** True when it sees to a document's answer itself; otherwise that goes on as it is. */
  take?: (answer: Answered) => boolean;
  /** Whether the page's document is still the one that the caller has. */
  question?: DocumentQuestion;
  /** What the service answers itself, instead of the network. */
  own?: { pattern: string; answer(url: string): OwnAnswer | undefined };
}

type OwnAnswer = Omit<Protocol.Fetch.FulfillRequestRequest, 'requestId'>;

/** Not waited for: what is sent to the page from here on finds it done, because Chromium takes commands in their order. */
export function holdUp(
  { cdp, sessionId }: PageSession,
  { refused, take, own, question }: Held,
  undo: AsyncDisposableStack,
): void {
  const patterns: Protocol.Fetch.RequestPattern[] = refused.map((each) => ({
    resourceType: resourceTypes[each],
  }));
  if (take || question) patterns.push({ resourceType: 'Document', requestStage: 'Response' });
  if (question) patterns.push({ resourceType: 'Document', requestStage: 'Request' });
  if (own) patterns.push({ urlPattern: own.pattern });
  if (patterns.length === 0) return;
  const off = cdp.on('Fetch.requestPaused', (paused, from) => {
    if (from !== sessionId) return;
    const { requestId, responseStatusCode, responseErrorReason } = paused;
    const answered = responseStatusCode !== undefined || responseErrorReason !== undefined;
    if (answered && question?.isAnswered(paused)) {
      const ended = cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, { sessionId });
      return void ended.catch(() => undefined);
    }
    if (answered && take?.(paused)) return;
    const sentAlong = answered ? undefined : own?.answer(paused.request.url);
    if (sentAlong) {
      const fulfilled = cdp.send('Fetch.fulfillRequest', { requestId, ...sentAlong }, { sessionId });
      return void fulfilled.catch(() => undefined);
    }
    const headers = answered ? undefined : question?.headersFor(paused);
    const sent =
      answered || (question && paused.resourceType === 'Document')
        ? cdp.send('Fetch.continueRequest', { requestId, ...(headers && { headers }) }, { sessionId })
        : cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }, { sessionId });
    void sent.catch(() => undefined);
  });
  // A page that is gone says so to all that follows, too.
  cdp.send('Fetch.enable', { patterns }, { sessionId }).catch(() => undefined);
  undo.defer(() => {
    const disabled = cdp.send('Fetch.disable', undefined, { sessionId });
    void disabled.catch(() => undefined).finally(off);
  });
}

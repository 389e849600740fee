/** Requests that are held up on their way: those of unwanted kinds, and answers that may be no page. No others wait. */
import type { Protocol } from 'devtools-protocol';
import type { PageSession } from '../reach/reach.ts';
import type { Resource } from './schema.ts';

const resourceTypes = { image: 'Image', font: 'Font', media: 'Media', stylesheet: 'Stylesheet' } as const;

export type Answered = Protocol.Fetch.RequestPausedEvent;

export interface Held {
  refused: Resource[];
  /** True when it sees to a document's answer itself; otherwise that goes on as it is. */
  take?: (answer: Answered) => boolean;
  /** What the service answers itself, instead of the network. */
  own?: { pattern: string; answer(url: string): OwnAnswer | undefined };
}

type OwnAnswer = Omit<Protocol.Fetch.FulfillRequestRequest, 'requestId'>;

export async function holdUp(
  { cdp, sessionId }: PageSession,
  { refused, take, own }: Held,
  undo: AsyncDisposableStack,
): Promise<void> {
  const patterns: Protocol.Fetch.RequestPattern[] = refused.map((each) => ({
    resourceType: resourceTypes[each],
  }));
  if (take) patterns.push({ resourceType: 'Document', requestStage: 'Response' });
  if (own) patterns.push({ urlPattern: own.pattern });
  if (patterns.length === 0) return;
  const off = cdp.on('Fetch.requestPaused', (paused, from) => {
    if (from !== sessionId) return;
    const { requestId, responseStatusCode, responseErrorReason } = paused;
    const answered = responseStatusCode !== undefined || responseErrorReason !== undefined;
    if (answered && take?.(paused)) return;
    const sentAlong = answered ? undefined : own?.answer(paused.request.url);
    if (sentAlong) {
      const fulfilled = cdp.send('Fetch.fulfillRequest', { requestId, ...sentAlong }, { sessionId });
      return void fulfilled.catch(() => undefined);
    }
    const sent = answered
      ? cdp.send('Fetch.continueRequest', { requestId }, { sessionId })
      : cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }, { sessionId });
    void sent.catch(() => undefined);
  });
  await cdp.send('Fetch.enable', { patterns }, { sessionId });
  // What is sent to the page from here on finds it done: Chromium takes commands in their order.
  undo.defer(() => {
    const disabled = cdp.send('Fetch.disable', undefined, { sessionId });
    void disabled.catch(() => undefined).finally(off);
  });
}

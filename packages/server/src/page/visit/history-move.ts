/**
 * Back, forward and again. Chromium answers such a command before it is known what comes of it: another document, a
 * place in the same one, a page that was kept as it was, or nothing to show.
 */
import { ApiError } from '../../errors.ts';
import type { PageSession } from '../reach/reach.ts';
import type { Loading } from './loading.ts';
import { PageFailed, until, type Waiting } from './settle.ts';

export type Move = 'back' | 'forward' | 'reload';

type Outcome = 'document' | 'same document' | 'kept page' | 'nothing';

/** Resolves when a document has begun to arrive. */
export async function moveInHistory(
  page: PageSession,
  move: Move,
  loading: Loading,
  waiting: Waiting,
): Promise<void> {
  const { cdp, sessionId } = page;
  const options = { sessionId, timeoutMs: Math.max(waiting.left(), 1) };
  using heard = listen(page, loading);
  if (move === 'reload') await cdp.send('Page.reload', {}, options);
  else
    await cdp.send('Page.navigateToHistoryEntry', { entryId: await entryAt(page, move, options) }, options);
  // Chromium may have repeated that the page before crashed: that one is being left.
  loading.crashed = false;
  await until(loading, waiting, () => heard.outcome !== undefined);
  if (heard.outcome === 'same document') loading.expect(undefined);
  // It was loaded when it was left, and no event says so again.
  else if (heard.outcome === 'kept page') loading.interactive = loading.loaded = true;
  else if (heard.outcome === 'nothing') {
    loading.failure = { url: 'The address', errorText: 'net::ERR_ABORTED' };
    throw new PageFailed();
  }
}

async function entryAt(
  { cdp }: PageSession,
  move: 'back' | 'forward',
  options: { sessionId: string; timeoutMs: number },
): Promise<number> {
  const { currentIndex, entries } = await cdp.send('Page.getNavigationHistory', undefined, options);
  const entry = entries[currentIndex + (move === 'back' ? -1 : 1)];
  if (entry) return entry.id;
  throw new ApiError('NAVIGATION_FAILED', `The tab has no page to go ${move} to.`, {
    details: { reason: 'NO_HISTORY' },
  });
}

function listen({ cdp, sessionId }: PageSession, loading: Loading): Disposable & { outcome?: Outcome } {
  const heard: { outcome?: Outcome } = {};
  const off = [
    cdp.on('Page.frameNavigated', ({ frame, type }, from) => {
      if (from !== sessionId || !loading.isMain(frame.id)) return;
      heard.outcome = type === 'BackForwardCacheRestore' ? 'kept page' : 'document';
    }),
    cdp.on('Page.navigatedWithinDocument', ({ frameId }, from) => {
      if (from === sessionId && loading.isMain(frameId)) heard.outcome = 'same document';
    }),
    cdp.on('Page.frameStoppedLoading', ({ frameId }, from) => {
      if (from === sessionId && loading.isMain(frameId)) heard.outcome ??= 'nothing';
    }),
  ];
  return Object.assign(heard, {
    [Symbol.dispose]: () => {
      for (const each of off) each();
    },
  });
}

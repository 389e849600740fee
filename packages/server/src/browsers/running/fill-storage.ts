/**
 * Local storage can only be filled from a page of its origin. An empty one is answered by ourselves, so that nothing goes
 * over the network and no script of the site runs.
 */
import { join } from 'node:path';
import { pageProgram } from '../../kit/page-program.ts';
import type { OriginStorage } from '../../profiles/profiles.ts';
import type { LiveBrowser } from '../live/live.ts';
import type { FillProgram } from './inside/inside.ts';

const fillProgram = pageProgram<FillProgram>(join(import.meta.dirname, 'inside/fill'));

/** Entries are JSON of pairs; an origin may have megabytes of them, which only its page reads. */
type Storages = AsyncIterable<OriginStorage> | Iterable<OriginStorage>;

/** In an empty tab, which is as before afterwards. Returns what could not be filled; with `replace` nothing else stays. */
export async function fillStorage(
  live: LiveBrowser,
  tabId: string,
  storages: Storages,
  { replace = false } = {},
): Promise<{ origin: string; error: Error }[]> {
  const { cdp } = live.chromium;
  const sessionId = live.tabs.sessionOf(tabId);
  const failed: { origin: string; error: Error }[] = [];
  if (!sessionId) return failed;
  let begun = false;
  await using undo = new AsyncDisposableStack();
  for await (const { origin, entries } of storages) {
    try {
      if (!begun) {
        begun = true;
        await answerEmpty(live, sessionId, tabId, undo);
      }
      await live.tabs.navigate(tabId, `${origin}/`);
      const call = fillProgram.call(replace ? 'replace' : 'fill', entries);
      const { exceptionDetails } = await cdp.send('Runtime.evaluate', { expression: call }, { sessionId });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    } catch (error) {
      failed.push({ origin, error: error as Error });
    }
  }
  return failed;
}

/** Until it is undone, every page of the tab is an empty one. */
async function answerEmpty(
  live: LiveBrowser,
  sessionId: string,
  tabId: string,
  undo: AsyncDisposableStack,
): Promise<void> {
  const { cdp } = live.chromium;
  const off = cdp.on('Fetch.requestPaused', ({ requestId }, session) => {
    if (session !== sessionId) return;
    const headers = [{ name: 'content-type', value: 'text/html' }];
    void cdp
      .send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders: headers }, { sessionId })
      .catch(() => undefined);
  });
  const leave = async (): Promise<void> => {
    off();
    await cdp.send('Fetch.disable', undefined, { sessionId });
    await live.tabs.navigate(tabId, 'about:blank');
    await cdp.send('Page.resetNavigationHistory', undefined, { sessionId });
  };
  // Where this fails, Chromium has ended, and the next step says so.
  undo.defer(() => leave().catch(() => undefined));
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, { sessionId });
}

/**
 * Local storage can only be filled from a page of its origin. An empty one is answered by ourselves, so that nothing goes
 * over the network and no script of the site runs.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cdp } from '../../chromium/chromium.ts';
import { pageProgram } from '../../kit/page-program.ts';
import type { OriginStorage } from '../../profiles/profiles.ts';
import type { LiveBrowser } from '../live/live.ts';
import type { FillProgram } from './inside/inside.ts';

const fillProgram = pageProgram<FillProgram>(join(import.meta.dirname, 'inside/fill'));

const arrivalMs = 2000;
/** A browser is not held up for longer, whatever its Chromium does. */
const longestAsideMs = 15_000;

/** Entries are JSON of pairs; an origin may have megabytes of them, which only its page reads. */
type Storages = AsyncIterable<OriginStorage> | Iterable<OriginStorage>;

interface NotFilled {
  origin: string;
  error: Error;
}

/** An empty page that goes where it is told. */
interface FilledPage {
  sessionId: string;
  goTo(url: string): Promise<unknown>;
}

/** In an empty tab, which is as before afterwards. Returns what could not be filled; with `replace` nothing else stays. */
export async function fillStorage(
  live: LiveBrowser,
  tabId: string,
  storages: Storages,
  { replace = false } = {},
): Promise<NotFilled[]> {
  const { cdp } = live.chromium;
  const sessionId = live.tabs.sessionOf(tabId);
  if (!sessionId) return [];
  const goTo = (url: string): Promise<unknown> => live.tabs.navigate(tabId, url);
  const open = async (): Promise<FilledPage & AsyncDisposable> => {
    const answered = await answerEmpty(cdp, sessionId);
    return {
      sessionId,
      goTo,
      async [Symbol.asyncDispose]() {
        answered();
        try {
          await cdp.send('Fetch.disable', undefined, { sessionId });
          await goTo('about:blank');
          await cdp.send('Page.resetNavigationHistory', undefined, { sessionId });
        } catch {
          // Chromium has ended, and the next step says so.
        }
      },
    };
  };
  return fillIn(cdp, open, storages, replace);
}

/**
 * In a page of its own, in a Chromium that has just become a browser's: it may be used at once, and whatever would lead a
 * page somewhere waits until this is done.
 */
export function fillAside(live: LiveBrowser, storages: Storages, tell: (failed: NotFilled[]) => void): void {
  const { cdp } = live.chromium;
  const open = async (): Promise<FilledPage & AsyncDisposable> => {
    const page = await live.tabs.hidden.open();
    const { sessionId } = page;
    const answered = await answerEmpty(cdp, sessionId);
    return {
      sessionId,
      goTo: (url) => arrive(cdp, sessionId, url),
      async [Symbol.asyncDispose]() {
        answered();
        page.close();
      },
    };
  };
  const filled = fillIn(cdp, open, storages, true).then(tell, () => undefined);
  live.tabs.settled = Promise.race([
    Promise.all([live.tabs.settled, filled]),
    sleep(longestAsideMs, undefined, { ref: false }),
  ]);
}

async function fillIn(
  cdp: Cdp,
  open: () => Promise<FilledPage & AsyncDisposable>,
  storages: Storages,
  replace: boolean,
): Promise<NotFilled[]> {
  const failed: NotFilled[] = [];
  // One try: where it fails, it fails for all of them.
  let opening: ReturnType<typeof open> | undefined;
  let page: FilledPage | undefined;
  await using undo = new AsyncDisposableStack();
  for await (const { origin, entries } of storages) {
    try {
      opening ??= open();
      page ??= undo.use(await opening);
      await page.goTo(`${origin}/`);
      const expression = fillProgram.call(replace ? 'replace' : 'fill', entries);
      const { sessionId } = page;
      const { exceptionDetails } = await cdp.send('Runtime.evaluate', { expression }, { sessionId });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    } catch (error) {
      failed.push({ origin, error: error as Error });
    }
  }
  return failed;
}

/** Until it is undone, every page there is an empty one. */
async function answerEmpty(cdp: Cdp, sessionId: string): Promise<() => void> {
  const off = cdp.on('Fetch.requestPaused', ({ requestId }, session) => {
    if (session !== sessionId) return;
    const headers = [{ name: 'content-type', value: 'text/html' }];
    void cdp
      .send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders: headers }, { sessionId })
      .catch(() => undefined);
  });
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, { sessionId });
  return off;
}

/** Chromium answers a little before the page is there. */
async function arrive(cdp: Cdp, sessionId: string, url: string): Promise<void> {
  const { promise: there, resolve } = Promise.withResolvers<void>();
  const off = cdp.on('Page.frameNavigated', (_, session) => {
    if (session === sessionId) resolve();
  });
  const ended = cdp.onEnd(resolve);
  try {
    const { errorText } = await cdp.send('Page.navigate', { url }, { sessionId });
    if (errorText) throw new Error(errorText);
    setTimeout(resolve, arrivalMs).unref();
    await there;
  } finally {
    off();
    ended();
  }
}

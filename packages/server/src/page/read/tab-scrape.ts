/** Tabs of living browsers as sources. Beside the scripts, not in their turn. */
import type { BrowsersOnNode, Running } from '../../browsers/browsers.ts';
import { detectCaptchas } from '../captcha/captcha.ts';
import { dialogOpen, tabOf, targetOf, whyLeft } from '../reach/reach.ts';
import { watchCall } from '../script/script.ts';
import { type Visit, visit } from '../visit/visit.ts';
import type { ScrapedTab, ScrapeTab } from './schema.ts';
import { scrape } from './scrape.ts';

export class TabScrapes {
  readonly #browsers: Pick<BrowsersOnNode, 'use'>;

  constructor(parts: { browsers: Pick<BrowsersOnNode, 'use'> }) {
    this.#browsers = parts.browsers;
  }

  async scrape(projectId: string, id: string, request: ScrapeTab, gone: AbortSignal): Promise<ScrapedTab> {
    const running = await this.#browsers.use(projectId, id);
    const tabId = await tabOf(running, request.tabId);
    running.acted();
    try {
      return await scrapeTab(running, tabId, request, AbortSignal.any([gone, running.left]));
    } catch (error) {
      throw running.left.aborted ? await whyLeft(this.#browsers, running) : error;
    } finally {
      running.acted();
    }
  }
}

/** The page it shows, or first goes to. */
async function scrapeTab(
  running: Running,
  tabId: string,
  request: ScrapeTab,
  signal: AbortSignal,
): Promise<ScrapedTab> {
  const began = performance.now();
  refuseDialog(running, tabId);
  const page = await targetOf(running, tabId);
  const visited =
    request.url === undefined && request.html === undefined
      ? undefined
      : await go(running, tabId, request, signal);
  const timeoutMs = Math.max(request.timeoutMs - (performance.now() - began), leastMs);
  const { location, statusCode, ...scraped } = await scrape(page, request, { timeoutMs }).catch((error) => {
    signal.throwIfAborted();
    refuseDialog(running, tabId);
    throw error;
  });
  return {
    url: request.url ?? location,
    finalUrl: location,
    statusCode: visited ? visited.statusCode : statusCode,
    contentType: visited?.contentType ?? null,
    ...scraped,
    ...(visited?.timedOut && { timedOut: true }),
    captcha: await captchasOn(running, tabId),
    elapsedMs: Math.round(performance.now() - began),
  };
}

/** A page that does not answer this has been read all the same. */
async function captchasOn(running: Running, tabId: string): Promise<ScrapedTab['captcha']> {
  const seen = targetOf(running, tabId).then((page) => detectCaptchas(page, tabId));
  return seen.catch(() => []);
}

/** What was waited for is read even when the waiting took all the time. */
const leastMs = 5000;

async function go(running: Running, tabId: string, request: ScrapeTab, signal: AbortSignal): Promise<Visit> {
  const seen = watchCall(running);
  try {
    return await visit(await targetOf(running, tabId), request, { signal, troubles: seen, pdfAsText: true });
  } catch (error) {
    refuseDialog(running, tabId);
    throw error;
  } finally {
    seen.stop();
  }
}

/** A page in a dialog answers nothing. */
function refuseDialog({ live }: Running, tabId: string): void {
  if (live.dialogs.holds(live.tabs.sessionOf(tabId) ?? '')) throw dialogOpen();
}

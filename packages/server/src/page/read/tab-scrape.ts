/** Tabs of living browsers as sources. Beside the scripts, not in their turn. */
import type { BrowsersOnNode, Running } from '../../browsers/browsers.ts';
import { type Captchas, detectCaptchas } from '../captcha/captcha.ts';
import { dialogOpen, tabOf, targetOf, whyLeft } from '../reach/reach.ts';
import { watchCall } from '../script/script.ts';
import { type Visit, visit } from '../visit/visit.ts';
import type { ScrapedTab, ScrapeTab } from './schema.ts';
import { scrape } from './scrape.ts';

export interface TabScrapesParts {
  browsers: Pick<BrowsersOnNode, 'use'>;
  captchas: Pick<Captchas, 'resolve'>;
}

type Items = ScrapedTab['captcha'];

export class TabScrapes {
  readonly #parts: TabScrapesParts;

  constructor(parts: TabScrapesParts) {
    this.#parts = parts;
  }

  async scrape(projectId: string, id: string, request: ScrapeTab, gone: AbortSignal): Promise<ScrapedTab> {
    const { browsers, captchas } = this.#parts;
    const running = await browsers.use(projectId, id);
    const tabId = await tabOf(running, request.tabId);
    const solve = async (timeoutMs: number): Promise<Items> =>
      (await captchas.resolve(projectId, id, { tabId, timeoutMs }, { gone })).items;
    running.acted();
    try {
      return await scrapeTab(running, tabId, request, AbortSignal.any([gone, running.left]), solve);
    } catch (error) {
      throw running.left.aborted ? await whyLeft(browsers, running) : error;
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
  solve: (timeoutMs: number) => Promise<Items>,
): Promise<ScrapedTab> {
  const began = performance.now();
  const left = (): number => request.timeoutMs - (performance.now() - began);
  refuseDialog(running, tabId);
  const page = await targetOf(running, tabId);
  const visited =
    request.url === undefined && request.html === undefined
      ? undefined
      : await go(running, tabId, request, signal);
  const solved = request.solveCaptcha ? await solve(Math.max(left(), 1)) : undefined;
  const timeoutMs = Math.max(left(), leastMs);
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
    captcha: solved ?? (await captchasOn(running, tabId)),
    elapsedMs: Math.round(performance.now() - began),
  };
}

/** A page that does not answer this has been read all the same. */
async function captchasOn(running: Running, tabId: string): Promise<Items> {
  const seen = targetOf(running, tabId).then((page) => detectCaptchas(page, tabId));
  return seen.catch(() => []);
}

/** What was waited for is read even when the waiting took all the time. */
const leastMs = 5000;

async function go(running: Running, tabId: string, request: ScrapeTab, signal: AbortSignal): Promise<Visit> {
  const seen = watchCall(running);
  try {
    return await visit(await targetOf(running, tabId), request, { signal, troubles: seen, forText: true });
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

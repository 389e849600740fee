import type { Running } from '../browsers/browsers.ts';
import { ApiError } from '../errors.ts';
import { witness } from './activity.ts';
import { sessionOf } from './look.ts';
import { scrape } from './scrape.ts';
import type { ScrapedTab, ScrapeTab } from './scrape-schema.ts';
import { type Visit, visit } from './visit.ts';

/** A tab of a living browser as a source: the page it shows, or first goes to. */
export async function scrapeTab(
  running: Running,
  tabId: string,
  request: ScrapeTab,
  signal: AbortSignal,
): Promise<ScrapedTab> {
  const began = performance.now();
  refuseDialog(running);
  const page = sessionOf(running, tabId);
  const visited =
    request.url === undefined && request.html === undefined
      ? undefined
      : await go(running, tabId, request, signal);
  const timeoutMs = Math.max(request.timeoutMs - (performance.now() - began), leastMs);
  const { location, statusCode, ...scraped } = await scrape(page, request, { timeoutMs }).catch((error) => {
    signal.throwIfAborted();
    refuseDialog(running);
    throw error;
  });
  return {
    url: request.url ?? location,
    finalUrl: location,
    statusCode: visited ? visited.statusCode : statusCode,
    contentType: visited?.contentType ?? null,
    ...scraped,
    ...(visited?.timedOut && { timedOut: true }),
    elapsedMs: Math.round(performance.now() - began),
  };
}

/** What was waited for is read even when the waiting took all the time. */
const leastMs = 5000;

async function go(running: Running, tabId: string, request: ScrapeTab, signal: AbortSignal): Promise<Visit> {
  const seen = witness(running);
  try {
    return await visit(sessionOf(running, tabId), request, { signal, troubles: seen });
  } catch (error) {
    refuseDialog(running);
    throw error;
  } finally {
    seen.stop();
  }
}

/** A page in a dialog answers nothing. */
function refuseDialog(running: Running): void {
  if (running.live.tabs.openDialogs() === 0) return;
  throw new ApiError(
    'DIALOG_OPEN',
    'A dialog of the page waits for an answer; the page cannot be read before.',
  );
}

/**
 * The page that a create asked for. One that is slow to answer does not hold the browser back, and one that fails does
 * not fail the create: the browser is there. What became of it is in the record, and a failure is an event too.
 */
import { ApiError, errorView } from '../../errors.ts';
import type { Events } from '../../events/events.ts';
import type { BrowserRecord, Store } from '../../store/records.ts';
import { type ExitTroubles, gatherTroubles, type LiveBrowser, navigationVerdict } from '../live/live.ts';
import { eventOf } from '../record/record.ts';
import type { StartPage } from '../record/schema.ts';

/** So long a create waits for the first answer of the page. */
const patienceMs = 5000;
/** So long the outcome is awaited after that. */
const longestMs = 120_000;

interface Opened {
  page: StartPage;
  /** Of one that is still pending. */
  outcome?: Promise<StartPage>;
}

/** Throws when the proxy does not work: that is the create's failure. */
export async function openStartPage(live: LiveBrowser, url: string): Promise<Opened> {
  const troubles = gatherTroubles(live);
  const outcome = go(live, url, troubles).finally(() => troubles[Symbol.dispose]());
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), patienceMs);
  const page = await Promise.race([outcome, late]);
  clearTimeout(timer);
  if (troubles.proxyFailure) throw proxyFailed(troubles.proxyFailure);
  return page ? { page } : { page: { state: 'pending' }, outcome };
}

const proxyFailed = ({ code, message }: NonNullable<ExitTroubles['proxyFailure']>): ApiError =>
  new ApiError(code, `The proxy of this browser failed: ${message}. Nothing was sent directly.`);

const failed = (error: ApiError): StartPage => ({ state: 'failed', error: errorView(error) });

async function go(live: LiveBrowser, url: string, troubles: ExitTroubles): Promise<StartPage> {
  const tab = live.tabs.active;
  if (!tab) return failed(notLoaded(url, 'its tab was closed', 'TAB_CLOSED'));
  try {
    const { failure, isDownload } = await live.tabs.navigate(tab.tabId, url, longestMs);
    if (isDownload)
      return failed(notLoaded(url, 'it is a file to download, and is among the downloads', 'DOWNLOAD'));
    return failure
      ? failed(reasonOf(live.trust.certificates.named(failure, url), url, troubles))
      : { state: 'loaded' };
  } catch (error) {
    return failed(notLoaded(url, (error as Error).message, 'NO_ANSWER'));
  }
}

const notLoaded = (url: string, why: string, reason: string): ApiError =>
  new ApiError('NAVIGATION_FAILED', `The start page ${url} was not loaded: ${why}.`, {
    details: { reason, url },
  });

/** A page that was not loaded has asked for nothing else, so what the exit refused last is why: also after a redirect. */
function reasonOf(failure: string, url: string, troubles: ExitTroubles): ApiError {
  const at = troubles.refusals.at(-1)?.url ?? url;
  const { code, message, details } = navigationVerdict({ message: `${failure} at ${at}` }, troubles) ?? {};
  return new ApiError(
    code ?? 'NAVIGATION_FAILED',
    message ?? `The start page ${url} was not loaded: ${failure}.`,
    { details: details ?? { reason: failure, url } },
  );
}

type Parts = { store: Store; events: Events };

/** A failure is told as an event. */
export function noteStartPage({ events }: Parts, record: BrowserRecord, page: StartPage): void {
  if (!page.error) return;
  const { code, message, details } = page.error;
  const url = record.settings.startUrl;
  events.note(eventOf(record, 'browser.start_page_failed', { url, code, message, details }));
}

/** Once the browser is ready: what becomes of a page that was still pending. */
export async function keepOutcome(
  parts: Parts,
  record: BrowserRecord,
  outcome: Promise<StartPage>,
): Promise<void> {
  const startPage = await outcome;
  const { id, epoch } = record;
  const kept = await parts.store.browsers.change(id, { status: 'ready', epoch }, { startPage });
  if (kept) noteStartPage(parts, record, startPage);
}

/** Of a browser that was stopped, or whose Chromium ended, before its start page had answered. */
export const cutShort = ({ startPage, settings }: BrowserRecord): { startPage?: StartPage } =>
  startPage?.state === 'pending'
    ? { startPage: failed(notLoaded(String(settings.startUrl), 'the browser ended before', 'ENDED')) }
    : {};

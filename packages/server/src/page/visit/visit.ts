/**
 * Going somewhere, and waiting until it is there:
 *
 *   url or html ──> first answer ──> loaded ──> settled (or what `waitFor` says) ──> how it ended
 *                        └── refused, unreachable, a download, a crash, too late: the error that says so
 */
import type { ExitTroubles, GuestFiles } from '../../browsers/browsers.ts';
import { orAborted } from '../../kit/or-aborted.ts';
import { PageBusyError, type PageSession } from '../reach/reach.ts';
import type { AtRest } from './at-rest.ts';
import { holdUp } from './held-requests.ts';
import { type Move, moveInHistory } from './history-move.ts';
import { DocumentQuestion, type KnownDocument, NotModified, type Validators } from './known-document.ts';
import type { Loading } from './loading.ts';
import { takePdfs } from './pdf-file.ts';
import { isPdf, pdfsAsText } from './pdf-reading.ts';
import type { Asset, Resource, WaitFor } from './schema.ts';
import { sentPage, sentPagePattern, sentPageUrl } from './sent-page.ts';
import { PageFailed, until, VisitTimeout, type Waiting } from './settle.ts';
import { explainVisit } from './visit-error.ts';
import { waitFor } from './wait-for.ts';
import { watchLoading } from './watch-loading.ts';

export { readAssets } from './assets.ts';
export { type AtRest, rehearse } from './at-rest.ts';
export { type FetchedFile, fetchFile } from './fetch-file.ts';
export type { Move } from './history-move.ts';
export { type KnownDocument, NotModified, type Validators } from './known-document.ts';
export type { Loading } from './loading.ts';
export type { Asset } from './schema.ts';
export { PageCrashed, PageFailed, settle, until, VisitTimeout, type Waiting } from './settle.ts';
export { badSelector } from './visit-error.ts';
export { waitForOnTab } from './wait-for.ts';
export { watchLoading } from './watch-loading.ts';

export interface VisitRequest {
  url?: string;
  html?: string;
  /** Files that `html` names by relative addresses. */
  assets?: readonly Asset[];
  /** Instead of either. */
  move?: Move;
  /** Default: until it is loaded and has come to rest. */
  waitFor?: WaitFor;
  timeoutMs: number;
  blockResources?: Resource[];
  /** At the time-out take what there is. */
  partial?: boolean;
}

export interface VisitAround {
  signal: AbortSignal;
  troubles: ExitTroubles;
  /** The page has no owner to answer its dialogs: they are dismissed. */
  dismissDialogs?: boolean;
  /**
   * What is wanted is text, all of it: a page is scrolled through once, and of a PDF, otherwise a download, a page of
   * its text is made.
   */
  forText?: boolean;
  atRest?: AtRest;
  /** The page has shown nothing yet, so there is nothing to stop before it goes anywhere. */
  fresh?: boolean;
  /** Where a PDF in place of the page can be taken from; otherwise answers are held up until it is known what they are. */
  files?: GuestFiles | undefined;
  /** How long files that were sent along are there for the page. */
  keep?: AsyncDisposableStack;
  /** What there is of the document already: when its site says that it is still the same, the visit ends with `NotModified`. */
  known?: KnownDocument;
}

export interface Visit {
  finalUrl: string;
  /** Null where there is no HTTP: of `html`, of a page from the cache of a worker. */
  statusCode: number | null;
  contentType: string | null;
  /** The addresses before the last one. */
  redirects: string[];
  /** What there was at the time-out. */
  timedOut: boolean;
  /** Without scripts, frames and fields, so that it shows no captcha. Said only where the visit waited for its rest. */
  plain?: boolean;
  /** What was looked for there; absent: it was not looked for. */
  atRest?: unknown;
  /** What was drawn of it in that moment. */
  drawn?: unknown;
  /** When the site wants to be asked again. */
  retryAfter?: string;
  /** By which the site would know this version of the document again. */
  validators?: Validators;
}

const stopMs = 1000;
const fileMs = 1000;

export async function visit(page: PageSession, request: VisitRequest, around: VisitAround): Promise<Visit> {
  const deadline = performance.now() + request.timeoutMs;
  const left = (): number => deadline - performance.now();
  await using undo = new AsyncDisposableStack();
  const waiting = { signal: around.signal, left };
  const question = around.known && new DocumentQuestion(around.known, (frameId) => loading.isMain(frameId));
  const loading: Loading = await watch(page, request, { ...around, question }, waiting, undo);
  const visiting = async (): Promise<void> => {
    await go(page, request, loading, waiting);
    await waitFor(page, request.waitFor, loading, waiting, around);
  };
  let timedOut = false;
  try {
    // What the page before still waits for could take up all the connections to the same host.
    if (!around.fresh) await stop(page);
    await visiting().catch((error: unknown) => {
      if (!isFailedPdf(error, loading)) throw error;
      loading.again();
      holdUp(page, { refused: [], take: pdfsAsText(page, loading, waiting) }, undo);
      return visiting();
    });
  } catch (caught) {
    if (question?.unchanged) throw new NotModified();
    const error = loading.trouble ?? caught;
    timedOut = error instanceof VisitTimeout || error instanceof PageBusyError;
    await stop(page);
    around.signal.throwIfAborted();
    if (!timedOut || !request.partial || !(loading.document || request.html !== undefined))
      throw explainVisit(
        timedOut ? new VisitTimeout() : error,
        request,
        loading,
        around.troubles,
        page.crashReason?.(),
      );
  }
  return outcome(request, loading, timedOut);
}

function outcome(request: VisitRequest, loading: Loading, timedOut: boolean): Visit {
  const { document, redirects, plain, atRest, drawn } = loading;
  const looked = { timedOut, plain, ...(!timedOut && { atRest, drawn }) };
  // HTML that was sent has no address that would mean something to the caller.
  if (request.html !== undefined)
    return { finalUrl: 'about:blank', statusCode: null, contentType: null, redirects: [], ...looked };
  return {
    finalUrl: document?.url ?? request.url ?? 'about:blank',
    statusCode: document && document.status > 0 ? document.status : null,
    contentType: document?.mimeType ?? null,
    redirects,
    ...looked,
    ...(document?.retryAfter !== undefined && { retryAfter: document.retryAfter }),
    ...(document && { validators: document.validators }),
  };
}

async function watch(
  page: PageSession,
  { blockResources = [], html, assets }: VisitRequest,
  { dismissDialogs, forText, files, keep, question }: VisitAround & { question?: DocumentQuestion },
  waiting: Waiting,
  undo: AsyncDisposableStack,
): Promise<Loading> {
  const { cdp, sessionId } = page;
  const loading = await watchLoading(page, waiting, undo);
  if (dismissDialogs)
    undo.defer(
      cdp.on('Page.javascriptDialogOpening', ({ type }, from) => {
        if (from !== sessionId) return;
        const answer = { accept: type === 'beforeunload' };
        void cdp.send('Page.handleJavaScriptDialog', answer, { sessionId }).catch(() => undefined);
      }),
    );
  const own = html !== undefined && assets && { pattern: sentPagePattern, answer: sentPage(html, assets) };
  const isHeldUp = blockResources.length > 0 || question || own;
  if (forText && files && !isHeldUp) {
    takePdfs(page, loading, waiting, files, undo);
    return loading;
  }
  const take = forText ? pdfsAsText(page, loading, waiting) : undefined;
  const held = { refused: blockResources, take, question, ...(own && { own }) };
  holdUp(page, held, (own && keep) || undo);
  return loading;
}

/** Resolves when a document has begun to arrive. */
async function go(
  page: PageSession,
  request: VisitRequest,
  loading: Loading,
  waiting: Waiting,
): Promise<void> {
  const { cdp, sessionId } = page;
  const options = { sessionId, timeoutMs: Math.max(waiting.left(), 1) };
  if (request.move) return moveInHistory(page, request.move, loading, waiting);
  if (request.html !== undefined && !request.assets) return show(page, request.html, loading, waiting);
  const url = request.html === undefined ? (request.url ?? '') : sentPageUrl;
  const answer = await orSooner(cdp.send('Page.navigate', { url }, options), waiting);
  loading.isDownload ||= answer.isDownload === true;
  if (answer.isDownload && (await isTaken(loading, waiting))) return;
  if (!answer.errorText) return loading.expect(answer.loaderId);
  // An error without a body is a page all the same, an empty one.
  if (answer.errorText === 'net::ERR_HTTP_RESPONSE_CODE_FAILURE' && loading.document)
    return blank(page, loading);
  loading.failure = { url: request.url ?? '', errorText: answer.errorText };
  throw new PageFailed();
}

/** Of an error Chromium makes no file, whatever its site sends with it: that is asked for once more, and held up. */
const isFailedPdf = (error: unknown, { file, document }: Loading): boolean =>
  error instanceof PageFailed && file === 'awaited' && isPdf.test(document?.mimeType ?? '');

/** Whether what came in place of a page is made into one. Which file it is is told in the same moment, or in the next. */
async function isTaken(loading: Loading, waiting: Waiting): Promise<boolean> {
  const late = performance.now() + fileMs;
  await until(loading, waiting, () => loading.file !== 'awaited' || performance.now() > late);
  return loading.file === 'taken';
}

/** Its scripts may hold up the parser; what becomes of it is heard by the way. */
async function show(page: PageSession, html: string, loading: Loading, waiting: Waiting): Promise<void> {
  const { cdp, sessionId } = page;
  const options = { sessionId, timeoutMs: Math.max(waiting.left(), 1) };
  const frameId = page.targetId ?? (await orSooner(mainFrameOf(page, options), waiting));
  loading.interactive = false;
  loading.loaded = false;
  await orSooner(cdp.send('Page.setDocumentContent', { frameId, html }, options), waiting);
}

const mainFrameOf = async ({ cdp }: PageSession, options: object): Promise<string> =>
  (await cdp.send('Page.getFrameTree', undefined, options)).frameTree.frame.id;

async function stop({ cdp, sessionId }: PageSession): Promise<void> {
  await cdp.send('Page.stopLoading', undefined, { sessionId, timeoutMs: stopMs }).catch(() => undefined);
}

async function blank({ cdp, sessionId }: PageSession, loading: Loading): Promise<void> {
  await loading.nextEvent(500);
  const { frameTree } = await cdp.send('Page.getFrameTree', undefined, { sessionId });
  await cdp.send('Page.setDocumentContent', { frameId: frameTree.frame.id, html: '' }, { sessionId });
  loading.failure = undefined;
  loading.interactive = true;
  loading.loaded = true;
}

/** The answer, or an end of the waiting. */
async function orSooner<T>(answer: Promise<T>, { signal }: Waiting): Promise<T> {
  try {
    return await orAborted(answer, signal);
  } catch (error) {
    if ((error as { code?: string }).code === 'BROWSER_UNRESPONSIVE') throw new VisitTimeout();
    throw error;
  }
}

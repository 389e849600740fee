/**
 * A file of a site, such as its robots.txt, as bytes: Chromium asks for it like for a page, so that policy, proxy and trust of
 * the page's exit hold for it, but the answer is taken away before anything is made of it.
 *
 *   navigation ──> redirects, followed ──> answer, held up ──> its bytes, as fast as they are read
 */
import type { Readable } from 'node:stream';
import type { ExitTroubles } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import { orAborted } from '../../kit/or-aborted.ts';
import { type PageSession, readHandle } from '../reach/reach.ts';
import { type Answered, holdUp } from './held-requests.ts';
import { PageFailed, VisitTimeout } from './settle.ts';
import { explainVisit } from './visit-error.ts';
import { watchLoading } from './watch-loading.ts';

export interface FetchedFile {
  /** After all redirects. */
  finalUrl: string;
  statusCode: number;
  /** With names in lower case. */
  headers: Record<string, string>;
  /** Ends with an error when the time is over. */
  content: Readable;
}

export interface FetchAround {
  signal: AbortSignal;
  troubles: ExitTroubles;
}

const isRedirect = ({ responseStatusCode = 0, responseHeaders = [] }: Answered): boolean =>
  [301, 302, 303, 307, 308].includes(responseStatusCode) &&
  responseHeaders.some(({ name }) => name.toLowerCase() === 'location');

export async function fetchFile(
  page: PageSession,
  request: { url: string; timeoutMs: number },
  { signal, troubles }: FetchAround,
): Promise<FetchedFile> {
  const { cdp, sessionId } = page;
  const deadline = performance.now() + request.timeoutMs;
  const left = (): number => Math.max(deadline - performance.now(), 1);
  await using undo = new AsyncDisposableStack();
  const loading = await watchLoading(page, { signal, left }, undo);
  const answered = Promise.withResolvers<Answered>();
  const take = (answer: Answered): boolean => {
    if (!loading.isMain(answer.frameId) || answer.responseErrorReason || isRedirect(answer)) return false;
    answered.resolve(answer);
    return true;
  };
  holdUp(page, { refused: [], take }, undo);
  const options = { sessionId, timeoutMs: left() };
  const failed = cdp.send('Page.navigate', { url: request.url }, options).then(
    ({ errorText = 'net::ERR_ABORTED' }) => {
      loading.failure = { url: request.url, errorText };
      throw new PageFailed();
    },
    (error: unknown) => {
      throw (error as { code?: string }).code === 'BROWSER_UNRESPONSIVE' ? new VisitTimeout() : error;
    },
  );
  try {
    const answer = await orAborted(Promise.race([answered.promise, failed]), signal);
    // It fails when the answer is taken away, and is not awaited then.
    failed.catch(() => undefined);
    const content = await bytesOf(page, answer, left());
    const held = undo.move();
    content.once('close', () => void held.disposeAsync());
    return { ...factsOf(answer), content };
  } catch (error) {
    throw explainVisit(error, request, loading, troubles, page.crashReason?.());
  }
}

async function bytesOf(
  { cdp, sessionId }: PageSession,
  { requestId, request }: Answered,
  leftMs: number,
): Promise<Readable> {
  const options = { sessionId, timeoutMs: leftMs };
  const { stream } = await cdp.send('Fetch.takeResponseBodyAsStream', { requestId }, options);
  const content = readHandle(cdp, sessionId, stream);
  const late = (): void => void content.destroy(tooLate(request.url));
  const timer = setTimeout(late, leftMs).unref();
  content.once('close', () => {
    clearTimeout(timer);
    cdp
      .send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, { sessionId })
      .catch(() => undefined);
  });
  return content;
}

const tooLate = (url: string): ApiError =>
  new ApiError('QUICK_ACTION_TIMEOUT', `${url} began to arrive, but not all of it came in time.`);

const factsOf = ({ request, responseStatusCode = 0, responseHeaders = [] }: Answered) => ({
  finalUrl: request.url,
  statusCode: responseStatusCode,
  headers: Object.fromEntries(responseHeaders.map(({ name, value }) => [name.toLowerCase(), value])),
});

/**
 * The address of a PDF as a page of its text:
 *
 *   answer, held up ──> its bytes ──> an empty page in its place ──> the bytes into it ──> pdf.js there fills it
 *
 * The bytes pass through the service but are never looked at here: whatever they do to their reader, they do it in
 * Chromium's sandbox. From then on it is a page like any other, to be scraped, paged through and selected from.
 */
import { ApiError } from '../../errors.ts';
import type { Expression } from '../../kit/page-program.ts';
import type { PdfOutcome } from '../inside/inside.ts';
import { lookInto, PageBusyError, type PageSession, pdfProgram, readHandle } from '../reach/reach.ts';
import type { Answered } from './held-requests.ts';
import type { Loading } from './loading.ts';
import { check, until, type Waiting } from './settle.ts';

export const mostBytes = 50 * 1024 ** 2;

export const isPdf = /^application\/(?:x-)?pdf\b/i;
export const saysNothing =
  /^(?:$|(?:application|binary)\/(?:octet-stream|force-download|x-download|download)\b)/i;

/** Takes the answers of the page itself that are PDFs; until one is there as text, the page counts as being loaded. */
export function pdfsAsText(
  page: PageSession,
  loading: Loading,
  waiting: Waiting,
): (answer: Answered) => boolean {
  return (answer) => {
    if (!loading.isMain(answer.frameId) || !namesPdf(answer)) return false;
    loading.beingMade = true;
    void show(page, answer, loading, waiting)
      .catch((error: unknown) => {
        loading.trouble ??= error;
      })
      .finally(() => {
        loading.beingMade = false;
      });
    return true;
  };
}

const headerOf = ({ responseHeaders = [] }: Answered, wanted: string): string =>
  responseHeaders.find(({ name }) => name.toLowerCase() === wanted)?.value.trim() ?? '';

function namesPdf(answer: Answered): boolean {
  const status = answer.responseStatusCode ?? 0;
  if (status < 200 || (status >= 300 && status < 400) || status === 204) return false;
  const type = headerOf(answer, 'content-type');
  if (isPdf.test(type)) return true;
  const named =
    /\.pdf["'\s]*(?:;|$)/i.test(headerOf(answer, 'content-disposition')) ||
    /\.pdf$/i.test(URL.parse(answer.request.url)?.pathname ?? '');
  return saysNothing.test(type) && named;
}

async function show(page: PageSession, answer: Answered, loading: Loading, waiting: Waiting): Promise<void> {
  const { cdp, sessionId } = page;
  const { requestId } = answer;
  const { url } = answer.request;
  let bytes: Buffer[];
  try {
    bytes = await bytesOf(page, answer, loading, waiting);
  } catch (error) {
    loading.trouble = error;
    await cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, { sessionId });
    return;
  }
  const empty = emptyPage(requestId, answer.responseStatusCode);
  await cdp.send('Fetch.fulfillRequest', empty, { sessionId });
  await fillWith(bytes, url, page, { loading, waiting, loaderId: answer.networkId });
}

/** The text of the PDF into the empty page of this navigation, once it is there. */
export async function fillWith(
  bytes: readonly Buffer[],
  url: string,
  page: PageSession,
  { loading, waiting, loaderId }: { loading: Loading; waiting: Waiting; loaderId: string | undefined },
): Promise<void> {
  await until(loading, waiting, () => loading.isAt(loaderId) && loading.loaded);
  const outcome = await fill(page, bytes, waiting);
  const size = bytes.reduce((sum, { length }) => sum + length, 0);
  if (outcome !== 'read') throw unreadable(url, outcome, size);
  if (loading.document) loading.document.mimeType = 'application/pdf';
}

export const emptyPage = (requestId: string, status = 200) => ({
  requestId,
  responseCode: status,
  responseHeaders: [
    { name: 'content-type', value: 'text/html; charset=utf-8' },
    { name: 'content-security-policy', value: "default-src 'none'" },
  ],
  body: Buffer.from('<!doctype html><title></title><body>').toString('base64'),
});

async function bytesOf(
  { cdp, sessionId }: PageSession,
  answer: Answered,
  loading: Loading,
  waiting: Waiting,
): Promise<Buffer[]> {
  const { requestId, request } = answer;
  if (Number(headerOf(answer, 'content-length')) > mostBytes) throw tooLarge(request.url);
  const { stream } = await cdp.send('Fetch.takeResponseBodyAsStream', { requestId }, { sessionId });
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of readHandle(cdp, sessionId, stream) as AsyncIterable<Buffer>) {
    check(loading, waiting);
    pieces.push(piece);
    size += piece.length;
    if (size > mostBytes) throw tooLarge(request.url);
  }
  return pieces;
}

async function fill(page: PageSession, bytes: readonly Buffer[], waiting: Waiting): Promise<PdfOutcome> {
  const inside = <T>(expression: Expression<T>): Promise<T> => {
    waiting.signal.throwIfAborted();
    return lookInto(page, expression, waiting.left());
  };
  try {
    await inside(pdfProgram.load());
    for (const piece of bytes) await inside(pdfProgram.callLoaded('add', piece.toString('base64')));
    // The other half is for what comes after.
    const outcome = await inside(pdfProgram.callLoaded('read', Math.max(waiting.left() / 2, 1)));
    if (outcome === undefined) throw new Error('The page was replaced while its PDF was read.');
    return outcome;
  } catch (error) {
    if (error instanceof PageBusyError)
      await page.cdp.send('Runtime.terminateExecution', undefined, { sessionId: page.sessionId });
    throw error;
  }
}

export const tooLarge = (url: string): ApiError =>
  new ApiError(
    'NAVIGATION_FAILED',
    `${url} is a PDF larger than ${mostBytes / 1024 ** 2} MiB, which is not read. Fetch it in a browser of your own: its downloads are kept.`,
    { details: { reason: 'PDF_TOO_LARGE', url, contentType: 'application/pdf', maxBytes: mostBytes } },
  );

function unreadable(url: string, outcome: 'encrypted' | 'broken', bytes: number): ApiError {
  const why =
    outcome === 'encrypted'
      ? 'needs a password to be opened'
      : 'is damaged, or no PDF at all: it cannot be opened';
  return new ApiError(
    'NAVIGATION_FAILED',
    `${url} is a PDF of ${bytes} bytes that ${why}. To get the file as it is, fetch it in a browser of your own: its downloads are kept.`,
    {
      details: {
        reason: outcome === 'encrypted' ? 'PDF_ENCRYPTED' : 'PDF_BROKEN',
        url,
        contentType: 'application/pdf',
        bytes,
      },
    },
  );
}

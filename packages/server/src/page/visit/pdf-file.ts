/**
 * A PDF that came as a file, in place of the page of a guest. Answers are not held up for it: that would cost every other page a
 * twentieth of its time.
 *
 *   file wanted? ──> on disk ──> its bytes ──> its address once more, answered here with an empty page ──> filled with its text
 *
 * Its site is asked once.
 */
import { FileTooLarge, type GuestFiles } from '../../browsers/browsers.ts';
import type { PageSession } from '../reach/reach.ts';
import type { Loading } from './loading.ts';
import { emptyPage, fillWith, isPdf, mostBytes, saysNothing, tooLarge } from './pdf-reading.ts';
import { check, type Waiting } from './settle.ts';

const pieceBytes = 1024 ** 2;

/** From now on; until one is there as text, the page counts as being loaded. */
export function takePdfs(
  page: PageSession,
  loading: Loading,
  waiting: Waiting,
  files: GuestFiles,
  undo: AsyncDisposableStack,
): void {
  loading.file = 'awaited';
  const stop = files.keep((file) => {
    if (loading.file !== 'awaited') return false;
    loading.file = isPdfFile(file, loading) ? 'taken' : 'refused';
    if (loading.file === 'refused') return false;
    loading.beingMade = true;
    void show(page, file, { loading, waiting, files, undo })
      .catch((error: unknown) => {
        loading.trouble ??= error;
      })
      .finally(() => {
        loading.beingMade = false;
      });
    return true;
  });
  undo.defer(stop);
}

function isPdfFile({ url, name }: { url: string; name: string }, { document }: Loading): boolean {
  const type = document?.url === url ? document.mimeType : '';
  return isPdf.test(type) || (saysNothing.test(type) && /\.pdf$/i.test(name));
}

interface Course {
  loading: Loading;
  waiting: Waiting;
  files: GuestFiles;
  undo: AsyncDisposableStack;
}

async function show(
  page: PageSession,
  { guid, url }: { guid: string; url: string },
  { loading, waiting, files, undo }: Course,
): Promise<void> {
  const { document } = loading;
  const bytes = await fileOf(guid, url, { loading, waiting, files });
  const { cdp, sessionId } = page;
  const options = { sessionId, timeoutMs: Math.max(waiting.left(), 1) };
  undo.defer(
    cdp.on('Fetch.requestPaused', ({ requestId }, from) => {
      if (from !== sessionId) return;
      void cdp
        .send('Fetch.fulfillRequest', emptyPage(requestId, document?.status), options)
        .catch(() => undefined);
    }),
  );
  void cdp.send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] }, options).catch(() => undefined);
  const { loaderId } = await cdp.send('Page.navigate', { url }, options);
  void cdp.send('Fetch.disable', undefined, options).catch(() => undefined);
  loading.isDownload = false;
  loading.failure = undefined;
  loading.expect(loaderId);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
    bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
  );
  await fillWith(pieces, url, page, { loading, waiting, loaderId });
  // What the site said of it, not what stands here for it.
  if (document) loading.document = { ...document, mimeType: 'application/pdf' };
}

async function fileOf(
  guid: string,
  url: string,
  { loading, waiting, files }: Pick<Course, 'loading' | 'waiting' | 'files'>,
): Promise<Buffer> {
  const aborted = new AbortController();
  let isThere = false;
  const taken = files.take(guid, mostBytes, aborted.signal).finally(() => {
    isThere = true;
  });
  taken.catch(() => undefined);
  try {
    while (!isThere) {
      await loading.nextEvent(50);
      check(loading, waiting);
    }
    return await taken;
  } catch (error) {
    aborted.abort(error);
    throw error instanceof FileTooLarge ? tooLarge(url) : error;
  }
}

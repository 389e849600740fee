/** What a caller may wait for in a page, whether it is visited for that or has been in its tab for long. */
import { elementsProgram, lookInto, PageBusyError, type PageSession } from '../reach/reach.ts';
import type { AtRest } from './at-rest.ts';
import type { DocumentState, Loading } from './loading.ts';
import type { WaitFor } from './schema.ts';
import { check, settle, until, type Waiting } from './settle.ts';
import { untilTrue } from './until-true.ts';
import { badSelector } from './visit-error.ts';
import { watchLoading } from './watch-loading.ts';

const idleMs = 500;

/** Resolves when the page is there, as its caller understands that. */
export async function waitFor(
  page: PageSession,
  wanted: WaitFor | undefined,
  loading: Loading,
  waiting: Waiting,
  { forText = false, atRest }: { forText?: boolean; atRest?: AtRest },
): Promise<void> {
  if (wanted === undefined) return settle(page, loading, waiting, { all: forText, atRest });
  if (wanted === 'domcontentloaded')
    return until(loading, waiting, () => loading.staying && loading.interactive);
  const loaded = () => loading.staying && loading.loaded;
  if (wanted === 'load') return until(loading, waiting, loaded);
  if (wanted === 'networkidle')
    return until(
      loading,
      waiting,
      () => loaded() && loading.openRequests === 0 && loading.quietFor >= idleMs,
    );
  if (typeof wanted === 'string') return untilThere(page, wanted, loading, waiting);
  if (typeof wanted === 'object') return untilTrue(page, wanted.expression, loading, waiting);
  await until(loading, waiting, () => loading.staying && loading.interactive);
  const end = performance.now() + wanted;
  return until(loading, waiting, () => performance.now() >= end && loading.staying);
}

/** Of the page that a tab shows, however far it has come. Of requests only those count that begin from now on. */
export async function waitForOnTab(page: PageSession, wanted: WaitFor, waiting: Waiting): Promise<void> {
  await using watched = new AsyncDisposableStack();
  const loading = await watchLoading(page, waiting, watched);
  loading.joins(await lookInto<DocumentState>(page, 'document.readyState', waiting.left()));
  await waitFor(page, wanted, loading, waiting, {});
}

async function untilThere(
  page: PageSession,
  selector: string,
  loading: Loading,
  waiting: Waiting,
): Promise<void> {
  const look = elementsProgram.call('has', selector);
  for (;;) {
    check(loading, waiting);
    const found = await lookInto(page, look, waiting.left()).catch((error: unknown) => {
      if (error instanceof PageBusyError) throw error;
      return false;
    });
    if (found === 'bad') throw badSelector(['waitFor'], selector);
    if (found) return;
    await loading.nextEvent(50);
  }
}

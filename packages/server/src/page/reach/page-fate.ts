/**
 * Chromium never answers for a page that crashed, was closed or stands in a dialog meanwhile. A call that
 * waits for an answer waits for these as well.
 */
import { ApiError } from '../../errors.ts';
import { noTab, type PageTarget } from './page-target.ts';

const dialogMs = 1000;

export const pageCrashed = (page: Pick<PageTarget, 'crashReason'>): ApiError => {
  const reason = page.crashReason?.();
  return new ApiError(
    'PAGE_CRASHED',
    `The page crashed${reason ? ` (${reason})` : ''}, so nothing of it can be seen. Navigate the tab again, or stop and resume the browser.`,
    { details: { ...(reason && { reason }) } },
  );
};

export const dialogOpen = (): ApiError =>
  new ApiError(
    'DIALOG_OPEN',
    'A dialog of the page waits for an answer, and until then the page stands still. Answer it, then try again.',
  );

export async function unlessItEnds<T>(page: PageTarget, work: () => Promise<T>): Promise<T> {
  const { cdp, sessionId, targetId } = page;
  const end = Promise.withResolvers<never>();
  // The work may be over first, and then the rejection has no listener.
  end.promise.catch(() => undefined);
  let patience: NodeJS.Timeout | undefined;
  const off = [
    cdp.on('Target.targetCrashed', (crashed) => {
      if (crashed.targetId === targetId) end.reject(pageCrashed(page));
    }),
    cdp.on('Target.detachedFromTarget', (detached) => {
      if (detached.sessionId === sessionId) end.reject(noTab(targetId, 'The tab was closed meanwhile.'));
    }),
    // Most dialogs are answered at once, by the service or by a script.
    cdp.on('Page.javascriptDialogOpening', (_, session) => {
      if (session === sessionId) patience ??= setTimeout(() => end.reject(dialogOpen()), dialogMs);
    }),
    cdp.on('Page.javascriptDialogClosed', (_, session) => {
      if (session !== sessionId) return;
      clearTimeout(patience);
      patience = undefined;
    }),
  ];
  try {
    return await Promise.race([work(), end.promise]);
  } finally {
    clearTimeout(patience);
    for (const each of off) each();
  }
}

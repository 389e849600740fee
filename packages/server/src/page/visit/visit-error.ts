/** Why a visit did not come to its end, in words that say what to do about it. */
import { type ExitTroubles, navigationVerdict } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { Loading } from './loading.ts';
import type { WaitFor } from './schema.ts';
import { PageCrashed, PageFailed, VisitTimeout } from './settle.ts';

export const badSelector = (path: string[], selector: string): ApiError =>
  new ApiError('VALIDATION_FAILED', `${path.join('.')} is no CSS selector: ${selector.slice(0, 200)}`, {
    details: { issues: [{ path: path.join('.'), reason: 'not a CSS selector' }] },
  });

export function explainVisit(
  error: unknown,
  request: { url?: string; timeoutMs: number; waitFor?: WaitFor },
  loading: Loading,
  troubles: ExitTroubles,
  crashReason: string | undefined,
): unknown {
  const where = request.url ?? 'The page';
  if (error instanceof VisitTimeout)
    return new ApiError(
      'QUICK_ACTION_TIMEOUT',
      `${where} was not there within ${request.timeoutMs} ms${request.waitFor === undefined ? '' : ` (waitFor: ${JSON.stringify(request.waitFor)})`}. Raise \`timeoutMs\`, wait for less, or send \`partial: true\` for what there is by then.`,
      { details: { timeoutMs: request.timeoutMs, waitFor: request.waitFor, loaded: loading.loaded } },
    );
  if (error instanceof PageCrashed)
    return new ApiError(
      'PAGE_CRASHED',
      `${where} crashed while it was loaded${crashReason ? ` (${crashReason})` : ''}.`,
      { details: { ...(crashReason && { reason: crashReason }) } },
    );
  if (!(error instanceof PageFailed) || !loading.failure) return error;
  return failed(loading.failure, loading, troubles);
}

function failed(
  { url, errorText }: { url: string; errorText: string },
  loading: Loading,
  troubles: ExitTroubles,
): ApiError {
  const contentType = loading.document?.mimeType;
  const verdict = navigationVerdict({ message: `${errorText} at ${url}` }, troubles);
  // First of all: Chromium may take what is left of an address that was refused for an empty file.
  if (verdict?.code === 'POLICY_BLOCKED')
    return new ApiError(verdict.code, verdict.message ?? errorText, { details: verdict.details });
  if (loading.isDownload)
    return new ApiError(
      'NAVIGATION_FAILED',
      `${url} is a file to download (${contentType ?? 'of unknown type'}), not a page. Fetch it in a browser of your own: its downloads are kept.`,
      { details: { reason: 'DOWNLOAD', url, contentType } },
    );
  if (errorText === 'net::ERR_ABORTED')
    return new ApiError(
      'NAVIGATION_FAILED',
      `${url} gave no page to show (status ${loading.document?.status ?? 'unknown'}).`,
      {
        details: { reason: 'NO_CONTENT', url, statusCode: loading.document?.status },
      },
    );
  return new ApiError(
    verdict?.code ?? 'NAVIGATION_FAILED',
    verdict?.message ?? `${url} could not be reached: ${errorText}.`,
    {
      details: verdict?.details ?? { reason: errorText, url },
    },
  );
}

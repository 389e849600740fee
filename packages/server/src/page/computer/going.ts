/** Going elsewhere in a tab: an address, or a page that it has shown before. Why that failed is said as for scripts. */
import { type ExitTroubles, navigationVerdict } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import { orAborted } from '../../kit/or-aborted.ts';
import { addressOf, RefusedError, type Shown } from '../view/view.ts';

export async function goTo(
  { remote, sessionId }: Shown,
  typed: string,
  troubles: ExitTroubles,
  signal: AbortSignal,
): Promise<void> {
  const refused = (error: unknown): never => {
    if (!(error instanceof RefusedError)) throw error;
    throw new ApiError('VALIDATION_FAILED', `${typed.slice(0, 200)} cannot be visited: ${error.message}`, {
      details: { issues: [{ path: 'url', reason: error.message }] },
    });
  };
  const url = read(typed, refused);
  // The answer comes with the first bytes of the page, which a slow site sends late.
  const going = remote.send('Page.navigate', { url }, sessionId, { patient: true });
  const { errorText } = await orAborted(going, signal).catch(refused);
  if (typeof errorText !== 'string' || errorText === 'net::ERR_HTTP_RESPONSE_CODE_FAILURE') return;
  // The connection was cut by the next navigation, or the address is a download.
  if (errorText === 'net::ERR_ABORTED') return;
  const message = `${errorText} at ${url}`;
  const verdict = navigationVerdict({ message }, troubles);
  throw new ApiError(
    verdict?.code ?? 'NAVIGATION_FAILED',
    verdict?.message ?? `${url} cannot be reached: ${errorText}.`,
    {
      details: verdict?.details ?? {},
    },
  );
}

function read(typed: string, refused: (error: unknown) => never): string {
  try {
    return addressOf(typed);
  } catch (error) {
    return refused(error);
  }
}

export async function step({ remote, sessionId }: Shown, by: -1 | 1): Promise<void> {
  const history = await remote.send('Page.getNavigationHistory', {}, sessionId);
  const { currentIndex, entries } = history as { currentIndex: number; entries: { id: number }[] };
  const entry = entries[currentIndex + by];
  if (!entry)
    throw new ApiError(
      'NAVIGATION_FAILED',
      `There is no page to go ${by < 0 ? 'back' : 'forward'} to in this tab.`,
    );
  await remote.send('Page.navigateToHistoryEntry', { entryId: entry.id }, sessionId);
}

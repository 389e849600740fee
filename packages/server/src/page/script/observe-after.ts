/** The page after a call of code. That it cannot be seen is part of the answer: what the code did stands. */
import type { Running } from '../../browsers/browsers.ts';
import { ApiError, errorView } from '../../errors.ts';
import type { Observations } from '../observe/observe.ts';
import type { Observation, ObservationRequest } from './schema.ts';

export async function observeAfter(
  observations: Pick<Observations, 'see'>,
  running: Running,
  of: { keyId: string; tabId: string },
  { includeOn, ...asked }: ObservationRequest,
): Promise<Observation | undefined> {
  const [dialog] = running.live.dialogs.waiting(of.tabId);
  if (dialog)
    return nothingSeen(
      asked.kind,
      new ApiError('DIALOG_OPEN', `A dialog holds up the page; answer it: POST …/dialogs/${dialog.id}.`),
    );
  try {
    const seen = await observations.see(running, of, asked);
    return includeOn === 'change' && !seen.changed ? undefined : seen;
  } catch (error) {
    running.left.throwIfAborted();
    const told =
      error instanceof ApiError ? error : new ApiError('BROWSER_UNRESPONSIVE', (error as Error).message);
    return nothingSeen(asked.kind, told);
  }
}

const nothingSeen = (kind: Observation['kind'], error: ApiError): Observation => ({
  kind,
  as: 'full',
  content: '',
  chars: 0,
  tokens: 0,
  truncated: false,
  changed: false,
  error: errorView(error),
});

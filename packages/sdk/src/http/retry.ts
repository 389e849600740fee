/**
 * Which calls are repeated, and after what delay:
 *
 *   refused before it began (429, the service is shutting down,    any call
 *   the node of the browser could not be reached)
 *   the node of the browser was lost during the call               idempotent calls, by the service itself
 *   connection lost, or 5xx that the service calls temporary       idempotent calls
 *   no room for a browser, no answer in time                       none: use `waitSeconds` and `timeoutMs`
 */
import { BrowserdError, ConnectionError } from '../errors.ts';

const firstDelayMs = 250;
const longestDelayMs = 8000;
/** A `Retry-After` above this is left to the caller. */
const longestRetryAfterMs = 30_000;

const neverBegan = ({ status, code, nextStep }: BrowserdError): boolean =>
  (status === 429 && code !== 'CAPACITY_EXHAUSTED') ||
  code === 'SERVICE_SHUTTING_DOWN' ||
  // where it may have begun, the service says `observe`, unless the call has effect only once
  (code === 'NODE_LOST' && nextStep === 'retry');

function mayPass({ status, code, nextStep }: BrowserdError): boolean {
  if (code === 'CONNECTION_FAILED') return true;
  // another node still works on the first attempt, whose connection broke
  if (code === 'IDEMPOTENCY_KEY_IN_USE') return true;
  // from a proxy that did not reach the service
  if (code === 'UNEXPECTED_ANSWER') return status >= 502 && status <= 504;
  return status >= 500 && (nextStep === 'retry' || nextStep === 'wait');
}

/** Whether a caller that waits anyway may try again: the service is down, or about to be, and comes back. */
export const comesBack = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof BrowserdError && (neverBegan(error) || mayPass(error)));

/** The delay before the next attempt; undefined when there should be none. */
export function delayBefore(
  error: unknown,
  attempt: number,
  repeatable: boolean,
  retryAfter?: string | null,
): number | undefined {
  if (!(error instanceof BrowserdError)) return undefined;
  if (!neverBegan(error) && !(repeatable && mayPass(error))) return undefined;
  const retryAfterMs = retryAfter ? Number(retryAfter) * 1000 : 0;
  if (retryAfterMs > longestRetryAfterMs) return undefined;
  const backOffMs = Math.min(firstDelayMs * 2 ** attempt, longestDelayMs) * (0.5 + Math.random() / 2);
  // a date instead of seconds gives NaN
  return Math.max(retryAfterMs || 0, backOffMs);
}

export function sleep(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Polls until an answer fits; `signal` is the only other end. */
export async function until<Answer>(
  fetch: () => Promise<Answer>,
  fits: (answer: Answer) => boolean,
  { signal, everyMs = 250 }: { signal?: AbortSignal; everyMs?: number } = {},
): Promise<Answer> {
  for (;;) {
    const answer = await fetch();
    if (fits(answer)) return answer;
    await sleep(everyMs, signal);
  }
}

/** Distinguishes a broken connection from a call that the caller or its time limit has aborted. */
export function connectionError(error: unknown, address: string, signal?: AbortSignal | null): unknown {
  if (error instanceof BrowserdError) return error;
  // the upload could not be read; fetch wraps that as a failure of its own
  const { cause } = Object(error) as { cause?: unknown };
  if (cause instanceof BrowserdError) return cause;
  if (signal?.aborted) return signal.reason;
  const reason = reasonOf(error);
  return new ConnectionError(
    'CONNECTION_FAILED',
    `browserd could not be reached at ${address}: ${reason}. Is it running, and is this its address?`,
    error,
  );
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error) return (cause as { code?: string }).code ?? (cause.message || error.message);
  return error.message;
}

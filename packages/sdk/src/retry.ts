import { BrowserdError, ConnectionError } from './errors.ts';

/**
 * When a call may be made again, and when:
 *
 *   turned away before it began (429, the service is shutting down)    any call
 *   lost on the way, or 5xx of which the service says that it passes   calls that do the same twice as once
 *   no room for a browser, no answer in time                           none: `waitSeconds` and `timeoutMs` are for that
 */
const firstDelayMs = 250;
const longestDelayMs = 8000;
/** A service that asks for more patience than this is told to the caller instead. */
const patienceMs = 30_000;

const neverBegan = ({ status, code }: BrowserdError): boolean =>
  (status === 429 && code !== 'CAPACITY_EXHAUSTED') || code === 'SERVICE_SHUTTING_DOWN';

function mayPass({ status, code, nextStep }: BrowserdError): boolean {
  if (code === 'CONNECTION_FAILED') return true;
  // another node still works on the first attempt, whose line broke
  if (code === 'IDEMPOTENCY_KEY_IN_USE') return true;
  // from a proxy that did not reach the service
  if (code === 'UNEXPECTED_ANSWER') return status >= 502 && status <= 504;
  return status >= 500 && (nextStep === 'retry' || nextStep === 'wait');
}

/** Whether who waits anyway may ask again: the service is away, or about to be, and comes back. */
export const comesBack = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof BrowserdError && (neverBegan(error) || mayPass(error)));

/** How long to wait before the next attempt, or nothing when there should be none. */
export function delayBefore(
  error: unknown,
  attempt: number,
  repeatable: boolean,
  retryAfter?: string | null,
): number | undefined {
  if (!(error instanceof BrowserdError)) return undefined;
  if (!neverBegan(error) && !(repeatable && mayPass(error))) return undefined;
  const askedMs = retryAfter ? Number(retryAfter) * 1000 : 0;
  if (askedMs > patienceMs) return undefined;
  const backOffMs = Math.min(firstDelayMs * 2 ** attempt, longestDelayMs) * (0.5 + Math.random() / 2);
  // a date instead of seconds is no number
  return Math.max(askedMs || 0, backOffMs);
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

/** Asks again and again; `signal` is the only end where the answer never fits. */
export async function until<Answer>(
  ask: () => Promise<Answer>,
  fits: (answer: Answer) => boolean,
  { signal, everyMs = 250 }: { signal?: AbortSignal; everyMs?: number } = {},
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    await sleep(everyMs, signal);
  }
}

/** Tells a broken line from a call that was given up, by the caller or by its time limit. */
export function connectionError(error: unknown, address: string, signal?: AbortSignal | null): unknown {
  if (error instanceof BrowserdError) return error;
  // what was to be sent could not be read; fetch tells it as its own failure
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

/** `fetch failed` says nothing; what it was caused by does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error) return (cause as { code?: string }).code ?? (cause.message || error.message);
  return error.message;
}

import { BrowserdError, ConnectionError } from './errors.ts';

/**
 * When a call may be made again, and when:
 *
 *   turned away before it began (429, the service is shutting down)   any call
 *   lost on the way, or 5xx                                            calls that do the same twice as once
 */
const firstDelayMs = 250;
const longestDelayMs = 8000;
/** A service that asks for more patience than this is told to the caller instead. */
const patienceMs = 30_000;

const neverBegan = ({ status, code }: BrowserdError): boolean =>
  status === 429 || code === 'SERVICE_SHUTTING_DOWN';
const mayPass = ({ status, code }: BrowserdError): boolean =>
  code === 'CONNECTION_FAILED' || (status >= 500 && status !== 501);

/** How long to wait before the next attempt, or nothing when there should be none. */
export function delayBefore(
  error: unknown,
  attempt: number,
  repeatable: boolean,
  retryAfter: string | null | undefined,
): number | undefined {
  if (!(error instanceof BrowserdError)) return undefined;
  if (!neverBegan(error) && !(repeatable && mayPass(error))) return undefined;
  const asked = retryAfter ? Number(retryAfter) * 1000 : Number.NaN;
  if (asked > patienceMs) return undefined;
  const backOff = Math.min(firstDelayMs * 2 ** attempt, longestDelayMs) * (0.5 + Math.random() / 2);
  return Number.isNaN(asked) ? backOff : Math.max(asked, backOff);
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

/** Tells a broken line from a call that was given up, by the caller or by its time limit. */
export function connectionError(error: unknown, address: string, signal?: AbortSignal | null): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof BrowserdError) return error;
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

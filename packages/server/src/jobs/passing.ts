/** Which failures of a page can pass, and how long it waits for its next attempt. */
import { ApiError, type ErrorCode } from '../errors.ts';

/** The network, the site or Chromium, each of which may do better the next time. */
const passing = new Set<ErrorCode>([
  'QUICK_ACTION_TIMEOUT',
  'NAVIGATION_FAILED',
  'PROXY_UNREACHABLE',
  'PAGE_CRASHED',
  'BROWSER_CRASHED',
  'BROWSER_START_FAILED',
  'BROWSER_UNRESPONSIVE',
  'STORE_UNAVAILABLE',
]);

/** Of a navigation: the address or the site is so, and stays so. */
const lasting = /ERR_(CERT|SSL|UNSAFE|INVALID|BLOCKED|TOO_MANY_REDIRECTS|UNKNOWN_URL|DISALLOWED)/;

/** The site asks for patience, or is not there for a moment. */
const busyAnswers = new Set([429, 502, 503, 504]);

const firstPauseMs = 1000;
const longestPauseMs = 60_000;

export function canPass(error: unknown): boolean {
  if (!(error instanceof ApiError) || !passing.has(error.code)) return false;
  return !lasting.test(String(error.details?.reason ?? ''));
}

export const isBusyAnswer = (statusCode: number | null): boolean =>
  statusCode !== null && busyAnswers.has(statusCode);

/** After the first attempt a second, then twice as long each time; not all pages of a job at the same moment. */
export const pauseAfter = (attempts: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2);

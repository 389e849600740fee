/**
 * Why a page could not be reached. Chromium knows only that its exit turned it away; the exit knows why, so both are
 * read together.
 */
import type { ErrorCode } from '../../errors.ts';
import type { Watcher } from './watchers.ts';

/** What an exit to the network had to turn away, and what it could not reach; more may be added while it is read. */
export interface ExitTroubles {
  readonly refusals: { host: string; url: string; rule: string }[];
  readonly unreachable: { host: string; word: string; message: string }[];
  readonly proxyFailure?: { code: 'PROXY_UNREACHABLE' | 'PROXY_AUTH_FAILED'; message: string };
}

export interface NavigationVerdict {
  code: ErrorCode;
  message?: string;
  details?: Record<string, unknown>;
}

/** The page itself is among the first; a page that is refused a thousand things must not fill the memory. */
const mostKept = 100;

/** From now until it is disposed. */
export function gatherTroubles(exit: {
  watch(watcher: Partial<Watcher>): () => void;
}): ExitTroubles & Disposable {
  const troubles: { -readonly [Field in keyof ExitTroubles]: ExitTroubles[Field] } = {
    refusals: [],
    unreachable: [],
  };
  const keep = <T>(list: T[], trouble: T): void => {
    if (list.length < mostKept) list.push(trouble);
  };
  const stop = exit.watch({
    refused: (refusal) => keep(troubles.refusals, refusal),
    unreachable: (failure) => keep(troubles.unreachable, failure),
    upstreamFailed: (failure) => {
      troubles.proxyFailure = failure;
    },
  });
  return Object.assign(troubles, { [Symbol.dispose]: stop });
}

const netError = /net::(ERR_[A-Z0-9_]+)(?: at (\S+))?/;
/** What Chromium sees when the exit turns a connection away; the exit itself knows why. */
const turnedAway = [
  'ERR_TUNNEL_CONNECTION_FAILED',
  'ERR_EMPTY_RESPONSE',
  'ERR_CONNECTION_CLOSED',
  // The same, where the exit had not read all that was sent when it hung up.
  'ERR_CONNECTION_RESET',
];
const netErrorOf: Record<string, string> = {
  dns: 'ERR_NAME_NOT_RESOLVED',
  connect: 'ERR_CONNECTION_FAILED',
  timeout: 'ERR_CONNECTION_TIMED_OUT',
};

/** Reads a line like `net::ERR_FAILED at https://example.com/`. */
export function navigationVerdict(
  failure: { message: string },
  around: ExitTroubles,
): NavigationVerdict | undefined {
  const match = netError.exec(failure.message);
  if (!match) return undefined;
  const [, reason = '', url] = match;
  const host = url ? URL.parse(url)?.hostname : undefined;
  const refusal = around.refusals.find((each) => host === undefined || each.host === host);
  if (refusal && turnedAway.includes(reason))
    return {
      code: 'POLICY_BLOCKED',
      message: `The policy of this browser refuses ${refusal.url} (${refusal.rule}). Change it with PATCH, or go elsewhere.`,
      details: { url: refusal.url, rule: refusal.rule },
    };
  if (around.proxyFailure && turnedAway.includes(reason))
    return {
      code: around.proxyFailure.code,
      message: `The proxy of this browser failed: ${around.proxyFailure.message}.`,
    };
  const known = turnedAway.includes(reason) && around.unreachable.find((each) => each.host === host);
  if (!known) return { code: 'NAVIGATION_FAILED', details: { reason, url } };
  return {
    code: 'NAVIGATION_FAILED',
    message: `${url} cannot be reached: ${known.message}.`,
    details: { reason: netErrorOf[known.word] ?? reason, url },
  };
}

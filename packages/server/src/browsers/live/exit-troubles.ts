/**
 * Why a page could not be reached. Chromium knows only that its exit turned it away; the exit knows why, so both are
 * read together. A script has read Chromium's words as a client does, with the true name in them already; the service itself
 * reads them as they are.
 */
import { trueError } from '../../chromium/chromium.ts';
import type { Egress } from '../../egress/egress.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Watcher } from './watchers.ts';

/** What an exit to the network had to turn away, and what it could not reach; more may be added while it is read. */
export interface ExitTroubles {
  readonly refusals: { host: string; url: string; rule: string }[];
  readonly unreachable: { host: string; netError: string; message: string }[];
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
/** The same, where a proxy of the browser's failed and the client was told so. */
const byProxy = [...turnedAway, 'ERR_PROXY_CONNECTION_FAILED', 'ERR_INVALID_AUTH_CREDENTIALS'];

/** A line of Chromium's about this address, with the name of the failure as its clients read it. */
export const trueLine = (line: string, url: string, { outcome }: Pick<Egress, 'outcome'>): string =>
  line.replace(/(?<=net::)ERR_[A-Z0-9_]+/, (name) => trueError(name, url, outcome) ?? name);

/** Chromium does not know the authority; the exit does, and knows what else was wrong with the certificate. */
const isMistrust = (reason: string, netError: string): boolean =>
  reason === 'ERR_CERT_AUTHORITY_INVALID' && netError.startsWith('ERR_CERT_');

/** Reads a line like `net::ERR_FAILED at https://example.com/`. */
export function navigationVerdict(
  failure: { message: string },
  around: ExitTroubles,
): NavigationVerdict | undefined {
  const match = netError.exec(failure.message);
  if (!match) return undefined;
  const [, reason = '', url] = match;
  const host = url ? URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') : undefined;
  const refusal = around.refusals.find((each) => host === undefined || each.host === host);
  // Of the very address that was refused it does not matter what Chromium makes of the exit's hanging up.
  if (refusal && (turnedAway.includes(reason) || refusal.url === url))
    return {
      code: 'POLICY_BLOCKED',
      message: `The policy of this browser refuses ${refusal.url} (${refusal.rule}). Change it with PATCH, or go elsewhere.`,
      details: { url: refusal.url, rule: refusal.rule },
    };
  if (around.proxyFailure && byProxy.includes(reason))
    return {
      code: around.proxyFailure.code,
      message: `The proxy of this browser failed: ${around.proxyFailure.message}.`,
    };
  const known = around.unreachable.findLast(
    (each) =>
      each.host === host &&
      (turnedAway.includes(reason) || each.netError === reason || isMistrust(reason, each.netError)),
  );
  if (!known) return { code: 'NAVIGATION_FAILED', details: { reason, url } };
  return {
    code: 'NAVIGATION_FAILED',
    message: `${url} cannot be reached: ${known.message}.`,
    details: { reason: known.netError, url },
  };
}

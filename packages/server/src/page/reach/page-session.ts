/** One page of any Chromium of ours: of a browser with an owner, or of a guest borrowed for a single request. */
import type { Cdp } from '../../browsers/browsers.ts';

export interface PageSession {
  readonly cdp: Cdp;
  readonly sessionId: string;
  /** Why its page crashed, where that is known. */
  crashReason?(): string | undefined;
}

/** What its exit to the network had to turn away, and what it could not reach; more may be added while it is read. */
export interface ExitTroubles {
  readonly refusals: { host: string; url: string; rule: string }[];
  readonly unreachable: { host: string; word: string; message: string }[];
  readonly proxyFailure?: { code: 'PROXY_UNREACHABLE' | 'PROXY_AUTH_FAILED'; message: string };
}

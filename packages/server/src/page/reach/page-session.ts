/** One page of any Chromium of ours: of a browser with an owner, or of a guest borrowed for a single request. */
import type { Cdp } from '../../browsers/browsers.ts';

export interface PageSession {
  readonly cdp: Cdp;
  readonly sessionId: string;
  /** Why its page crashed, where that is known. */
  crashReason?(): string | undefined;
}

/** One page of any Chromium of ours: of a browser with an owner, or of a guest borrowed for a single request. */
import type { Cdp } from '../../browsers/browsers.ts';

export interface PageSession {
  readonly cdp: Cdp;
  readonly sessionId: string;
  /** Of a page, where it is known. Its main frame has the same id, which so need not be asked for. */
  readonly targetId?: string;
  /** Why its page crashed, where that is known. */
  crashReason?(): string | undefined;
}

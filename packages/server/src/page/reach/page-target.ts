/** One page to be captured: all that is known of it, wherever it comes from. */
import type { Cdp, Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { PageSession } from './page-session.ts';

export interface PageTarget {
  readonly cdp: Cdp;
  readonly sessionId: string;
  readonly targetId: string;
  /** The target that hides this one, where Chromium draws only the tab in front. */
  readonly behind?: string;
  /** What its browser has it believe about media. */
  media?(): { name: string; value: string }[] | undefined;
  /** What keeps it from answering, as far as is known. */
  blocker(): 'crashed' | 'dialog' | undefined;
  /** Why its page crashed, where that is known. */
  crashReason?(): string | undefined;
  /** A page of its Chromium that shows nothing and belongs to no caller. */
  readonly blank?: PageSession | undefined;
}

/** The tab that was asked for, or the active one. A browser whose last tab was closed gets a new one. */
export async function tabOf({ live: { tabs } }: Running, asked: string | undefined): Promise<string> {
  const tabId = asked ?? tabs.active?.tabId ?? (await tabs.open());
  if (tabs.targetOf(tabId)) return tabId;
  throw noTab(tabId, `There is no tab ${tabId.slice(0, 64)} in this browser; \`status\` lists them.`);
}

export const noTab = (tabId: string, message: string): ApiError =>
  new ApiError('TAB_NOT_FOUND', message, { details: { tabId: tabId.slice(0, 64) } });

/** For clients, which know pages by their targets. */
export const noTarget = (targetId: string): ApiError =>
  noTab(
    targetId,
    `There is no target ${targetId.slice(0, 64)} here that a client may see; \`…/cdp/json/list\` lists them.`,
  );

const attachMs = 5000;
const lookAgainMs = 20;

export async function targetOf(running: Running, tabId: string): Promise<PageTarget> {
  const { tabs, dialogs, chromium, engine } = running.live;
  const sessionId = await sessionOf(running, tabId);
  const targetId = tabs.targetOf(tabId) ?? tabId;
  const front = tabs.targetOf(tabs.active?.tabId ?? '');
  return {
    cdp: chromium.cdp,
    sessionId,
    targetId,
    // The shell draws every tab, the whole Chromium only the one in front.
    ...(engine === 'full' && front !== targetId && { behind: front }),
    media: () => tabs.media,
    blocker: () => (tabs.hasCrashed(tabId) ? 'crashed' : dialogs.holds(sessionId) ? 'dialog' : undefined),
    crashReason: () => tabs.crashReason(tabId),
  };
}

/** A tab that has just been opened is not attached to yet. */
async function sessionOf({ live: { tabs } }: Running, tabId: string): Promise<string> {
  for (const until = Date.now() + attachMs; ; ) {
    const sessionId = tabs.sessionOf(tabId);
    if (sessionId) return sessionId;
    if (!tabs.targetOf(tabId)) throw noTab(tabId, `The tab ${tabId} has just been closed.`);
    if (Date.now() > until)
      throw new ApiError('BROWSER_UNRESPONSIVE', `The tab ${tabId} is still being opened. Try again.`);
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

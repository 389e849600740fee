/**
 * One look at the log: the newest page, and back from there until it meets what is known. Requests that were pending and lie
 * further back are asked for one by one. A log that grew by more than a few pages since the last look is begun anew; what
 * lies between can be loaded as older.
 */
import { type Browser, BrowserdError } from '@browserd/sdk';
import { type RequestsView, requestKinds } from '../network-address.ts';
import { joined, mostKnown, type Row, rowOf } from './known-requests.ts';

export interface Known {
  /** What was asked for. */
  key: string;
  /** Oldest first. */
  rows: readonly Row[];
  /** Made so fast that the service only counted them. */
  dropped: number;
  isOff: boolean;
  /** Where older ones begin; undefined: there are none, or no room for them. */
  cursor: string | undefined;
}

const pageSize = 100;
const mostPagesALook = 5;
const mostPendingALook = 10;

export const queryOf = ({ kind, status, host, failed, tab, since }: RequestsView) => ({
  ...(kind && { type: [...requestKinds[kind].types] }),
  ...(status && { status }),
  ...(host && { host }),
  ...(failed && { failed }),
  ...(tab && { tabId: tab }),
  ...(since && { since }),
  limit: pageSize,
});

/** What was found, to be joined with what is known by then. */
export type Found = (known: Known) => Known;

export async function look(
  browser: Browser,
  view: RequestsView,
  known: readonly Row[],
  signal: AbortSignal,
): Promise<Found> {
  const seen = new Set(known.map(({ id }) => id));
  const list = browser.network.list(queryOf(view), { signal });
  let page = await list.page();
  const { dropped, log } = page;
  const told = { dropped, isOff: log === 'off' };
  const fresh = [...page.items];
  const meets = (): boolean => page.items.some(({ id }) => seen.has(id));
  // Of a log that is looked at for the first time, the newest page is enough.
  for (let pages = 1; seen.size > 0 && !meets() && page.nextCursor && pages < mostPagesALook; pages++) {
    page = await list.page(page.nextCursor);
    fresh.push(...page.items);
  }
  const { nextCursor } = page;
  if (!meets()) return ({ key }) => ({ key, ...told, rows: joined([], fresh), cursor: nextCursor });
  const { again, gone } = await pendingAgain(browser, known, fresh, signal);
  return ({ key, rows, cursor }) => {
    const there = gone.size === 0 ? rows : rows.filter(({ id }) => !gone.has(id));
    const all = joined(joined(there, again), fresh);
    return { key, ...told, rows: all, cursor: all.length < mostKnown ? cursor : undefined };
  };
}

/** What was pending and is not among the newest; `gone` are those that the log no longer has. */
async function pendingAgain(
  browser: Browser,
  known: readonly Row[],
  fresh: readonly Row[],
  signal: AbortSignal,
): Promise<{ again: Row[]; gone: ReadonlySet<string> }> {
  const isFresh = new Set(fresh.map(({ id }) => id));
  const pending = known.filter(({ id, state }) => state === 'pending' && !isFresh.has(id));
  const gone = new Set<string>();
  const asked = pending.slice(-mostPendingALook).map(async ({ id }) => {
    try {
      return [rowOf(await browser.network.get(id, { signal }))];
    } catch (error) {
      if (!(error instanceof BrowserdError && error.code === 'REQUEST_NOT_FOUND')) throw error;
      gone.add(id);
      return [];
    }
  });
  return { again: (await Promise.all(asked)).flat(), gone };
}

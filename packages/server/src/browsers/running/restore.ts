/** Puts a saved state into a Chromium that has just come up. What could not be put back is returned in words. */
import type { OriginStorage } from '../../profiles/profiles.ts';
import type { Store } from '../../store/records.ts';
import { type LiveBrowser, longestAddress, type SavedTab } from '../live/live.ts';
import type { SavedState } from './checkpoint.ts';
import { fillStorage } from './fill-storage.ts';
import { unpackItems } from './local-storage.ts';

/** What was saved of all origins, the ones that changed last first. */
export async function* savedStorage(
  store: Store,
  browserId: string,
  state: SavedState,
): AsyncGenerator<OriginStorage> {
  const rows = await store.localStorage.sizes(browserId);
  for (const { origin } of rows.toReversed()) {
    const items = await store.localStorage.get(browserId, origin);
    if (items) yield { origin, entries: await unpackItems(items) };
  }
  const kept = new Set(rows.map(({ origin }) => origin));
  for (const [origin, items] of Object.entries(state.localStorage ?? {}))
    if (!kept.has(origin)) yield { origin, entries: JSON.stringify(Object.entries(items)) };
}

export async function restoreState(
  live: LiveBrowser,
  state: SavedState,
  options: {
    localStorage?: AsyncIterable<OriginStorage> | undefined;
    /** The folder is older than this state: what was removed since must not come back with it. */
    overOlder: boolean;
    withTabs: boolean;
  },
): Promise<string[]> {
  const lost: string[] = [];
  if (options.overOlder) await live.chromium.cdp.send('Storage.clearCookies');
  if (state.cookies.length > 0)
    await live.chromium.cdp.send('Storage.setCookies', { cookies: state.cookies }).catch((error) => {
      lost.push(`cookies: ${error.message}`);
    });
  if (options.localStorage) {
    const [first] = live.tabs.list();
    if (first)
      for (const { origin, error } of await fillStorage(live, first.tabId, options.localStorage, {
        replace: options.overOlder,
      }))
        lost.push(`local storage of ${origin}: ${error.message}`);
    if (state.storageNotKept?.length)
      lost.push(`local storage of ${state.storageNotKept.join(', ')}: more than is kept of a browser`);
  }
  if (options.withTabs) {
    lost.push(...(await reopenTabs(live, state)));
    const long = state.tabs.filter(isLost).length;
    if (long > 0)
      lost.push(`the addresses of ${long} tabs: they were longer than ${longestAddress} characters`);
  } else lost.push(`open tabs (${state.tabs.length})`);
  return lost;
}

const isLost = (tab: SavedTab): boolean => tab.addressLost === true;

/** Pages load on their own time: a site that hangs does not hold the browser up. */
async function reopenTabs(live: LiveBrowser, state: SavedState): Promise<string[]> {
  const [first, ...others] = state.tabs;
  if (!first) return [];
  live.tabs.adopt(first.tabId);
  const load = (tabId: string, url: string) => {
    if (url !== 'about:blank') void live.tabs.navigate(tabId, url).catch(() => undefined);
  };
  const lost: string[] = [];
  for (const [at, tab] of others.entries()) {
    if (live.tabs.refusal()) {
      lost.push(`open tabs (${others.length - at}): the browser may have fewer now`);
      break;
    }
    await live.tabs.open(tab.tabId);
  }
  for (const { tabId, viewport } of state.tabs) if (viewport) await live.tabs.resize(tabId, viewport);
  for (const tab of state.tabs) if (!isLost(tab)) load(tab.tabId, tab.url);
  if (state.activeTabId) await live.tabs.activate(state.activeTabId);
  return lost;
}

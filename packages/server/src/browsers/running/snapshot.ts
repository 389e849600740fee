/** The light status of a browser: from Chromium while it runs, from its checkpoint otherwise. */
import { iso } from '../../kit/clock.ts';
import { cookieDomains } from '../../profiles/profiles.ts';
import type { BrowserRecord } from '../../store/records.ts';
import { type LiveBrowser, type Tab, toldTab } from '../live/live.ts';
import type { BrowserStatus } from '../record/record.ts';
import type { StatusSnapshot } from '../record/schema.ts';
import { readCookies, type SavedState } from './checkpoint.ts';

const snapshot = (
  record: BrowserRecord,
  lastActionAt: number,
  tabs: Tab[],
  active: Tab | undefined,
  cookies: readonly { domain?: string }[],
): StatusSnapshot => ({
  browserId: record.id,
  status: record.status as BrowserStatus,
  activeTab: active ? toldTab(active) : null,
  tabs: tabs.map(toldTab),
  cookieCount: cookies.length,
  cookieDomains: cookieDomains(cookies),
  lastActionAt: iso(lastActionAt),
});

/** Asks Chromium's own process only, so a busy page neither delays nor notices it. */
export async function liveSnapshot(
  record: BrowserRecord,
  live: LiveBrowser,
  lastActionAt: number,
): Promise<StatusSnapshot> {
  const [cookies, tabs] = await Promise.all([readCookies(live), live.tabs.refresh()]);
  return snapshot(record, lastActionAt, tabs, live.tabs.active, cookies);
}

export function savedSnapshot(record: BrowserRecord, state: SavedState | undefined): StatusSnapshot {
  const tabs = state?.tabs ?? [];
  const active = tabs.find((tab) => tab.tabId === state?.activeTabId);
  return snapshot(record, record.lastActionAt, tabs, active, state?.cookies ?? []);
}

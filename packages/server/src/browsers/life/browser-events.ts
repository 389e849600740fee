/**
 * What happens in a live browser becomes events of its record. Pages can make all of it by the thousand, and each event
 * is a row: so many of a kind become one in a while, the rest are counted, and long texts are cut. Over ten seconds that
 * is at most some fifty rows a second for one browser, if its pages flood all kinds at once; downloads have their own limit.
 */
import type { Events, EventType } from '../../events/events.ts';
import { FloodWindow } from '../../kit/flood-window.ts';
import { Tally } from '../../kit/tally.ts';
import type { BrowserRecord } from '../../store/records.ts';
import { type LiveBrowser, RefusalEvents, type Tab } from '../live/live.ts';
import { NavigationEvents } from './navigation-events.ts';

/** Some kinds come in floods (a page with fifty trackers): only so many become events in a while, the rest are counted. */
const mostNoted = 50;
const windowMs = 10_000;
const longestText = 2048;

type Note = (type: EventType, data: Record<string, unknown>) => void;

/** Whether this one becomes an event; how many did not is noted at the end of the while. */
function limited(type: EventType, note: Note): { admits(): boolean; flush(): void } {
  const window = new FloodWindow(mostNoted, windowMs);
  const rest = new Tally<void>(windowMs, (_, suppressed) => note(type, { suppressed }));
  return {
    admits() {
      if (window.admits()) return true;
      rest.add();
      return false;
    },
    flush: () => rest.flush(),
  };
}

const cut = <T extends object>(data: T): T =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, longestText) : value,
    ]),
  ) as T;

/** From here on, what happens in the browser becomes events of its record. */
export function recordEvents(events: Events, record: BrowserRecord, live: LiveBrowser): void {
  const note: Note = (type, data) =>
    events.note({ type, browserId: record.id, projectId: record.projectId, at: Date.now(), data: cut(data) });
  const tabData = ({ tabId, url, title }: Tab) => ({ tabId, url, title });
  const kinds = {
    opened: limited('tab.opened', note),
    crashed: limited('tab.crashed', note),
    files: limited('policy.blocked', note),
    errors: limited('console.error', note),
    dialogs: limited('dialog.opened', note),
    limits: limited('browser.limited', note),
    declined: limited('consent.declined', note),
    undeclined: limited('consent.failed', note),
  };
  const refusals = new RefusalEvents(mostNoted, (data) => note('policy.blocked', data));
  const navigations = new NavigationEvents((tab, skipped) =>
    note('tab.navigated', { ...tabData(tab), ...(skipped > 0 && { skipped }) }),
  );
  /** A tab or a dialog whose opening was not noted as an event has no event when it closes. */
  const tabsUnnoted = new Set<string>();
  const dialogsNoted = new Set<string>();
  live.watch({
    opened: (tab) => {
      if (kinds.opened.admits()) note('tab.opened', tabData(tab));
      else tabsUnnoted.add(tab.tabId);
    },
    closed: (tab) => {
      navigations.closed(tab.tabId);
      if (!tabsUnnoted.delete(tab.tabId)) note('tab.closed', tabData(tab));
    },
    navigated: (tab) => {
      if (!tabsUnnoted.has(tab.tabId)) navigations.add(tab);
    },
    crashed: ({ reason, ...tab }) => {
      if (kinds.crashed.admits()) note('tab.crashed', { ...tabData(tab), reason });
    },
    limited: (what) => {
      if (kinds.limits.admits()) note('browser.limited', { ...what });
    },
    dialogOpened: (dialog) => {
      if (!kinds.dialogs.admits()) return;
      dialogsNoted.add(dialog.id);
      note('dialog.opened', { ...dialog });
    },
    dialogClosed: (dialog) => {
      if (dialogsNoted.delete(dialog.id)) note('dialog.closed', { ...dialog });
    },
    bannerDealt: ({ targetId, maker, declined, hidden }) => {
      const data = { tabId: live.tabs.tabOf(targetId), maker, ...(hidden && { hidden }) };
      if (declined && kinds.declined.admits()) note('consent.declined', data);
      if (!declined && kinds.undeclined.admits()) note('consent.failed', data);
    },
    refused: (refusal) => refusals.add(refusal),
    fileRefused: ({ message: _, ...refusal }) => {
      if (kinds.files.admits()) note('policy.blocked', refusal);
    },
    consoleError: ({ targetId, ...error }) => {
      if (kinds.errors.admits()) note('console.error', { tabId: live.tabs.tabOf(targetId), ...error });
    },
  });
  void live.exited.then(() => {
    navigations.flush();
    refusals.flush();
    for (const kind of Object.values(kinds)) kind.flush();
  });
}

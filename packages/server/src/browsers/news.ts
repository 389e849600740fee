import type { Events, EventType } from '../events/events.ts';
import type { BrowserRecord } from '../store/records.ts';
import type { LiveBrowser } from './live.ts';
import type { Tab } from './tab.ts';

/** Some news comes in floods (a page with fifty trackers): only so much is told in a while, the rest is counted. */
const toldMost = 50;
const windowMs = 10_000;

/** From here on, what happens in the browser becomes events of its record. */
export function tellNews(events: Events, record: BrowserRecord, live: LiveBrowser): void {
  const note = (type: EventType, data: Record<string, unknown>): void =>
    events.note({ type, browserId: record.id, projectId: record.projectId, at: Date.now(), data });
  const tabData = ({ tabId, url, title }: Tab) => ({ tabId, url, title });
  const noteRefusal = rationed((data) => note('policy.blocked', data));
  const noteError = rationed((data) => note('console.error', data));
  live.watch({
    opened: (tab) => note('tab.opened', tabData(tab)),
    closed: (tab) => note('tab.closed', tabData(tab)),
    navigated: (tab) => note('tab.navigated', tabData(tab)),
    crashed: (tab) => note('tab.crashed', tabData(tab)),
    refused: (refusal) => noteRefusal({ ...refusal }),
    consoleError: ({ targetId, ...error }) => noteError({ tabId: live.tabs.tabOf(targetId), ...error }),
  });
}

function rationed(note: (data: Record<string, unknown>) => void): (data: Record<string, unknown>) => void {
  let told = 0;
  let untold = 0;
  let windowEnds = 0;
  return (data) => {
    const now = Date.now();
    if (now > windowEnds) {
      if (untold > 0) note({ suppressed: untold });
      told = 0;
      untold = 0;
      windowEnds = now + windowMs;
    }
    if (++told <= toldMost) note(data);
    else untold++;
  };
}

import type { Events, EventType } from '../events/events.ts';
import type { BrowserRecord } from '../store/records.ts';
import type { LiveBrowser } from './live.ts';
import type { Tab } from './tab.ts';

/** Refusals come in floods (a page with fifty trackers): only so many are told in a while, the rest are counted. */
const refusalsTold = 50;
const refusalWindowMs = 10_000;

/** From here on, what happens in the browser becomes events of its record. */
export function tellNews(events: Events, record: BrowserRecord, live: LiveBrowser): void {
  const note = (type: EventType, data: Record<string, unknown>): void =>
    events.note({ type, browserId: record.id, projectId: record.projectId, at: Date.now(), data });
  const tabData = ({ tabId, url, title }: Tab) => ({ tabId, url, title });
  let told = 0;
  let untold = 0;
  let windowEnds = 0;
  const blocked = (data: Record<string, unknown>): void => {
    const now = Date.now();
    if (now > windowEnds) {
      if (untold > 0) note('policy.blocked', { suppressed: untold });
      told = 0;
      untold = 0;
      windowEnds = now + refusalWindowMs;
    }
    if (++told <= refusalsTold) note('policy.blocked', data);
    else untold++;
  };
  live.watch({
    opened: (tab) => note('tab.opened', tabData(tab)),
    closed: (tab) => note('tab.closed', tabData(tab)),
    navigated: (tab) => note('tab.navigated', tabData(tab)),
    crashed: (tab) => note('tab.crashed', tabData(tab)),
    refused: (refusal) => blocked({ ...refusal }),
    fileRefused: ({ message: _, ...refusal }) => blocked(refusal),
  });
}

/** What happens in a live browser becomes events of its record. Floods are cut short and counted. */
import type { Events, EventType } from '../../events/events.ts';
import { FloodWindow } from '../../kit/flood-window.ts';
import type { BrowserRecord } from '../../store/records.ts';
import type { LiveBrowser, Tab } from '../live/live.ts';

/** Some kinds come in floods (a page with fifty trackers): only so many become events in a while, the rest are counted. */
const mostNoted = 50;
const windowMs = 10_000;

type Note = (type: EventType, data: Record<string, unknown>) => void;

/** Whether this one becomes an event. How many did not is noted before the first one that does again. */
function limited(type: EventType, note: Note): () => boolean {
  const window = new FloodWindow(mostNoted, windowMs);
  return () => {
    if (!window.admits()) return false;
    const suppressed = window.takeSuppressed();
    if (suppressed > 0) note(type, { suppressed });
    return true;
  };
}

/** From here on, what happens in the browser becomes events of its record. */
export function recordEvents(events: Events, record: BrowserRecord, live: LiveBrowser): void {
  const note: Note = (type, data) =>
    events.note({ type, browserId: record.id, projectId: record.projectId, at: Date.now(), data });
  const tabData = ({ tabId, url, title }: Tab) => ({ tabId, url, title });
  const refusals = limited('policy.blocked', note);
  const errors = limited('console.error', note);
  const dialogs = limited('dialog.opened', note);
  const dialogsNoted = new Set<string>();
  live.watch({
    opened: (tab) => note('tab.opened', tabData(tab)),
    closed: (tab) => note('tab.closed', tabData(tab)),
    navigated: (tab) => note('tab.navigated', tabData(tab)),
    crashed: ({ reason, ...tab }) => note('tab.crashed', { ...tabData(tab), reason }),
    limited: (what) => note('browser.limited', { ...what }),
    dialogOpened: (dialog) => {
      if (!dialogs()) return;
      dialogsNoted.add(dialog.id);
      note('dialog.opened', { ...dialog });
    },
    dialogClosed: (dialog) => {
      if (dialogsNoted.delete(dialog.id)) note('dialog.closed', { ...dialog });
    },
    refused: (refusal) => {
      if (refusals()) note('policy.blocked', { ...refusal });
    },
    fileRefused: ({ message: _, ...refusal }) => {
      if (refusals()) note('policy.blocked', refusal);
    },
    consoleError: ({ targetId, ...error }) => {
      if (errors()) note('console.error', { tabId: live.tabs.tabOf(targetId), ...error });
    },
  });
}

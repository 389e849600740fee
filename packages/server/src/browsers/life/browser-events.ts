/** What happens in a live browser becomes events of its record. Floods are cut short and counted. */
import type { Events, EventType } from '../../events/events.ts';
import type { BrowserRecord } from '../../store/records.ts';
import type { LiveBrowser, Tab } from '../live/live.ts';

/** A page with fifty trackers is refused fifty connections: only so many events are recorded in a while, the rest are counted. */
const mostRecorded = 50;
const windowMs = 10_000;

class Flood {
  readonly #recordCount: (suppressed: number) => void;
  #recorded = 0;
  #suppressed = 0;
  #windowEnds = 0;

  constructor(recordCount: (suppressed: number) => void) {
    this.#recordCount = recordCount;
  }

  /** Whether this one is recorded. */
  admits(): boolean {
    const now = Date.now();
    if (now > this.#windowEnds) {
      if (this.#suppressed > 0) this.#recordCount(this.#suppressed);
      this.#recorded = 0;
      this.#suppressed = 0;
      this.#windowEnds = now + windowMs;
    }
    if (++this.#recorded <= mostRecorded) return true;
    this.#suppressed++;
    return false;
  }
}

export function recordEvents(events: Events, record: BrowserRecord, live: LiveBrowser): void {
  const note = (type: EventType, data: Record<string, unknown>): void =>
    events.note({ type, browserId: record.id, projectId: record.projectId, at: Date.now(), data });
  const tabData = ({ tabId, url, title }: Tab) => ({ tabId, url, title });
  const refusals = new Flood((suppressed) => note('policy.blocked', { suppressed }));
  const errors = new Flood((suppressed) => note('console.error', { suppressed }));
  const dialogs = new Flood((suppressed) => note('dialog.opened', { suppressed }));
  const recordedDialogs = new Set<string>();
  live.watch({
    opened: (tab) => note('tab.opened', tabData(tab)),
    closed: (tab) => note('tab.closed', tabData(tab)),
    navigated: (tab) => note('tab.navigated', tabData(tab)),
    crashed: (tab) => note('tab.crashed', tabData(tab)),
    dialogOpened: (dialog) => {
      if (!dialogs.admits()) return;
      recordedDialogs.add(dialog.id);
      note('dialog.opened', { ...dialog });
    },
    dialogClosed: (dialog) => {
      if (recordedDialogs.delete(dialog.id)) note('dialog.closed', { ...dialog });
    },
    refused: (refusal) => {
      if (refusals.admits()) note('policy.blocked', { ...refusal });
    },
    fileRefused: ({ message: _, ...refusal }) => {
      if (refusals.admits()) note('policy.blocked', refusal);
    },
    consoleError: ({ targetId, ...error }) => {
      if (errors.admits()) note('console.error', { tabId: live.tabs.tabOf(targetId), ...error });
    },
  });
}

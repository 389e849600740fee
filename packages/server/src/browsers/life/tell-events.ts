/** What happens in a live browser becomes events of its record. Floods are cut short and counted. */
import type { Events, EventType } from '../../events/events.ts';
import type { BrowserRecord } from '../../store/records.ts';
import type { LiveBrowser, Tab } from '../live/live.ts';

/** Some news comes in floods (a page with fifty trackers): only so many are told in a while, the rest are counted. */
const mostTold = 50;
const windowMs = 10_000;

class Flood {
  readonly #tellUntold: (suppressed: number) => void;
  #told = 0;
  #untold = 0;
  #windowEnds = 0;

  constructor(tellUntold: (suppressed: number) => void) {
    this.#tellUntold = tellUntold;
  }

  /** Whether this one may be told. */
  admits(): boolean {
    const now = Date.now();
    if (now > this.#windowEnds) {
      if (this.#untold > 0) this.#tellUntold(this.#untold);
      this.#told = 0;
      this.#untold = 0;
      this.#windowEnds = now + windowMs;
    }
    if (++this.#told <= mostTold) return true;
    this.#untold++;
    return false;
  }
}

/** From here on, what happens in the browser becomes events of its record. */
export function tellNews(events: Events, record: BrowserRecord, live: LiveBrowser): void {
  const note = (type: EventType, data: Record<string, unknown>): void =>
    events.note({ type, browserId: record.id, projectId: record.projectId, at: Date.now(), data });
  const tabData = ({ tabId, url, title }: Tab) => ({ tabId, url, title });
  const refusals = new Flood((suppressed) => note('policy.blocked', { suppressed }));
  const errors = new Flood((suppressed) => note('console.error', { suppressed }));
  const dialogs = new Flood((suppressed) => note('dialog.opened', { suppressed }));
  const dialogsTold = new Set<string>();
  live.watch({
    opened: (tab) => note('tab.opened', tabData(tab)),
    closed: (tab) => note('tab.closed', tabData(tab)),
    navigated: (tab) => note('tab.navigated', tabData(tab)),
    crashed: (tab) => note('tab.crashed', tabData(tab)),
    dialogOpened: (dialog) => {
      if (!dialogs.admits()) return;
      dialogsTold.add(dialog.id);
      note('dialog.opened', { ...dialog });
    },
    dialogClosed: (dialog) => {
      if (dialogsTold.delete(dialog.id)) note('dialog.closed', { ...dialog });
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

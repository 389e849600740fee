/**
 * What brings a browser back after its Chromium is gone: all cookies (Chromium itself forgets session
 * cookies), the tabs and which is active, and whether it waits for a person; the local storage of the open pages is kept
 * beside it (local-storage.ts). The rest, IndexedDB for one, is in the profile folder.
 */
import { createHash } from 'node:crypto';
import type { Protocol } from 'devtools-protocol';
import type { Log } from '../../kit/log.ts';
import type { Store } from '../../store/records.ts';
import type { LiveBrowser, SavedTab } from '../live/live.ts';
import type { Dialog } from '../record/dialog-schema.ts';
import { keepLocalStorage } from './local-storage.ts';

export interface SavedState {
  cookies: Protocol.Network.CookieParam[];
  /** Only in checkpoints from before it had rows of its own. */
  localStorage?: Record<string, Record<string, string>>;
  /** Origins whose local storage was more than is kept. */
  storageNotKept?: string[];
  tabs: SavedTab[];
  activeTabId?: string;
  dialogs?: Dialog[];
  handoff?: HandoffSoFar;
}

/** What outlasts the Chromium of a browser: that a person was asked and has not handed back, or that one has. */
export interface HandoffSoFar {
  asked: boolean;
  /** How the last one came to its end; without it there was none that is known of. */
  ended?: HandoffEnd | undefined;
  /** What the person was asked to do. */
  message?: string | undefined;
  since: number;
  /** The browser is there for this person alone: once handed back, it is closed. */
  thenClose?: boolean | undefined;
}

/** How it came back to scripts: from the person, from the owner that took it, or because the person's line broke. */
export type HandoffEnd = 'returned' | 'withdrawn' | 'left';

export async function readState(live: LiveBrowser): Promise<SavedState> {
  const tabs = await live.tabs.refresh();
  const cookies = await readCookies(live);
  return { cookies, tabs, activeTabId: live.tabs.active?.tabId, dialogs: live.dialogs.list() };
}

export async function readCookies(live: LiveBrowser): Promise<Protocol.Network.CookieParam[]> {
  const { cookies } = await live.chromium.cdp.send('Storage.getCookies');
  return cookies.map(({ session, size: _, expires, ...cookie }) => ({
    ...cookie,
    expires: session ? undefined : expires,
  }));
}

export interface Checkpoints {
  /** Something may have changed: save soon. */
  dirty(): void;
  /** A page of this session has changed its local storage: save soon. */
  storageChanged(sessionId: string): void;
  /** Save now; resolves when written, or when there was nothing new. */
  save(): Promise<void>;
  readonly last: SavedState | undefined;
  readonly savedAt: number | undefined;
  stop(): void;
}

/** Saved this often without a sign of change: a script may set a cookie and leave no other trace. */
const unpromptedMs = 15_000;

export function keepCheckpoints(options: {
  live: LiveBrowser;
  browserId: string;
  epoch: number;
  intervalMs: number;
  store: Store;
  log: Log;
  last?: SavedState;
  /** As it is now. */
  handoff?(): HandoffSoFar | undefined;
  onSaved(state: SavedState): void;
  /** The state in the store is that of now, whether it has changed or not. */
  onWritten?(): void;
}): Checkpoints {
  const { live, browserId, epoch, store, log } = options;
  let last = options.last;
  let digest = '';
  let savedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const storage = keepLocalStorage({ live, browserId, epoch, store, notKept: options.last?.storageNotKept });

  const arm = (ms: number): void => {
    const at = performance.now() + ms;
    if (stopped || at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(() => void save().catch(() => undefined), ms).unref();
  };
  const write = async (): Promise<void> => {
    clearTimeout(timer);
    due = Number.POSITIVE_INFINITY;
    const state = await readState(live);
    // Until each origin has been saved in a row of its own.
    if (last?.localStorage) state.localStorage = last.localStorage;
    const dueMs = await storage.save(state.tabs);
    // Its page is not heard again before.
    if (dueMs !== undefined) arm(Math.max(dueMs, options.intervalMs));
    if (storage.notKept.length > 0) state.storageNotKept = storage.notKept;
    state.handoff = options.handoff?.();
    const text = JSON.stringify(state);
    const now = createHash('sha1').update(text).digest('hex');
    last = state;
    savedAt = Date.now();
    if (now !== digest) {
      await store.checkpoints.put({ browserId, epoch, at: savedAt, data: { ...state } });
      digest = now;
      options.onSaved(state);
    }
    options.onWritten?.();
  };
  const save = (): Promise<void> => {
    const turn = running.then(write);
    running = turn.catch((error) => {
      if (!stopped) log.warn({ err: error, browserId }, 'checkpoint.failed');
    });
    return turn.finally(() => arm(unpromptedMs));
  };
  arm(unpromptedMs);
  return {
    dirty: () => arm(options.intervalMs),
    storageChanged(sessionId) {
      storage.changed(sessionId);
      arm(options.intervalMs);
    },
    save,
    get last() {
      return last;
    },
    get savedAt() {
      return savedAt;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

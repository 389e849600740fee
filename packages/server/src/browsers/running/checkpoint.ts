/**
 * What brings a browser back after its Chromium is gone: all cookies (Chromium itself forgets session
 * cookies), the local storage of the open pages (Chromium writes it late), the tabs and which is active.
 * The rest, IndexedDB for one, is in the profile folder.
 */
import { createHash } from 'node:crypto';
import type { Protocol } from 'devtools-protocol';
import type { Log } from '../../kit/log.ts';
import type { Store } from '../../store/records.ts';
import type { LiveBrowser, Tab } from '../live/live.ts';
import type { Dialog } from '../record/dialog-schema.ts';

export interface SavedState {
  cookies: Protocol.Network.CookieParam[];
  localStorage: Record<string, Record<string, string>>;
  tabs: Tab[];
  activeTabId?: string;
  dialogs?: Dialog[];
}

const pageTimeoutMs = 1000;
const largestStorage = 8 * 1024 ** 2;

async function readState(live: LiveBrowser): Promise<SavedState> {
  const tabs = await live.tabs.refresh();
  const [cookies, localStorage] = await Promise.all([readCookies(live), readStorage(live, tabs)]);
  return { cookies, localStorage, tabs, activeTabId: live.tabs.active?.tabId, dialogs: live.dialogs.list() };
}

export async function readCookies(live: LiveBrowser): Promise<Protocol.Network.CookieParam[]> {
  const { cookies } = await live.chromium.cdp.send('Storage.getCookies');
  return cookies.map(({ session, size: _, expires, ...cookie }) => ({
    ...cookie,
    expires: session ? undefined : expires,
  }));
}

const originOf = (url: string): string | undefined => {
  const parsed = URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.origin : undefined;
};

/** A page that is too busy to answer is not waited for: its storage stays as it was last saved. */
async function readStorage(live: LiveBrowser, tabs: Tab[]): Promise<SavedState['localStorage']> {
  const sessions = new Map<string, string>();
  for (const tab of tabs) {
    const origin = originOf(tab.url);
    const sessionId = live.tabs.sessionOf(tab.tabId);
    if (origin && sessionId) sessions.set(origin, sessionId);
  }
  const read = await Promise.all(
    [...sessions].map(async ([origin, sessionId]) => {
      const storageId = { securityOrigin: origin, isLocalStorage: true };
      const answer = await live.chromium.cdp
        .send('DOMStorage.getDOMStorageItems', { storageId }, { sessionId, timeoutMs: pageTimeoutMs })
        .catch(() => undefined);
      const entries = answer?.entries as [string, string][] | undefined;
      const size = entries?.reduce((sum, [key, value]) => sum + key.length + value.length, 0) ?? 0;
      return entries && size <= largestStorage ? ([origin, Object.fromEntries(entries)] as const) : undefined;
    }),
  );
  return Object.fromEntries(read.filter((entry) => entry !== undefined));
}

export interface Checkpoints {
  /** Something may have changed: save soon. */
  dirty(): void;
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
  onSaved(state: SavedState): void;
}): Checkpoints {
  const { live, browserId, epoch, store, log } = options;
  let last = options.last;
  let digest = '';
  let savedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();

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
    // Storage that a busy page did not answer with is taken from the checkpoint before.
    state.localStorage = { ...last?.localStorage, ...state.localStorage };
    const text = JSON.stringify(state);
    const now = createHash('sha1').update(text).digest('hex');
    last = state;
    savedAt = Date.now();
    if (now !== digest) {
      await store.checkpoints.put({ browserId, epoch, at: savedAt, data: { ...state } });
      digest = now;
      options.onSaved(state);
    }
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

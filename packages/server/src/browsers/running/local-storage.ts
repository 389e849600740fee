/**
 * Keeps the local storage of open pages, because Chromium writes it late. Pages decide how large it is and how often it
 * changes, so the service never parses it:
 *
 *   page writes ──> "changed", once ──> entries as bytes ──> zstd, off the loop ──> a row for the origin
 *
 * An origin is saved the less often the larger it is, and all origins of a browser together have a limit: the ones that
 * have been unchanged for longest go first, and a recovery says that they are lost.
 */
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { readEntries } from '../../chromium/chromium.ts';
import type { Store } from '../../store/records.ts';
import type { LiveBrowser, Tab } from '../live/live.ts';

const pack = promisify(zstdCompress);
const unpack = promisify(zstdDecompress);

const pageTimeoutMs = 1000;
/** Chromium's limit is five million characters; as JSON they may be longer. */
const largestOrigin = 16 * 1024 ** 2;
const mostBytes = 32 * 1024 ** 2;
/** An origin of 5 MB is saved every ten seconds at most. */
const bytesPerSecond = 512 * 1024;
const mostNamed = 20;

const originOf = (url: string): string | undefined => {
  const parsed = URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.origin : undefined;
};

export interface StorageKeeper {
  /** A page of this session has changed its storage. */
  changed(sessionId: string): void;
  /** Saves what has changed and is due. In how many milliseconds the first of the others is due, if there is one. */
  save(tabs: readonly Tab[]): Promise<number | undefined>;
  /** Origins whose storage was given up, to be named when the browser comes back without it. */
  readonly notKept: string[];
}

export function keepLocalStorage(options: {
  live: LiveBrowser;
  browserId: string;
  epoch: number;
  store: Store;
  notKept?: string[] | undefined;
}): StorageKeeper {
  const { live, browserId, epoch, store } = options;
  const changed = new Set<string>();
  /** When each origin that is open may be read again. */
  const due = new Map<string, number>();
  const notKept = new Set(options.notKept);
  const giveUp = (origin: string): void => {
    if (notKept.size < mostNamed) notKept.add(origin);
  };

  const saveOne = async (origin: string, sessionId: string): Promise<boolean> => {
    // A page that does not answer is told of below.
    live.tabs.storage.listen(sessionId).catch(() => undefined);
    const entries = await readEntries(live.chromium.cdp, { origin, sessionId, timeoutMs: pageTimeoutMs });
    // A page that is too busy to answer is not waited for: its storage stays as it was last saved.
    if (!entries) return false;
    due.set(origin, performance.now() + (entries.length / bytesPerSecond) * 1000);
    if (entries.length > largestOrigin) {
      giveUp(origin);
      return false;
    }
    notKept.delete(origin);
    const items = await pack(entries);
    return store.localStorage.put({ browserId, epoch, origin, at: Date.now(), bytes: entries.length, items });
  };
  const makeRoom = async (): Promise<void> => {
    const kept = await store.localStorage.sizes(browserId);
    let over = kept.reduce((sum, { bytes }) => sum + bytes, -mostBytes);
    const dropped: string[] = [];
    for (const { origin, bytes } of kept) {
      if (over <= 0) break;
      over -= bytes;
      dropped.push(origin);
      giveUp(origin);
    }
    await store.localStorage.drop(browserId, dropped);
  };
  return {
    get notKept() {
      return [...notKept];
    },
    changed: (sessionId) => void changed.add(sessionId),
    async save(tabs) {
      const open = new Map<string, string>();
      for (const tab of tabs) {
        const origin = originOf(tab.url);
        const sessionId = live.tabs.sessionOf(tab.tabId);
        if (!origin || !sessionId) continue;
        // Of several tabs of an origin, one that said it changed something.
        if (!open.has(origin) || changed.has(sessionId)) open.set(origin, sessionId);
      }
      for (const origin of due.keys()) if (!open.has(origin)) due.delete(origin);
      const sessions = new Set(live.tabs.sessions());
      for (const sessionId of changed) if (!sessions.has(sessionId)) changed.delete(sessionId);
      const now = performance.now();
      const wanted: [origin: string, sessionId: string][] = [];
      let nextDue = Number.POSITIVE_INFINITY;
      for (const [origin, sessionId] of open) {
        const at = due.get(origin);
        if (at === undefined || (changed.has(sessionId) && at <= now)) wanted.push([origin, sessionId]);
        else if (changed.has(sessionId)) nextDue = Math.min(nextDue, at);
      }
      const saved: boolean[] = [];
      for (const [origin, sessionId] of wanted) {
        // Before it is read: a change in the meantime is one more. Back if it could not be saved.
        changed.delete(sessionId);
        const done = await saveOne(origin, sessionId).catch((error: unknown) => {
          changed.add(sessionId);
          throw error;
        });
        if (!done && !notKept.has(origin)) changed.add(sessionId);
        saved.push(done);
      }
      if (saved.includes(true)) await makeRoom();
      return Number.isFinite(nextDue) ? nextDue - now : undefined;
    },
  };
}

export const unpackItems = async (items: Uint8Array): Promise<string> =>
  (await unpack(items, { maxOutputLength: largestOrigin })).toString();

/**
 * A guest with a Chromium of its own: what pages keep besides cookies and local storage is in the files of a profile, which
 * a browser context cannot have.
 */
import type { Cdp } from '../../chromium/chromium.ts';
import { ApiError } from '../../errors.ts';
import type { Engine } from '../../kit/engine.ts';
import type { ProfileVersionRecord } from '../../profiles/profiles.ts';
import {
  type Emulation,
  type LiveBrowser,
  mediaOf,
  type NetworkSettings,
  type Watcher,
} from '../live/live.ts';
import { type BeginParts, beginWith } from '../profile/profile.ts';
import type { CreateBrowser } from '../record/schema.ts';
import type { GuestFiles } from './guest-files.ts';

/** Disposing it is done when nothing of it is left; its slot is free at once. */
export interface Guest extends AsyncDisposable {
  readonly cdp: Cdp;
  readonly sessionId: string;
  readonly targetId: string;
  /** A page of its Chromium that shows nothing and belongs to no guest. */
  readonly blank?: Pick<Guest, 'cdp' | 'sessionId' | 'targetId'> | undefined;
  /** The media features that are emulated in its page. */
  media(): { name: string; value: string }[];
  /** What keeps its page from answering. */
  blocker(): 'crashed' | 'dialog' | undefined;
  crashReason(): string | undefined;
  /** Why the service ended its Chromium. */
  fault(): string | undefined;
  /** Its Chromium has ended. */
  readonly gone: AbortSignal;
  watch(watcher: Partial<Watcher>): () => void;
  /** What its page asked of the network, of at most so many bytes. Values of secrets are not masked yet. */
  har(maxBytes: number): Promise<string>;
  /** Files that come in place of its page; absent: Chromium shows PDFs itself, or keeps no file. */
  readonly files?: GuestFiles;
  /** Resolves when its page shows no cookie banner that is being declined, or after so long. */
  bannersGone(mostMs: number): Promise<void>;
}

export interface OwnGuestParts extends BeginParts {
  engine: Engine;
}

export async function openOwnGuest(
  parts: OwnGuestParts,
  { projectId, profileId, version }: ProfileVersionRecord,
  settings: NetworkSettings & { emulation: Emulation; cookies: CreateBrowser['cookies'] },
  signal: AbortSignal,
): Promise<Guest> {
  const wanted = { projectId, profileId, version, writes: false, engine: parts.engine };
  const { live, putRest } = await beginWith(parts, wanted, signal);
  await using undo = new AsyncDisposableStack();
  undo.use(live);
  const { policy, emulation, cookies } = settings;
  putRest?.();
  live.belongTo(projectId);
  live.setPolicy({ ...settings, policy: { ...policy, downloads: { mode: 'deny' } } });
  await live.tabs.emulate(emulation);
  await live.tabs.settled;
  if (cookies?.length) await live.chromium.cdp.send('Storage.setCookies', { cookies });
  signal.throwIfAborted();
  const guest = guestOn(live, emulation);
  undo.move();
  return guest;
}

export const harOf = (live: LiveBrowser, tabId: string, maxBytes: number): Promise<string> =>
  live.network.har(
    { tabId },
    { bodies: 'none', maxBytes, mask: (json) => json, share: live.chromium.cdp.share },
  );

function guestOn(live: LiveBrowser, emulation: Emulation): Guest {
  const [tab] = live.tabs.list();
  const sessionId = tab && live.tabs.sessionOf(tab.tabId);
  const targetId = tab && live.tabs.targetOf(tab.tabId);
  if (!tab || !sessionId || !targetId)
    throw new ApiError('BROWSER_CRASHED', 'The new page was gone at once. Try again.');
  const gone = new AbortController();
  void live.exited.then(() => gone.abort());
  return {
    cdp: live.chromium.cdp,
    sessionId,
    targetId,
    media: () => mediaOf(emulation),
    blocker: () => {
      if (live.tabs.hasCrashed(tab.tabId)) return 'crashed';
      return live.dialogs.holds(sessionId) ? 'dialog' : undefined;
    },
    crashReason: () => live.tabs.crashReason(tab.tabId),
    fault: () => live.chromium.fault,
    gone: gone.signal,
    watch: (watcher) => live.watch(watcher),
    har: (maxBytes) => harOf(live, tab.tabId, maxBytes),
    bannersGone: (mostMs) => live.consent.settled(targetId, mostMs),
    [Symbol.asyncDispose]: async () => void (await live.discard()),
  };
}

/**
 * One recording while it runs: pictures of whichever tab is in front go to a file as they come.
 *
 *   tabs ──activated──> frames of that tab ──> spool
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { captureFrames, type FrameCapture } from '../../chromium/chromium.ts';
import { freeBytes } from '../../kit/disk-room.ts';
import { createSpool } from '../../video/video.ts';
import type { LiveBrowser } from '../live/live.ts';

export interface Recorder {
  readonly startedAt: number;
  /** How long it has run, and where in its file the picture lies that is shown. */
  now(): { atMs: number; place: number };
  /** Returns when all of it is safe. */
  finish(): Promise<{ durationMs: number; frames: number }>;
}

export interface RecorderLimits {
  maxDurationMs: number;
  maxBytes: number;
  reserveBytes: number;
}

export interface RecorderOptions extends RecorderLimits {
  live: LiveBrowser;
  folder: string;
  path: string;
  /** It cannot go on; the listener must finish it. */
  onEnd(why: EndReason): void;
}

export type EndReason = 'length' | 'disk';

/** While nothing moves, a mark this often, so that after a kill it is known until when nothing did. */
const markMs = 1000;
/** One that is ended as it begins waits so long for its first picture: without any there would be nothing to show. */
const firstPictureMs = 2000;

export async function startRecorder(options: RecorderOptions): Promise<Recorder> {
  const { live, folder, path, maxDurationMs, maxBytes, reserveBytes, onEnd } = options;
  const spool = await createSpool(path);
  const startedAt = Date.now();
  const began = performance.now();
  let frames: FrameCapture | undefined;
  let sessionId: string | undefined;
  let over = false;
  let endedMs: number | undefined;
  const shown = Promise.withResolvers<void>();

  const end = (why: EndReason): void => {
    if (over) return;
    over = true;
    frames?.stop();
    shown.resolve();
    onEnd(why);
  };
  const add = async (picture?: Buffer): Promise<void> => {
    if (over) return;
    await spool.add(performance.now() - began, picture).catch(() => end('disk'));
    if (picture) shown.resolve();
    if (spool.bytes > maxBytes) end('length');
  };
  const follow = (): void => {
    const { tabs, chromium } = live;
    const tab = tabs.active;
    const next = tab && tabs.sessionOf(tab.tabId);
    if (over || next === sessionId) return;
    frames?.stop();
    sessionId = next;
    // When the last tab closes, its last picture stands until there is another.
    frames = next ? captureFrames({ cdp: chromium.cdp, sessionId: next, take: add }) : undefined;
  };
  const check = async (): Promise<void> => {
    await add();
    if (performance.now() - began > maxDurationMs) end('length');
    else if ((await freeBytes(folder)) < reserveBytes) end('disk');
  };
  const nudge = (): void => frames?.nudge();
  const unwatch = live.watch({ activated: follow, navigated: nudge, crashed: nudge });
  const alive = setInterval(() => void check().catch(() => end('disk')), markMs).unref();
  follow();

  return {
    startedAt,
    now: () => ({ atMs: endedMs ?? performance.now() - began, place: spool.lastPicture }),
    async finish() {
      const late = sleep(firstPictureMs, undefined, { ref: false });
      await Promise.race([shown.promise, live.exited, late]);
      const durationMs = Math.round(performance.now() - began);
      over = true;
      endedMs = durationMs;
      clearInterval(alive);
      unwatch();
      frames?.stop();
      // On a full disk what came before is good all the same.
      await spool.add(durationMs).catch(() => undefined);
      await spool.close().catch(() => undefined);
      return { durationMs, frames: spool.pictures };
    },
  };
}

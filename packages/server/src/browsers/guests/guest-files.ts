/**
 * Files that come in place of the page of a guest. Chromium keeps one where the visit wants it, for as long as it takes to read
 * it; every other one, also of frames and windows, is cancelled as it begins.
 *
 *   begins ──> wanted? ──yes──> on disk ──> read, and gone
 *                └──no──> cancelled
 */
import { ApiError } from '../../errors.ts';
import type { LiveBrowser } from '../live/live.ts';

export interface GuestFile {
  guid: string;
  url: string;
  name: string;
}

export interface GuestFiles {
  /** From now on files are offered to `wants`, until the return value is called. Chromium hears of it before what is sent next. */
  keep(wants: (file: GuestFile) => boolean): () => void;
  /** All of one that was wanted, once it is there. `aborted`: it is not wanted any more. */
  take(guid: string, mostBytes: number, aborted: AbortSignal): Promise<Buffer>;
}

/** It has more bytes than are wanted. */
export class FileTooLarge extends Error {}

/** Chromium may finish one while it is told to stop, and tells nothing of one whose context has gone: it is looked for once more then. */
const lateMs = 5000;

type Downloads = Pick<LiveBrowser['downloads'], 'cover' | 'cancel' | 'open' | 'discard'>;

export class HostFiles {
  readonly #live: Pick<LiveBrowser, 'chromium'> & { downloads: Downloads };
  /** By the main frame of the page. */
  readonly #wanted = new Map<string, (file: GuestFile) => boolean>();
  /** Those that must not stay, until nothing more can come of them. */
  readonly #refused = new Set<string>();

  constructor(live: LiveBrowser) {
    this.#live = live;
    const { cdp } = live.chromium;
    cdp.on('Browser.downloadWillBegin', ({ frameId, guid, url, suggestedFilename }) => {
      const wants = this.#wanted.get(frameId);
      if (!wants?.({ guid, url, name: suggestedFilename })) this.#refuse(guid);
    });
    cdp.on('Browser.downloadProgress', ({ guid, state }) => {
      if (state !== 'inProgress' && this.#refused.has(guid)) this.#discard(guid);
    });
  }

  of({ contextId, targetId }: { contextId: string; targetId: string }): GuestFiles {
    return {
      keep: (wants) => {
        this.#wanted.set(targetId, wants);
        void this.#live.downloads.cover(contextId).catch(() => undefined);
        return () => void this.#wanted.delete(targetId);
      },
      take: (guid, mostBytes, aborted) => this.#take(guid, mostBytes, aborted),
    };
  }

  async #take(guid: string, mostBytes: number, aborted: AbortSignal): Promise<Buffer> {
    try {
      await this.#arrival(guid, mostBytes, aborted);
      await using file = await this.#live.downloads.open(guid);
      if ((await file.stat()).size > mostBytes) throw new FileTooLarge();
      return await file.readFile();
    } finally {
      this.#refuse(guid);
    }
  }

  #arrival(guid: string, mostBytes: number, aborted: AbortSignal): Promise<void> {
    const { cdp } = this.#live.chromium;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const off = cdp.on('Browser.downloadProgress', (moved) => {
      if (moved.guid !== guid) return;
      if (moved.state === 'completed') resolve();
      else if (moved.state === 'canceled') reject(cutOff());
      else if (Math.max(moved.totalBytes, moved.receivedBytes) > mostBytes) reject(new FileTooLarge());
    });
    const stop = (): void => reject(aborted.reason);
    if (aborted.aborted) stop();
    aborted.addEventListener('abort', stop, { once: true });
    return promise.finally(() => {
      off();
      aborted.removeEventListener('abort', stop);
    });
  }

  #refuse(guid: string): void {
    this.#refused.add(guid);
    const cancelled = this.#live.downloads.cancel(guid).catch(() => undefined);
    void cancelled.then(() => this.#discard(guid));
    setTimeout(() => {
      this.#refused.delete(guid);
      this.#discard(guid);
    }, lateMs).unref();
  }

  #discard(guid: string): void {
    void this.#live.downloads.discard(guid).catch(() => undefined);
  }
}

const cutOff = (): ApiError =>
  new ApiError('NAVIGATION_FAILED', 'The file began to arrive, but its end never came. Try again.', {
    details: { reason: 'FILE_CUT_OFF' },
  });

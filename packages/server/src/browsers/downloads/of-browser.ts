/** The downloads of one live browser, kept within bounds. */
import { FloodWindow } from '../../kit/flood-window.ts';
import type { ChromiumDownloads, DownloadHandler, Leaving } from '../live/live.ts';
import type { Policy } from '../record/policy-schema.ts';
import { type Begun, Download, type DownloadParts, type Owner } from './download.ts';
import { reasonOfLeaving, reasons } from './reasons.ts';

export interface BrowserDownloadsParts extends DownloadParts {
  limitBytes: number;
  onBegun(download: Download): void;
  /** It was one too many, and has no record; `suppressed` others since the last time this was called. */
  onTurnedAway(data: Record<string, unknown> & { suppressed: number }): void;
}

/** A page can start a thousand at once, and again; each costs a record, a file and a connection. */
const mostAtOnce = 32;
const mostInAll = 10_000;
/** Each is a row and two events: more than this many in a while would be a flood of them. */
const mostInWindow = 300;
const windowMs = 10_000;
const turnedAwayWindowMs = 1000;

export class BrowserDownloads implements DownloadHandler {
  readonly #parts: BrowserDownloadsParts;
  readonly #source: ChromiumDownloads;
  readonly #owner: Owner;
  readonly #running = new Map<string, Download>();
  /** Ids of records by guid: a script has only the guid of what it downloaded. */
  readonly #ids = new Map<string, string>();
  #policy: Policy;
  #left: Leaving | undefined;
  readonly #rate = new FloodWindow(mostInWindow, windowMs);
  readonly #turnedAway = new FloodWindow(1, turnedAwayWindowMs);

  constructor(parts: BrowserDownloadsParts, source: ChromiumDownloads, owner: Owner, policy: Policy) {
    this.#parts = parts;
    this.#source = source;
    this.#owner = owner;
    this.#policy = policy;
  }

  began(begun: Begun): void {
    const { guid } = begun;
    if (this.#ids.has(guid)) return;
    const full = this.#running.size >= mostAtOnce || this.#ids.size >= mostInAll;
    if (this.#left || full || !this.#rate.admits()) {
      this.#turnAway(begun);
      return;
    }
    const onEnded = (ended: Download): void => {
      this.#running.delete(guid);
      this.#parts.onEnded(ended);
    };
    const download = new Download({ ...this.#parts, onEnded }, this.#source, this.#owner, begun);
    this.#running.set(guid, download);
    this.#ids.set(guid, download.id);
    this.#parts.onBegun(download);
    if (this.#denied) void download.stop('policy');
  }

  moved(guid: string, progress: { receivedBytes: number; totalBytes: number }): void {
    this.#running.get(guid)?.moved(progress, this.#limit);
  }

  ended(guid: string, how: 'completed' | 'canceled', byClient: boolean): void {
    const download = this.#running.get(guid);
    if (how === 'completed') void download?.complete(this.#limit);
    else void download?.stop(byClient ? 'client' : 'interrupted', true);
  }

  setPolicy(policy: Policy): void {
    this.#policy = policy;
    for (const download of this.#running.values())
      if (this.#denied) void download.stop('policy');
      else download.check(this.#limit);
  }

  async leave(how: Leaving): Promise<void> {
    this.#left ??= how;
    const why = reasonOfLeaving[this.#left];
    await Promise.all([...this.#running.values()].map((download) => download.stop(why, true)));
  }

  /** The record of a download that Chromium has ended, once it is final. */
  async idOf(guid: string): Promise<string | undefined> {
    await this.#running.get(guid)?.ended;
    return this.#ids.get(guid);
  }

  get #denied(): boolean {
    return this.#policy.downloads?.mode === 'deny';
  }

  get #limit(): number {
    return Math.min(this.#parts.limitBytes, this.#policy.downloads?.maxBytes ?? Number.POSITIVE_INFINITY);
  }

  #turnAway({ guid, url, suggestedFilename }: Begun): void {
    void this.#source
      .cancel(guid)
      .then(() => this.#source.discard(guid))
      .catch(() => undefined);
    if (this.#left || !this.#turnedAway.admits()) return;
    const { state, message } = reasons.too_many;
    const what = { url: url.slice(0, 2048), suggestedFilename: suggestedFilename.slice(0, 255) };
    this.#parts.onTurnedAway({
      state,
      reason: 'too_many',
      message,
      ...what,
      suppressed: this.#turnedAway.takeSuppressed(),
    });
  }
}

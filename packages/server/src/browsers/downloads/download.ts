/**
 * One download, from Chromium's first event to its last record:
 *
 *   inProgress ──completed──> bytes into the artifact ──> completed
 *        └──stop(why)──> cancelled, failed, with nothing left on the disk
 *
 * Progress stays in memory: Chromium reports it often, and a record that is written at the start and at the end is enough.
 */
import type { Allowance, ArtifactRecord, Artifacts } from '../../artifacts/artifacts.ts';
import type { EventType } from '../../events/events.ts';
import { freeBytes } from '../../kit/disk-room.ts';
import { newId } from '../../kit/id.ts';
import type { Log } from '../../kit/log.ts';
import type { NewEvent } from '../../store/records.ts';
import type { ChromiumDownloads } from '../live/live.ts';
import { eventOf, insist } from '../record/record.ts';
import { type ReasonWord, reasonOfError, reasons } from './reasons.ts';

export interface DownloadParts {
  artifacts: Artifacts;
  log: Log;
  /** Room on the disk that downloads leave alone, and a folder there. */
  reserveBytes: number;
  folder: string;
  /** Its record is final. */
  onEnded(download: Download): void;
}

export interface Owner {
  id: string;
  projectId: string;
}

export interface Begun {
  guid: string;
  url: string;
  suggestedFilename: string;
  tabId?: string;
}

const longestUrl = 2048;
const checkDiskEveryBytes = 16 * 1024 ** 2;

export class Download {
  readonly id = newId('download');
  receivedBytes = 0;
  totalBytes = 0;
  readonly #parts: DownloadParts;
  readonly #source: ChromiumDownloads;
  readonly #owner: Owner;
  readonly #begun: Begun;
  readonly #record: Promise<ArtifactRecord | undefined>;
  #allowance: Allowance | undefined;
  #uncheckedBytes = 0;
  #end: Promise<void> | undefined;

  constructor(parts: DownloadParts, source: ChromiumDownloads, owner: Owner, begun: Begun) {
    this.#parts = parts;
    this.#source = source;
    this.#owner = owner;
    this.#begun = { ...begun, url: shortened(begun.url) };
    this.#record = this.#begin();
    void this.#watchQuota();
  }

  /** Resolves when its record is final; undefined while it runs. */
  get ended(): Promise<void> | undefined {
    return this.#end;
  }

  moved({ receivedBytes, totalBytes }: { receivedBytes: number; totalBytes: number }, limit: number): void {
    if (this.#end) return;
    const more = receivedBytes - this.receivedBytes;
    this.receivedBytes = receivedBytes;
    this.totalBytes = totalBytes;
    // Its own limit first: of two reasons it is the one its owner chose.
    this.check(limit);
    if (this.#end) return;
    this.#take(more);
    this.#uncheckedBytes += Math.max(0, more);
    if (this.#uncheckedBytes >= checkDiskEveryBytes) void this.#checkDisk();
  }

  check(limit: number): void {
    if (Math.max(this.receivedBytes, this.totalBytes) > limit) void this.stop('too_large');
  }

  /** Chromium has all of it. */
  complete(limit: number): Promise<void> {
    this.#end ??= this.#keep(limit).finally(() => this.#parts.onEnded(this));
    return this.#end;
  }

  /** Ends it for this reason, unless it has ended already. `isOver`: Chromium works on it no more. */
  stop(why: ReasonWord, isOver = false): Promise<void> {
    this.#end ??= this.#giveUp(why, isOver).finally(() => this.#parts.onEnded(this));
    return this.#end;
  }

  async #begin(): Promise<ArtifactRecord | undefined> {
    const { url, tabId, suggestedFilename: name } = this.#begun;
    const what = {
      kind: 'download',
      state: 'inProgress',
      source: 'page',
      name,
      details: { url, tabId },
    } as const;
    const { id: browserId, projectId } = this.#owner;
    const started = this.#event('download.started', { state: 'inProgress' });
    try {
      return await this.#parts.artifacts.begin({ id: this.id, projectId, browserId, ...what }, [started]);
    } catch (error) {
      this.#parts.log.warn({ err: error, browserId }, 'download.unrecorded');
      void this.stop(reasonOfError(error));
      return undefined;
    }
  }

  async #watchQuota(): Promise<void> {
    try {
      const allowance = await this.#parts.artifacts.allowance(this.#owner.projectId);
      if (this.#end) return;
      this.#allowance = allowance;
      this.#take(this.receivedBytes);
    } catch (error) {
      void this.stop(reasonOfError(error));
    }
  }

  #take(bytes: number): void {
    try {
      this.#allowance?.take(bytes);
    } catch (error) {
      void this.stop(reasonOfError(error));
    }
  }

  #countNoMore(): void {
    this.#allowance?.end();
    this.#allowance = undefined;
  }

  async #checkDisk(): Promise<void> {
    this.#uncheckedBytes = 0;
    const free = await freeBytes(this.#parts.folder).catch(() => Number.POSITIVE_INFINITY);
    if (free < this.#parts.reserveBytes) void this.stop('storage_full');
  }

  async #keep(limit: number): Promise<void> {
    const record = await this.#record;
    // from here on the artifact counts them
    this.#countNoMore();
    try {
      if (!record) return;
      await using file = await this.#source.open(this.#begun.guid);
      const { size } = await file.stat();
      this.receivedBytes = size;
      this.totalBytes = size;
      await this.#parts.artifacts.complete(record, {
        body: file.createReadStream({ autoClose: false }),
        expectedBytes: size,
        limitBytes: limit,
        state: 'completed',
        details: this.#details(record),
        events: [this.#event('download.completed', { state: 'completed', size })],
      });
    } catch (error) {
      const why = reasonOfError(error);
      if (why === 'internal') this.#parts.log.error({ err: error, downloadId: this.id }, 'download.not_kept');
      await this.#write(record, why);
    } finally {
      await this.#clearAway();
    }
  }

  async #giveUp(why: ReasonWord, isOver: boolean): Promise<void> {
    this.#countNoMore();
    if (!isOver) await this.#source.cancel(this.#begun.guid).catch(() => undefined);
    await this.#clearAway();
    await this.#write(await this.#record, why);
  }

  async #write(record: ArtifactRecord | undefined, why: ReasonWord): Promise<void> {
    if (!record) return;
    const { state, message } = reasons[why];
    const details = { ...this.#details(record), reason: why, message };
    const events = [this.#event('download.failed', { state, reason: why, message })];
    await insist(() =>
      this.#parts.artifacts.change(record, { state, details, events, finished: true }),
    ).catch((error) => this.#parts.log.error({ err: error, downloadId: this.id }, 'download.unfinished'));
  }

  #details({ details }: ArtifactRecord): Record<string, unknown> {
    const { receivedBytes, totalBytes } = this;
    return { ...details, receivedBytes, totalBytes, completedAt: Date.now() };
  }

  #event(type: EventType, data: Record<string, unknown>): NewEvent {
    const { suggestedFilename, url, tabId } = this.#begun;
    return eventOf(this.#owner, type, { downloadId: this.id, suggestedFilename, url, tabId, ...data });
  }

  async #clearAway(): Promise<void> {
    await this.#source
      .discard(this.#begun.guid)
      .catch((error) => this.#parts.log.warn({ err: error, downloadId: this.id }, 'download.discard_failed'));
  }
}

/** A `data:` address may be as large as the file itself. */
const shortened = (url: string): string =>
  url.length > longestUrl ? `${url.slice(0, longestUrl - 1)}…` : url;

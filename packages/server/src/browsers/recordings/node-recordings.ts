/**
 * The life of recordings on this node:
 *
 *   begin ──pictures to disk──> recording ──finish──> finalizing ──video made, one at a time──> ready, or failed
 *
 * From the first picture on a kill of the service loses nothing: its next start finds record and pictures, and goes on.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtifactRecord, Artifacts, Owner } from '../../artifacts/artifacts.ts';
import { ApiError } from '../../errors.ts';
import type { Events } from '../../events/events.ts';
import type { Log } from '../../kit/log.ts';
import { KeyedMutex } from '../../kit/mutex.ts';
import type { BrowserRecord } from '../../store/records.ts';
import { lengthOf, readSpool } from '../../video/video.ts';
import { eventOf, insist, settingsIn } from '../record/record.ts';
import type { Running } from '../running/running.ts';
import { type EndReason, type Recorder, type RecorderLimits, startRecorder } from './recorder.ts';
import type { VideoMaker } from './video-maker.ts';
import { VideoQueue } from './video-queue.ts';
import { detailsIn, type RecordingDetails } from './view.ts';

export interface RecordingsParts extends RecorderLimits {
  artifacts: Artifacts;
  events: Events;
  maker: VideoMaker;
  log: Log;
  /** For pictures that wait to become a video. */
  folder: string;
}

export interface Current {
  record: ArtifactRecord;
  recorder: Recorder;
  /** The file of its pictures, which stays until its video is made. */
  spool: string;
}

const ends: Record<EndReason, string> = {
  length: 'it was as long or as large as one recording may be; the next one follows it',
  disk: 'the disk of the service has no room for more',
};
const mimeType = 'video/webm';

export class Recordings {
  readonly #parts: RecordingsParts;
  readonly #queue: VideoQueue;
  readonly #current = new Map<string, Current>();
  /** One beginning or end at a time for each browser. */
  readonly #turn = new KeyedMutex();

  constructor(parts: RecordingsParts) {
    this.#parts = parts;
    this.#queue = new VideoQueue(parts.log);
  }

  /** Takes up what earlier boots left unfinished, and removes pictures without a record. Before any recording begins. */
  async inherit(unfinished: readonly ArtifactRecord[]): Promise<void> {
    const { folder } = this.#parts;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const known = new Set(unfinished.map(({ id }) => id));
    for (const name of await readdir(folder))
      if (!known.has(name)) await rm(join(folder, name), { force: true });
    for (const record of unfinished) {
      if (record.state === 'finalizing') this.#make(record);
      else this.#makeInherited(record);
    }
  }

  /** Of nodes that are gone, and their pictures with them. */
  async giveUp(lost: readonly ArtifactRecord[]): Promise<void> {
    for (const record of lost) await this.#fail(record, 'its machine was lost, and its pictures with it');
  }

  /** From now on videos are made. */
  start(): void {
    this.#queue.open();
  }

  /** No video is made any more; what is left stays `finalizing`. Recordings may still be finished. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  /** Throws, with the reason, when this server cannot record. */
  check(): Promise<void> {
    return this.#parts.maker.check();
  }

  currentOf(browserId: string): ArtifactRecord | undefined {
    return this.runningOf(browserId)?.record;
  }

  runningOf(browserId: string): Current | undefined {
    return this.#current.get(browserId);
  }

  /** A browser that is to be recorded has a new Chromium. It runs without a recording too: a failure is an event, no more. */
  async entered(running: Running, browser: BrowserRecord): Promise<void> {
    if (!settingsIn(browser).recording) return;
    try {
      await this.begin(running, settingsIn(browser).viewport);
    } catch (error) {
      this.#parts.log.error({ err: error, browserId: running.id }, 'recording.begin_failed');
      const reason = error instanceof ApiError ? error.message : 'an internal fault; the log has it';
      const event = eventOf(running, 'recording.failed', { epoch: running.epoch, reason });
      this.#parts.events.note({ ...event, type: 'recording.failed' });
    }
  }

  /** The one that runs already, or a new one. */
  async begin(
    running: Running,
    viewport: { width: number; height: number },
  ): Promise<{ record: ArtifactRecord; begun: boolean }> {
    return this.#turn.run(running.id, async () => {
      const current = this.#current.get(running.id);
      if (current) return { record: current.record, begun: false };
      const record = await this.#begin(running, viewport);
      if (running.left.aborted) this.#finishLater(running.id);
      else running.left.addEventListener('abort', () => this.#finishLater(running.id), { once: true });
      return { record, begun: true };
    });
  }

  /** Ends the one that runs, if any; its pictures are safe when it returns, its video comes later. */
  finish(browserId: string, reason?: string): Promise<ArtifactRecord | undefined> {
    return this.#turn.run(browserId, async () => {
      const finished = await this.#end(browserId, reason);
      if (finished) this.#make(finished);
      return finished;
    });
  }

  async count(owner: Owner): Promise<number> {
    const { items } = await this.#parts.artifacts.list({ ...owner, kind: 'recording' }, { limit: 1000 });
    return items.length;
  }

  /** One that runs is ended first. False when there is none. */
  async remove(owner: Owner, id: string): Promise<boolean> {
    return this.#turn.run(owner.browserId, async () => {
      if (this.currentOf(owner.browserId)?.id === id) await this.#end(owner.browserId);
      if (!(await this.#parts.artifacts.remove(owner, id))) return false;
      this.#queue.drop(id);
      await this.#forget(id);
      return true;
    });
  }

  async #begin(running: Running, viewport: { width: number; height: number }): Promise<ArtifactRecord> {
    const { artifacts, folder, maxDurationMs, maxBytes, reserveBytes } = this.#parts;
    const { id: browserId, projectId, epoch } = running;
    const details: RecordingDetails = {
      epoch,
      startedAt: Date.now(),
      width: even(viewport.width),
      height: even(viewport.height),
    };
    const owner = { projectId, browserId, kind: 'recording', source: 'recording' } as const;
    const name = `recording-${epoch}.webm`;
    const record = await artifacts.begin({
      ...owner,
      state: 'recording',
      name,
      mimeType,
      details: { ...details },
    });
    const spool = this.#spoolOf(record.id);
    try {
      const recorder = await startRecorder({
        live: running.live,
        folder,
        path: spool,
        maxDurationMs,
        maxBytes,
        reserveBytes,
        onEnd: (why) => void this.#endedItself(running, viewport, why),
      });
      this.#current.set(browserId, { record, recorder, spool });
      return record;
    } catch (error) {
      await this.#fail(record, `it could not begin: ${(error as Error).message}`);
      throw error;
    }
  }

  async #end(browserId: string, reason?: string): Promise<ArtifactRecord | undefined> {
    const current = this.#current.get(browserId);
    if (!current) return undefined;
    this.#current.delete(browserId);
    const { record, recorder } = current;
    const { durationMs, frames } = await recorder.finish();
    return this.#finalizing(record, { durationMs, frames, ...(reason && { reason }) });
  }

  #finalizing(record: ArtifactRecord, more: Partial<RecordingDetails>): Promise<ArtifactRecord | undefined> {
    const { startedAt } = detailsIn(record);
    const endedAt = startedAt + (more.durationMs ?? 0);
    const details = { ...record.details, ...more, endedAt };
    return insist(() => this.#parts.artifacts.change(record, { state: 'finalizing', details }));
  }

  async #endedItself(
    running: Running,
    viewport: { width: number; height: number },
    why: EndReason,
  ): Promise<void> {
    try {
      await this.finish(running.id, ends[why]);
      if (why === 'length' && !running.left.aborted) await this.begin(running, viewport);
    } catch (error) {
      this.#parts.log.error({ err: error, browserId: running.id }, 'recording.next_failed');
    }
  }

  #finishLater(browserId: string): void {
    this.finish(browserId).catch((error) =>
      this.#parts.log.error({ err: error, browserId }, 'recording.finish_failed'),
    );
  }

  #makeInherited(record: ArtifactRecord): void {
    const cut = async (): Promise<ArtifactRecord | undefined> => {
      const durationMs = await lengthOf(this.#spoolOf(record.id));
      return this.#finalizing(record, { durationMs, reason: 'the service was restarted' });
    };
    this.#queue.add(this.#jobOf(record, cut));
  }

  #make(record: ArtifactRecord): void {
    this.#queue.add(this.#jobOf(record, async () => record));
  }

  #jobOf(record: ArtifactRecord, known: () => Promise<ArtifactRecord | undefined>) {
    return {
      id: record.id,
      make: async (signal: AbortSignal) => {
        const finished = await known();
        if (finished) await this.#complete(finished, signal);
        await this.#forget(record.id);
      },
      // Why it ended is often why it failed: on a full disk there may be no picture at all.
      fail: (failure: string) => {
        const { reason } = detailsIn(record);
        return this.#fail(record, reason ? `${failure} (it ended because ${reason})` : failure);
      },
    };
  }

  async #complete(record: ArtifactRecord, signal: AbortSignal): Promise<void> {
    const { maker, artifacts } = this.#parts;
    const { width, height, durationMs = 0, epoch } = detailsIn(record);
    const spool = this.#spoolOf(record.id);
    const scratch = `${spool}.encoded`;
    const work = { entries: readSpool(spool), scratch, width, height, durationMs };
    await using video = await maker.make(work, signal);
    const { bytes: expectedBytes, body } = video;
    const data = { recordingId: record.id, epoch, durationMs, size: expectedBytes };
    await artifacts.complete(record, {
      body,
      expectedBytes,
      limitBytes: Number.MAX_SAFE_INTEGER,
      state: 'ready',
      details: record.details,
      events: [eventOf({ id: record.browserId, projectId: record.projectId }, 'recording.ready', data)],
    });
  }

  async #fail(record: ArtifactRecord, reason: string): Promise<void> {
    const { browserId, projectId } = record;
    const data = { recordingId: record.id, epoch: detailsIn(record).epoch, reason };
    await insist(() =>
      this.#parts.artifacts.change(record, {
        state: 'failed',
        details: { endedAt: Date.now(), ...record.details, reason },
        events: [eventOf({ id: browserId, projectId }, 'recording.failed', data)],
        finished: true,
      }),
    );
    await this.#forget(record.id);
  }

  #spoolOf(id: string): string {
    return join(this.#parts.folder, id);
  }

  async #forget(id: string): Promise<void> {
    await rm(this.#spoolOf(id), { force: true });
  }
}

/** As encoders need it. */
const even = (length: number): number => Math.max(2, length - (length % 2));

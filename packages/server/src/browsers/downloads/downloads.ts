/** Downloads of all browsers of this node: those under way in memory, all of them as artifacts. */
import type { ArtifactRecord, Artifacts, Owner } from '../../artifacts/artifacts.ts';
import { ApiError } from '../../errors.ts';
import type { Events } from '../../events/events.ts';
import { iso } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { BrowserRecord } from '../../store/records.ts';
import type { ChromiumDownloads } from '../live/live.ts';
import { eventOf, insist, settingsIn } from '../record/record.ts';
import type { Download } from './download.ts';
import { BrowserDownloads } from './of-browser.ts';
import { type ReasonWord, reasons } from './reasons.ts';
import type { DownloadView } from './schema.ts';

export interface DownloadsParts {
  artifacts: Artifacts;
  events: Events;
  log: Log;
  /** Largest single download. */
  limitBytes: number;
  reserveBytes: number;
  /** On the disk where they gather. */
  folder: string;
}

const retryAfter = '1';

export class Downloads {
  readonly #parts: DownloadsParts;
  readonly #running = new Map<string, Download>();

  constructor(parts: DownloadsParts) {
    this.#parts = parts;
  }

  /** From here on, what this Chromium downloads is the record's. */
  keep(record: BrowserRecord, source: ChromiumDownloads): BrowserDownloads {
    const { id, projectId } = record;
    const { events, ...parts } = this.#parts;
    const kept = new BrowserDownloads(
      {
        ...parts,
        onBegun: (download) => this.#running.set(download.id, download),
        onEnded: (download) => this.#running.delete(download.id),
        onTurnedAway: (data) =>
          events.note({ ...eventOf(record, 'download.failed', data), type: 'download.failed' }),
      },
      source,
      { id, projectId },
      settingsIn(record).policy,
    );
    source.serve(kept);
    return kept;
  }

  /** What boots left under way that are over: no Chromium will finish it. */
  async giveUp(
    unfinished: readonly ArtifactRecord[],
    reason: 'service_restarted' | 'machine_lost' = 'service_restarted',
  ): Promise<void> {
    const { state, message } = reasons[reason];
    const end = { reason, message };
    for (const record of unfinished) {
      const { id, browserId, projectId, name: suggestedFilename, details } = record;
      const data = {
        downloadId: id,
        suggestedFilename,
        url: details.url,
        tabId: details.tabId,
        state,
        ...end,
      };
      await insist(() =>
        this.#parts.artifacts.change(record, {
          state,
          details: { ...details, ...end, completedAt: Date.now() },
          events: [eventOf({ id: browserId, projectId }, 'download.failed', data)],
          finished: true,
        }),
      );
    }
  }

  view(record: ArtifactRecord): DownloadView {
    const details = record.details as Partial<DownloadDetails>;
    const { receivedBytes = 0, totalBytes = 0 } = this.#running.get(record.id) ?? details;
    const { tabId, completedAt, reason, message } = details;
    const isComplete = record.state === 'completed';
    return {
      id: record.id,
      suggestedFilename: record.name,
      url: details.url ?? '',
      ...(tabId && { tabId }),
      state: record.state as DownloadView['state'],
      receivedBytes,
      ...(totalBytes > 0 && { totalBytes }),
      ...(isComplete && { size: record.size, mimeType: record.mimeType, sha256: record.sha256 }),
      startedAt: iso(record.createdAt),
      ...(completedAt && { completedAt: iso(completedAt) }),
      ...(reason && { reason, message }),
    };
  }

  /** Those that have no bytes yet, or never will. */
  refuseWithoutContent({ id, state, details }: ArtifactRecord): void {
    if (state === 'inProgress')
      throw new ApiError(
        'DOWNLOAD_NOT_FINISHED',
        `Download ${id} is still running. Ask again when it is done.`,
        {
          headers: { 'retry-after': retryAfter },
        },
      );
    if (state !== 'completed')
      throw new ApiError(
        'DOWNLOAD_FAILED',
        `Download ${id} has no content: it was ${state}. ${details.message}`,
        {
          details: { state, reason: details.reason },
        },
      );
  }

  /** One that is under way is cancelled first. False when there is none. */
  async remove(owner: Owner, id: string): Promise<boolean> {
    if (!(await this.#parts.artifacts.get(owner, id))) return false;
    await this.#running.get(id)?.stop('deleted');
    return this.#parts.artifacts.remove(owner, id);
  }
}

interface DownloadDetails {
  url: string;
  tabId: string;
  receivedBytes: number;
  totalBytes: number;
  completedAt: number;
  reason: ReasonWord;
  message: string;
}

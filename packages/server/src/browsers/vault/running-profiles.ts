/**
 * The profile of a browser that runs, put into the vault now and then: IndexedDB and what else the checkpoints do not have
 * survives the loss of its machine, as old as the last of these.
 *
 *   every interval: has a page kept something else? ──> checkpoint ──> Chromium stands still, its files are read ──> put
 *
 * What is read is what a kill at that moment would have left, which every recovery relies on anyway. One at a time on a node:
 * memory and disk are for browsers.
 */
import type { Events } from '../../events/events.ts';
import type { Log } from '../../kit/log.ts';
import { Mutex } from '../../kit/mutex.ts';
import { type Entry, filesOf, type Survey, surveyOf } from '../../profiles/profiles.ts';
import type { BrowserRecord } from '../../store/records.ts';
import { eventOf } from '../record/record.ts';
import type { Running } from '../running/running.ts';
import type { ProfileVault } from './profile-vault.ts';

export interface RunningParts {
  vault: ProfileVault;
  events: Events;
  log: Log;
  /** The shortest time between two of one browser. */
  intervalMs: number;
}

/** A larger profile is saved only when its browser stops: it would stand still for too long, and fill the memory. */
const mostRunningBytes = 64 * 1024 ** 2;
/** Pages notice nothing of it; a disk that answers more slowly is left alone. */
const mostFrozenMs = 2000;
/** A storage that takes longer keeps no other browser from its turn. */
const mostPutMs = 60_000;
/** After a failure, when that is sooner than the next one would be. */
const retryMs = 30_000;

export class RunningProfiles {
  readonly #parts: RunningParts;
  readonly #turn = new Mutex();
  readonly #work = new Map<string, Promise<void>>();

  constructor(parts: RunningParts) {
    this.#parts = parts;
  }

  /** From now on, until it has left. */
  follow(running: Running, record: BrowserRecord): void {
    const { intervalMs, log } = this.#parts;
    /** What its pages kept when it was last saved. */
    let savedMark = '';
    let told = false;
    let timer: NodeJS.Timeout | undefined;
    const tell = (what: string): void => {
      if (told) return;
      told = true;
      this.#parts.events.note(eventOf(record, 'browser.limited', { limit: 'profile', message: what }));
    };
    const look = async (): Promise<void> => {
      const found = await surveyed(running.live.folder);
      if (!found || found.mark === savedMark || running.left.aborted) return;
      if (found.bytes > mostRunningBytes) return tell(tooLarge(found.bytes));
      if (await this.#save(running, record)) savedMark = found.mark;
    };
    const arm = (ms: number): void => {
      if (!running.left.aborted) timer = setTimeout(due, ms).unref();
    };
    const due = (): void => {
      const work = this.#turn
        .run(look)
        .then(
          () => arm(intervalMs),
          (error: unknown) => {
            if (running.left.aborted) return;
            log.warn({ err: error, browserId: record.id }, 'vault.save_failed');
            arm(Math.min(intervalMs, retryMs));
          },
        )
        .finally(() => this.#work.delete(record.id));
      this.#work.set(record.id, work);
    };
    running.left.addEventListener('abort', () => clearTimeout(timer), { once: true });
    arm(intervalMs);
  }

  /** None of this browser is under way any more: one that comes to its end now would be older than what is saved next. */
  async settled(browserId: string): Promise<void> {
    await this.#work.get(browserId);
  }

  async #save({ live, left, checkpoints }: Running, record: BrowserRecord): Promise<boolean> {
    // What it has goes over the profile when both come back, so it must not be older.
    await checkpoints.save();
    left.throwIfAborted();
    let at = 0;
    const files = await live.chromium.standStill(mostFrozenMs, (signal) => {
      at = Date.now();
      return filesInMemory(live.folder, signal);
    });
    const until = AbortSignal.any([left, AbortSignal.timeout(mostPutMs)]);
    until.throwIfAborted();
    return this.#parts.vault.put(record, { files, at, hasEnded: false }, until);
  }
}

async function filesInMemory(folder: string, signal: AbortSignal): Promise<Entry[]> {
  const files: Entry[] = [];
  for await (const { head, body } of filesOf(folder, mostRunningBytes)) {
    const pieces: Uint8Array[] = [];
    for await (const piece of body instanceof Uint8Array ? [body] : (body ?? [])) pieces.push(piece);
    files.push(pieces.length > 0 ? { head, body: Buffer.concat(pieces) } : { head });
    signal.throwIfAborted();
  }
  return files;
}

/** One with too many files is too large in another way. */
const surveyed = (folder: string): Promise<Survey | undefined> =>
  surveyOf(folder).catch(() => ({ bytes: Number.POSITIVE_INFINITY, mark: 'too many files' }));

const tooLarge = (bytes: number): string => {
  const size = Number.isFinite(bytes) ? `${Math.round(bytes / 1024 ** 2)} MiB` : 'too many files';
  return `Its profile has ${size}; one that runs is saved up to ${mostRunningBytes / 1024 ** 2} MiB. If its machine is lost, cookies, local storage and tabs come back, IndexedDB does not. Stop it to save all of it.`;
};

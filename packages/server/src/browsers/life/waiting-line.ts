/**
 * The line of creates that found no room on any node. It is in the table, as records without a holder, and any node with room
 * claims the next one: it goes on when the node that took a request is lost.
 *
 *   create ──no room──> record in line ──claimed──> creating on some node ──> ready
 *      └── waits here for what becomes of it; when its time is over and no node has claimed it, it leaves the line
 */
import { ApiError } from '../../errors.ts';
import type { Log } from '../../kit/log.ts';
import type { BrowserRecord, LineLimits, Store } from '../../store/records.ts';
import type { Capacity } from '../record/record.ts';
import type { Browser } from '../record/schema.ts';
import { LineLooks, lookEveryMs } from './line-looks.ts';
import { isOver, notReady } from './transition-parts.ts';

export interface LineParts {
  store: Store;
  log: Log;
  capacity: Capacity;
  /** Nodes that take browsers, this one included. */
  countNodes(): number;
  /** Closes a record that no node has claimed. False: one has. */
  withdraw(record: BrowserRecord, why: ApiError): Promise<boolean>;
}

/** Then it is looked at in any case. */
const longestPauseMs = 60_000;
/** A node with more free slots than it claims at once leaves none in line. */
const surelyEnough = 6;

export class WaitingLine {
  readonly #parts: LineParts;
  readonly #looks: LineLooks;

  constructor(parts: LineParts) {
    this.#parts = parts;
    this.#looks = new LineLooks(parts);
  }

  limits(): LineLimits {
    const { capacity, countNodes } = this.#parts;
    return capacity.lineLimits(Math.max(1, countNodes()));
  }

  /** Whether a create that finds a free slot would overtake others. */
  async isAhead(): Promise<boolean> {
    const { capacity, store } = this.#parts;
    const { used, max } = capacity.usage();
    return max - used <= surelyEnough && (await store.placement.homeless()) > 0;
  }

  /** The same browsers, those in line with their position, which is the same on every node. */
  async withPositions(browsers: readonly Browser[]): Promise<Browser[]> {
    const { capacity, store, countNodes } = this.#parts;
    const creating = browsers.filter(({ status }) => status === 'creating').map(({ id }) => id);
    const places = await store.placement.positions(creating);
    const paceMs = capacity.paceMs / Math.max(1, countNodes());
    return browsers.map((browser) => {
      const position = places.get(browser.id);
      if (position === undefined) return browser;
      return { ...browser, queue: { position, expectedWaitMs: Math.round(position * paceMs) } };
    });
  }

  /**
   * What becomes of a record in line: it resolves once it is ready, and fails when that is over. Past `waitMs` it leaves the
   * line, unless a node has claimed it; without `waitMs` it stays. The signal ends the wait, not the record.
   */
  async outcome(
    { id, projectId }: BrowserRecord,
    { waitMs, signal }: { waitMs?: number | undefined; signal: AbortSignal },
  ): Promise<BrowserRecord> {
    const { capacity, withdraw } = this.#parts;
    const until = performance.now() + (waitMs ?? Number.POSITIVE_INFINITY);
    for (;;) {
      signal.throwIfAborted();
      const isLate = performance.now() >= until;
      const record = await this.#look(id, isLate);
      if (record && record.status !== 'creating') return settled(record);
      if (record?.holder === null && isLate) {
        const why = capacity.exhausted(projectId);
        if (await withdraw(record, why)) throw why;
      }
      const left = until - performance.now();
      const withinMs = record && left > 0 ? Math.min(left, longestPauseMs) : lookEveryMs;
      await this.#looks.changed(id, { withinMs, signal });
    }
  }

  /** A database that is away for a moment ends no wait. */
  async #look(id: string, isLate: boolean): Promise<BrowserRecord | undefined> {
    const { store, log } = this.#parts;
    try {
      return await store.browsers.get(id);
    } catch (error) {
      if (isLate) throw error;
      log.warn({ err: error, browserId: id }, 'line.look_failed');
      return undefined;
    }
  }
}

/** One that is `ready`, or has been. */
function settled(record: BrowserRecord): BrowserRecord {
  if (record.status === 'failed')
    throw new ApiError('BROWSER_START_FAILED', record.statusReason ?? 'Chromium could not be started.');
  if (isOver(record)) throw notReady(record);
  return record;
}

/**
 * Browsers that this boot has claimed: the machine that ran them was lost or is being replaced, or they waited in line for
 * room. Their record says what was under way, and that is finished here.
 *
 *   claimed ──> slot ──> lane ──> the browser's turn ──> still ours? ──> started, stopped or closed
 *
 * The claim has raised the epoch, and what a boot died of is counted where it was declared gone: nothing of that is done twice.
 */
import { Mutex } from '../../kit/mutex.ts';
import type { BrowserRecord } from '../../store/records.ts';
import type { Slot } from '../record/record.ts';
import { end, finishStop } from './endings.ts';
import type { TransitionParts } from './transition-parts.ts';
import { bringBack, bringUp } from './transitions.ts';

/** Starts at once: more would only wait for the processor. */
export const startsAtOnce = 3;
/** What waits here for a lane could have been started by another node. */
const mostClaimed = 2 * startsAtOnce;

const starting = ['creating', 'resuming', 'recovering'];

export class Adoptions {
  readonly #parts: TransitionParts;
  readonly #claimed = new Set<string>();
  readonly #lanes = Array.from({ length: startsAtOnce }, () => new Mutex());
  #next = 0;

  constructor(parts: TransitionParts) {
    this.#parts = parts;
  }

  /** How many more this node could take. A machine whose Chromium does not start takes none. */
  room(): number {
    const { capacity, pool } = this.#parts;
    if (pool.problem() !== undefined) return 0;
    const { used, max } = capacity.usage();
    return Math.max(0, Math.min(max - used, mostClaimed - this.#claimed.size));
  }

  has(browserId: string): boolean {
    return this.#claimed.has(browserId);
  }

  /** Its slot counts from now on; `inTurn` gives it the browser's turn, and a signal that cuts the start short. */
  async take(
    record: BrowserRecord,
    inTurn: (work: (signal: AbortSignal) => Promise<unknown>) => Promise<unknown>,
  ): Promise<void> {
    this.#claimed.add(record.id);
    using slot = starting.includes(record.status)
      ? this.#parts.capacity.takeBack(record.projectId)
      : undefined;
    const lane = this.#lanes[this.#next++ % startsAtOnce];
    try {
      await lane?.run(() => inTurn((signal) => this.#finish(record, slot, signal)));
    } finally {
      this.#claimed.delete(record.id);
    }
  }

  async #finish(claimed: BrowserRecord, slot: Slot | undefined, signal: AbortSignal): Promise<void> {
    const parts = this.#parts;
    const record = await parts.store.browsers.get(claimed.id);
    // It was closed while it waited, or this boot was declared gone.
    if (record?.holder !== parts.bootId || record.epoch !== claimed.epoch) return;
    if (parts.running.has(record.id)) return;
    if (record.status === 'stopping') await finishStop(parts, record);
    else if (record.status === 'closing') await end(parts, record, record.statusReason);
    else if (record.status === 'creating' && slot)
      await bringUp(parts, record, Promise.resolve(slot.move()), signal);
    else if (slot) await bringBack(parts, record, slot.move(), signal);
  }
}

/**
 * A node that stops ends the Chromiums of all its browsers: they go to other nodes that have room for them, and are stopped
 * with their state saved otherwise.
 */
import type { KeyedMutex } from '../../kit/mutex.ts';
import type { BrowserRecord } from '../../store/records.ts';
import type { Running } from '../running/running.ts';
import { halt } from './endings.ts';
import { handOver } from './hand-over.ts';
import type { Expiries } from './timers.ts';
import type { TransitionParts } from './transition-parts.ts';
import { eachOf } from './transitions.ts';

export interface EmptyingParts {
  parts: TransitionParts;
  turn: KeyedMutex;
  expiries: Expiries;
  /** How many browsers other nodes could take now; absent where browsers are stopped instead of handed over. */
  roomElsewhere?: (() => Promise<number>) | undefined;
}

/** How browsers go: each while `hold` holds calls on it back, and until when those wait that cannot go at once. */
export interface Going {
  hold(browserId: string): Promise<() => void>;
  until: number;
}

const endsAtOnce = 8;

export class Emptying {
  readonly #parts: EmptyingParts;
  #going = 0;

  constructor(parts: EmptyingParts) {
    this.#parts = parts;
  }

  /**
   * Each browser goes between two calls: `hold` lets those under way finish and holds others back. What other nodes have no
   * room for stays as it is, and runs on; so does all of it while the storage for profiles is away, until `until`, a moment of
   * `performance.now()`.
   */
  async handOverAll({ hold, until }: Going): Promise<void> {
    await this.#each('drain.handover_failed', async (running, inTurn) => {
      using place = await this.#placeElsewhere(running, until);
      if (!place) return;
      const letGo = await hold(running.id);
      await inTurn((record) => this.#handOver(record, running, until)).finally(letGo);
    });
  }

  /** Nothing of any browser runs when it resolves. */
  async endAll(): Promise<void> {
    await this.#each('shutdown.stop_failed', async (running, inTurn) => {
      // Also when the database is away: then its record stays `ready`, and the next start recovers it.
      await using _ended = running;
      const now = performance.now();
      using place = await this.#placeElsewhere(running, now);
      await inTurn((record) =>
        place
          ? this.#handOver(record, running, now)
          : halt(this.#parts.parts, record, running, 'the service was shut down'),
      );
    });
  }

  async #each(
    failure: string,
    work: (
      running: Running,
      inTurn: (move: (record: BrowserRecord) => Promise<unknown>) => Promise<unknown>,
    ) => Promise<void>,
  ): Promise<void> {
    const { parts, turn } = this.#parts;
    await eachOf([...parts.running.values()], endsAtOnce, (running) =>
      work(running, (move) => turn.run(running.id, () => whileReady(parts, running, move))).catch((error) =>
        parts.log.error({ err: error, browserId: running.id }, failure),
      ),
    );
  }

  #handOver(record: BrowserRecord, running: Running, until: number): Promise<void> {
    const { parts, expiries } = this.#parts;
    expiries.clear(record.id);
    return handOver(parts, record, running, until);
  }

  /** Of those that are being handed over each counts on a place of its own. Undefined: there is none. */
  async #placeElsewhere(running: Running, until: number): Promise<Disposable | undefined> {
    const { parts, roomElsewhere } = this.#parts;
    if (!roomElsewhere || (await parts.vault?.takesProfile(running, until)) === false) return undefined;
    const room = await roomElsewhere().catch(() => 0);
    if (room <= this.#going) return undefined;
    this.#going++;
    return { [Symbol.dispose]: () => void this.#going-- };
  }
}

/** Moves a browser, unless it is not ready any more, or with another Chromium. */
export async function whileReady(
  { store, running: all }: TransitionParts,
  running: Running,
  move: (record: BrowserRecord) => Promise<unknown>,
): Promise<void> {
  const record = await store.browsers.get(running.id);
  const isCurrent = all.get(running.id) === running && record?.epoch === running.epoch;
  if (isCurrent && record?.status === 'ready') await move(record);
}

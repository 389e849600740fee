/**
 * Work that several callers want at the same time is done once. It goes on as long as one of them waits for it: a caller that
 * leaves takes nothing from the others, and the last one that leaves ends it.
 */
import { orAborted } from './or-aborted.ts';

interface Flight<T> {
  work: Promise<T>;
  waiting: number;
  end: AbortController;
}

export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /** `joined`: the work was begun by another caller. */
  async run(
    key: string,
    gone: AbortSignal,
    begin: (gone: AbortSignal) => Promise<T>,
  ): Promise<{ value: T; joined: boolean }> {
    gone.throwIfAborted();
    const known = this.#flights.get(key);
    const flight = known ?? this.#begin(key, begin);
    flight.waiting++;
    try {
      return { value: await orAborted(flight.work, gone), joined: known !== undefined };
    } finally {
      flight.waiting--;
      // One that has ended is known no more.
      if (flight.waiting === 0 && this.#forget(key, flight)) flight.end.abort(gone.reason);
    }
  }

  #begin(key: string, begin: (gone: AbortSignal) => Promise<T>): Flight<T> {
    const end = new AbortController();
    const flight = { work: begin(end.signal), waiting: 0, end };
    this.#flights.set(key, flight);
    const done = (): void => void this.#forget(key, flight);
    flight.work.then(done, done);
    return flight;
  }

  /** False when it was not known any more. */
  #forget(key: string, flight: Flight<T>): boolean {
    return this.#flights.get(key) === flight && this.#flights.delete(key);
  }
}

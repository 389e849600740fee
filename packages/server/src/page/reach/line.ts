/** Calls of one browser that must not run side by side: one at a time, in order, and the line has an end. */
import { ApiError } from '../../errors.ts';
import { Mutex } from '../../kit/mutex.ts';
import { orAborted } from '../../kit/or-aborted.ts';

const mostWaiting = 32;

export class Line {
  readonly #turn = new Mutex();
  /** The call that runs and those behind it. */
  #waiting = 0;
  #gate: Promise<void> | undefined;

  /** Nothing more begins until the return value is called; what runs is not broken off. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return () => {
      if (this.#gate === promise) this.#gate = undefined;
      resolve();
    };
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** `gone` sends the caller away at once; its work, once begun, keeps its turn until it is over. */
  async run<T>(work: () => Promise<T>, gone?: AbortSignal): Promise<T> {
    if (this.#waiting > mostWaiting)
      throw new ApiError(
        'SCRIPT_QUEUE_FULL',
        `${mostWaiting} calls wait for this browser already. Wait for their answers, or use another browser.`,
        { headers: { 'retry-after': '1' } },
      );
    this.#waiting++;
    let place: 'held' | 'begun' | 'left' = 'held';
    const leave = (): void => {
      if (place !== 'left') this.#waiting--;
      place = 'left';
    };
    const turn = this.#turn.run(async () => {
      while (this.#gate && !gone?.aborted) await orAborted(this.#gate, gone);
      gone?.throwIfAborted();
      place = 'begun';
      return work();
    });
    turn.then(leave, leave);
    // A caller that goes before its turn makes room at once.
    gone?.addEventListener('abort', () => place === 'held' && leave(), { once: true });
    return orAborted(turn, gone);
  }
}

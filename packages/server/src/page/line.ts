import { ApiError } from '../errors.ts';
import { Mutex } from '../kit/mutex.ts';

/** Calls of one browser that must not run side by side: one at a time, in order, and the line has an end. */
const mostWaiting = 32;

export class Line {
  readonly #turn = new Mutex();
  /** The one that runs and those behind it. */
  #waiting = 0;

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
    const turn = this.#turn.run(async () => {
      gone?.throwIfAborted();
      return work();
    });
    const left = (): number => --this.#waiting;
    turn.then(left, left);
    return gone ? orGone(turn, gone) : turn;
  }
}

async function orGone<T>(turn: Promise<T>, gone: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(gone.reason);
  gone.addEventListener('abort', leave, { once: true });
  if (gone.aborted) leave();
  try {
    return await Promise.race([turn, promise]);
  } finally {
    gone.removeEventListener('abort', leave);
  }
}

/**
 * Some work is let in at an estimate, because what it takes is spread over many callbacks: a request that lists a thousand
 * browsers counts as much as one that reads one. What such work really takes shows in the loop, which was busier than all that
 * was measured explains. So the time that is left over is compared with the estimates, window after window, and those who asked
 * for most of it pay more in the next one. Who asks now and then pays what was estimated.
 */
import { performance } from 'node:perf_hooks';

const windowMs = 100;
/** Estimates for less than this part of a window say nothing of the time that was left over. */
const leastPart = 0.125;
const mostTimes = 10;

export class UnmeasuredTime<Payer> {
  readonly #busyMs: () => number;
  readonly #now: () => number;
  #began: number;
  #busyBefore: number;
  #measuredMs = 0;
  #estimates = new Map<Payer, number>();
  #times = new Map<Payer, number>();

  /** `busyMs`: how long the loop has worked so far. */
  constructor(
    busyMs: () => number = () => performance.eventLoopUtilization().active,
    now: () => number = () => performance.now(),
  ) {
    this.#busyMs = busyMs;
    this.#now = now;
    this.#began = now();
    this.#busyBefore = busyMs();
  }

  measured(ms: number): void {
    this.#measuredMs += ms;
  }

  /** Notes an estimate, and tells what it counts as. */
  estimated(payer: Payer, ms: number): number {
    this.#estimates.set(payer, (this.#estimates.get(payer) ?? 0) + ms);
    return ms * (this.#times.get(payer) ?? 1);
  }

  /** Called now and then, at least as often as there is anything to count. */
  look(): void {
    const now = this.#now();
    const lasted = now - this.#began;
    if (lasted < windowMs) return;
    const busy = this.#busyMs();
    const leftOver = busy - this.#busyBefore - this.#measuredMs;
    const estimated = Math.max(this.#sum(), leastPart * lasted);
    const times = Math.min(Math.max(leftOver / estimated, 1), mostTimes);
    this.#times = new Map(
      [...this.#estimates].map(([payer, ms]) => [payer, 1 + ((times - 1) * ms) / estimated]),
    );
    this.#began = now;
    this.#busyBefore = busy;
    this.#measuredMs = 0;
    this.#estimates = new Map();
  }

  #sum(): number {
    let sum = 0;
    for (const ms of this.#estimates.values()) sum += ms;
    return sum;
  }
}

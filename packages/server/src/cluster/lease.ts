/**
 * The right of this boot to let bytes out.
 *
 *   renewal sent ──────────── answer ──────────────> held until `sent + gate`, on the monotonic clock
 *        └─ the database's clock says: not over before `received + TTL`, and gate < TTL
 *
 * A process that was paused finds the time over when it wakes, before it does anything else: `held()` asks the clock each time.
 * On a machine that was suspended the monotonic clock may have stood still, but the wall clock has jumped: then the lease
 * counts as lost until it is renewed.
 */
import type { Lease } from './interface.ts';

export interface LeaseClock {
  /** In milliseconds; it never goes back. */
  monotonic(): number;
  wall(): number;
}

export interface LeaseParts {
  /** Undefined: the boot was declared gone. */
  renew(): Promise<{ at: number } | undefined>;
  heartbeatMs: number;
  gateMs: number;
  /** Called after each renewal that arrived. */
  onRenewed(): void;
  /** Called once. */
  onFenced(): void;
  onFailure(error: unknown): void;
  clock?: LeaseClock;
}

const machineClock: LeaseClock = { monotonic: () => performance.now(), wall: () => Date.now() };

/** Clocks that are set right step by step stay far below it between two looks. */
const jumpMs = 1000;
const retryMs = 500;
const firstTries = 5;

export class RenewedLease implements Lease, Disposable {
  readonly #parts: LeaseParts;
  readonly #clock: LeaseClock;
  readonly #listeners = new Set<(held: boolean) => void>();
  #until = Number.NEGATIVE_INFINITY;
  /** The wall clock ahead of the monotonic one, at the last look. */
  #ahead: number;
  #jumps = 0;
  #told = false;
  #over = false;
  #beat: NodeJS.Timeout | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #failures = 0;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? machineClock;
    this.#ahead = this.#clock.wall() - this.#clock.monotonic();
  }

  held(): boolean {
    return this.#look() < this.#until;
  }

  onChange(listener: (held: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves with the first renewal, and goes on from there. Fails when several have failed. */
  async start(): Promise<void> {
    for (let left = firstTries - 1; ; left--) {
      try {
        await this.#renew();
        return this.#next();
      } catch (error) {
        if (left === 0) throw error;
        this.#parts.onFailure(error);
      }
    }
  }

  [Symbol.dispose](): void {
    this.#over = true;
    clearTimeout(this.#beat);
    clearTimeout(this.#expiry);
    this.#until = Number.NEGATIVE_INFINITY;
  }

  /** The time, after both clocks were compared. */
  #look(): number {
    const now = this.#clock.monotonic();
    const ahead = this.#clock.wall() - now;
    if (Math.abs(ahead - this.#ahead) > jumpMs) {
      this.#jumps++;
      this.#until = Number.NEGATIVE_INFINITY;
    }
    this.#ahead = ahead;
    return now;
  }

  async #renew(): Promise<void> {
    const sent = this.#look();
    const jumps = this.#jumps;
    const renewed = await this.#parts.renew();
    if (this.#over) return;
    this.#look();
    if (!renewed) return this.#fence();
    // One that was sent before a jump says nothing about the time since.
    if (jumps !== this.#jumps) throw new Error('the clock of the machine has jumped');
    this.#failures = 0;
    this.#until = sent + this.#parts.gateMs;
    this.#tell();
    this.#parts.onRenewed();
  }

  #fence(): void {
    this[Symbol.dispose]();
    this.#tell();
    this.#parts.onFenced();
  }

  #next(): void {
    if (this.#over) return;
    // The first failure is tried again at once: a connection may have been idle for too long.
    const { heartbeatMs } = this.#parts;
    const waitMs =
      this.#failures === 0 ? heartbeatMs : this.#failures === 1 ? 0 : Math.min(retryMs, heartbeatMs);
    this.#beat = setTimeout(() => {
      this.#renew()
        .catch((error: unknown) => {
          this.#failures++;
          this.#tell();
          if (!this.#over) this.#parts.onFailure(error);
        })
        .finally(() => this.#next());
    }, waitMs).unref();
  }

  #tell(): void {
    const held = this.held();
    clearTimeout(this.#expiry);
    if (held)
      this.#expiry = setTimeout(() => this.#tell(), this.#until - this.#clock.monotonic() + 1).unref();
    if (held === this.#told) return;
    this.#told = held;
    for (const listener of this.#listeners) listener(held);
  }
}

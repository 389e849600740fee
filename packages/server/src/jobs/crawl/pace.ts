/**
 * When the next page of a host may be asked for: not before its delay is over, nor while it has asked for a rest. A project has
 * one pace for a host, however many of its jobs are there. It is kept in memory alone: after a restart a host is asked at
 * once, one time.
 */
interface HostPace {
  /** The next page may go, by the clock of `now`. */
  nextAt: number;
  /** It has asked for a rest until then. */
  restsUntil: number;
}

/** A host that asks for a longer rest is asked again after this one. */
const longestRestMs = 10 * 60_000;
const firstRestMs = 5000;
const mostHosts = 10_000;

export class Pace {
  readonly #hosts = new Map<string, HostPace>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** 0: the page may go now, and the next one of the host after `delayMs`. Otherwise how long to wait before asking again. */
  take(projectId: string, host: string, delayMs: number): number {
    const now = this.#now();
    const pace = this.#of(projectId, host);
    const waitMs = Math.max(pace.nextAt, pace.restsUntil) - now;
    if (waitMs > 0) return Math.ceil(waitMs);
    pace.nextAt = now + delayMs;
    return 0;
  }

  /** The host has answered 429 or 503. */
  rest(projectId: string, host: string, retryAfterMs: number | undefined): void {
    const ms = Math.min(Math.max(retryAfterMs ?? firstRestMs, 0), longestRestMs);
    const pace = this.#of(projectId, host);
    pace.restsUntil = Math.max(pace.restsUntil, this.#now() + ms);
  }

  #of(projectId: string, host: string): HostPace {
    const key = `${projectId} ${host}`;
    const known = this.#hosts.get(key) ?? { nextAt: 0, restsUntil: 0 };
    this.#hosts.delete(key);
    this.#hosts.set(key, known);
    this.#forget();
    return known;
  }

  /** The host that was not asked for the longest time, where there are too many. */
  #forget(): void {
    if (this.#hosts.size <= mostHosts) return;
    const [longest] = this.#hosts.keys();
    if (longest !== undefined) this.#hosts.delete(longest);
  }
}

/** `Retry-After`: seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}

import { useSyncExternalStore } from 'react';

/**
 * Whether the service can be reached, seen from the calls that are made anyway. While it cannot, its liveness is asked
 * for every two seconds; when it is back, everything on the page is asked for anew.
 *
 *   every call of the SDK ──> Line.fetch ──┬── 401 ──> back to sign-in
 *                                          ├── no answer, or a gateway's ──> down ── /health ──> up, onBack
 *                                          └── any other answer ──> up
 */
const askEveryMs = 2000;
const gateway = new Set([502, 503, 504]);

interface Heard {
  onRefused(): void;
  onBack(): void;
}

export class Line {
  #up = true;
  readonly #heard: Heard;
  readonly #listeners = new Set<() => void>();

  constructor(heard: Heard) {
    this.#heard = heard;
  }

  get up(): boolean {
    return this.#up;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    try {
      const answer = await globalThis.fetch(input, init);
      if (answer.status === 401) this.#heard.onRefused();
      if (!isGateways(answer)) this.#set(true);
      return answer;
    } catch (error) {
      if (!init?.signal?.aborted) this.#set(false);
      throw error;
    }
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Gives its off switch. */
  watch(): () => void {
    const timer = setInterval(async () => {
      if (this.#up || document.hidden) return;
      const answer = await globalThis.fetch('/health').catch(() => undefined);
      if (answer?.ok) this.#set(true);
    }, askEveryMs);
    return () => clearInterval(timer);
  }

  #set(up: boolean): void {
    if (up === this.#up) return;
    this.#up = up;
    for (const listener of this.#listeners) listener();
    if (up) this.#heard.onBack();
  }
}

/** A reverse proxy answers for a service that is away, in its own words; the service's own answers are JSON. */
const isGateways = ({ status, headers }: Response): boolean =>
  gateway.has(status) && !headers.get('content-type')?.includes('json');

export const useUp = (line: Line): boolean => useSyncExternalStore(line.subscribe, () => line.up);

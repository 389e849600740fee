/**
 * Whether the service can be reached, as seen by the calls of the page. While it cannot, its health is checked every two
 * seconds; when it is back, everything on the page is fetched again.
 *
 *   every call of the SDK ──> Connection.fetch ──┬── 401 ──> back to sign-in
 *                                                ├── no answer, or a gateway's ──> down ── /health ──> up, onBack
 *                                                └── any other answer ──> up
 */
import { useSyncExternalStore } from 'react';

const checkEveryMs = 2000;
const gateway = new Set([502, 503, 504]);

interface Callbacks {
  onRefused(): void;
  onBack(): void;
}

export class Connection {
  #up = true;
  readonly #callbacks: Callbacks;
  readonly #listeners = new Set<() => void>();

  constructor(callbacks: Callbacks) {
    this.#callbacks = callbacks;
  }

  get up(): boolean {
    return this.#up;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    try {
      const answer = await globalThis.fetch(input, init);
      if (answer.status === 401) this.#callbacks.onRefused();
      if (!isFromGateway(answer)) this.#set(true);
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

  /** Returns a function that ends it. */
  watch(): () => void {
    const timer = setInterval(async () => {
      if (this.#up || document.hidden) return;
      const answer = await globalThis.fetch('/health').catch(() => undefined);
      if (answer?.ok) this.#set(true);
    }, checkEveryMs);
    return () => clearInterval(timer);
  }

  #set(up: boolean): void {
    if (up === this.#up) return;
    this.#up = up;
    for (const listener of this.#listeners) listener();
    if (up) this.#callbacks.onBack();
  }
}

/** A reverse proxy answers for a service that is down, in HTML; answers of the service itself are JSON. */
const isFromGateway = ({ status, headers }: Response): boolean =>
  gateway.has(status) && !headers.get('content-type')?.includes('json');

export const useUp = (connection: Connection): boolean =>
  useSyncExternalStore(connection.subscribe, () => connection.up);

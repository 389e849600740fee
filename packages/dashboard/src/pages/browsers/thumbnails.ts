/**
 * Small pictures of browsers, taken one at a time and only for cards on the screen, so that a long list costs the service
 * no more than one browser.
 *
 *   cards on the screen ──> wanted ── the oldest picture first ──> status, screenshot ──> blob: address ──> card
 *
 * The screenshots are passive: they do not postpone the idle time-out of a browser.
 */
import type { Browserd } from '@browserd/sdk';

export interface Shot {
  src: string;
  title: string;
  url: string;
}
interface Wanted {
  shot?: Shot;
  /** When it is due again. */
  due: number;
  update(): void;
}

/** Wide enough for a card on a dense screen. */
const small = { format: 'jpeg', quality: 45, maxSide: 640, passive: true } as const;
const freshMs = 4000;
/** A page that could not be drawn is tried again much later. */
const afterFailureMs = 20_000;
const pollMs = 250;
const timeoutMs = 8000;

export class Thumbnails {
  readonly #client: Browserd;
  readonly #wanted = new Map<string, Wanted>();
  #end: AbortController | undefined;

  constructor(client: Browserd) {
    this.#client = client;
  }

  shot(id: string): Shot | undefined {
    return this.#wanted.get(id)?.shot;
  }

  /** Returns a function that ends it. */
  want(id: string, update: () => void): () => void {
    this.#wanted.set(id, { due: 0, update });
    if (!this.#end) void this.#run();
    return () => {
      const { shot } = this.#wanted.get(id) ?? {};
      if (shot) URL.revokeObjectURL(shot.src);
      this.#wanted.delete(id);
      if (this.#wanted.size === 0) this.#end?.abort();
    };
  }

  async #run(): Promise<void> {
    this.#end = new AbortController();
    const { signal } = this.#end;
    while (!signal.aborted) {
      const [id, wanted] = this.#next() ?? [];
      if (id === undefined || wanted === undefined) await pause(pollMs);
      else await this.#take(id, wanted, signal);
    }
    this.#end = undefined;
    if (this.#wanted.size > 0) void this.#run();
  }

  #next(): [string, Wanted] | undefined {
    if (document.hidden) return undefined;
    const due = [...this.#wanted].filter(([, wanted]) => wanted.due <= Date.now());
    return due.toSorted(([, a], [, b]) => a.due - b.due)[0];
  }

  async #take(id: string, wanted: Wanted, signal: AbortSignal): Promise<void> {
    const browser = this.#client.browser(id);
    const options = { signal, timeoutMs };
    try {
      const { activeTab } = await browser.status(options);
      const picture = await browser.screenshot({ ...small, ...options });
      const blob = await picture.blob();
      if (this.#wanted.get(id) !== wanted) return;
      const before = wanted.shot;
      wanted.shot = {
        src: URL.createObjectURL(blob),
        title: activeTab?.title ?? '',
        url: activeTab?.url ?? '',
      };
      if (before) URL.revokeObjectURL(before.src);
      wanted.due = Date.now() + freshMs;
      wanted.update();
    } catch {
      wanted.due = Date.now() + afterFailureMs;
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

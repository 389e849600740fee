import type { Browserd } from '@browserd/sdk';

/**
 * Small pictures of browsers, taken one at a time and only of those that somebody sees, so that a wall of browsers costs
 * the service no more than one.
 *
 *   cards on the screen ──> wanted ── the oldest picture first ──> status, screenshot ──> blob: address ──> card
 *
 * The screenshots are passive: being watched keeps no browser from its idle time-out.
 */
export interface Shot {
  src: string;
  title: string;
  url: string;
}
interface Wanted {
  shot?: Shot;
  /** When it is due again. */
  due: number;
  tell(): void;
}

/** Wide enough for a card on a dense screen. */
const small = { format: 'jpeg', quality: 45, maxSide: 640, passive: true } as const;
const freshMs = 4000;
/** A page that could not be drawn is not asked again and again. */
const afterFailureMs = 20_000;
const lookMs = 250;
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

  /** Gives its off switch. */
  want(id: string, tell: () => void): () => void {
    this.#wanted.set(id, { due: 0, tell });
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
      if (id === undefined || wanted === undefined) await pause(lookMs);
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
      wanted.tell();
    } catch {
      wanted.due = Date.now() + afterFailureMs;
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

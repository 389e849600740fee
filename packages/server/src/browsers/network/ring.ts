/** The last requests of one tab: so many, and so many bytes. The oldest make room for the next. */
import { type LoggedRequest, sizeOf } from './logged-request.ts';

export interface Bounds {
  requests: number;
  bytes: number;
}

/** Who keeps the rings of all tabs is told of each request that comes and goes, and of what it takes. */
export interface RingKeeper {
  added(request: LoggedRequest): void;
  removed(request: LoggedRequest): void;
  /** It takes so much more, or less, and is within its bounds. */
  weighed(bytes: number): void;
}

export class Ring {
  bounds: Bounds;
  readonly #keeper: RingKeeper;
  /** In the order in which they began. */
  readonly #all = new Map<string, { request: LoggedRequest; bytes: number }>();
  /** By Chromium's word: the last hop. */
  readonly #byRequestId = new Map<string, LoggedRequest>();
  #bytes = 0;

  constructor(bounds: Bounds, keeper: RingKeeper) {
    this.bounds = bounds;
    this.#keeper = keeper;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(request: LoggedRequest): void {
    this.#byRequestId.set(request.requestId, request);
    this.#all.set(request.id, { request, bytes: 0 });
    this.#keeper.added(request);
    this.weigh(request);
  }

  /** After it has grown. */
  weigh(request: LoggedRequest): void {
    const kept = this.#all.get(request.id);
    if (!kept) return;
    const before = this.#bytes;
    const bytes = sizeOf(request);
    this.#bytes += bytes - kept.bytes;
    kept.bytes = bytes;
    const { bounds } = this;
    while (this.#all.size > 1 && (this.#all.size > bounds.requests || this.#bytes > bounds.bytes))
      this.#removeOldest();
    this.#keeper.weighed(this.#bytes - before);
  }

  last(requestId: string): LoggedRequest | undefined {
    return this.#byRequestId.get(requestId);
  }

  *requests(): Generator<LoggedRequest> {
    for (const { request } of this.#all.values()) yield request;
  }

  /** False when it is empty. */
  dropOldest(): boolean {
    const before = this.#bytes;
    if (!this.#removeOldest()) return false;
    this.#keeper.weighed(this.#bytes - before);
    return true;
  }

  clear(): void {
    while (this.dropOldest());
  }

  #removeOldest(): boolean {
    const [oldest] = this.#all.values();
    if (!oldest) return false;
    const { request, bytes } = oldest;
    this.#all.delete(request.id);
    this.#bytes -= bytes;
    if (this.#byRequestId.get(request.requestId) === request) this.#byRequestId.delete(request.requestId);
    this.#keeper.removed(request);
    return true;
  }
}

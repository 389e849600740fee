/** The last requests of one tab: so many, and so many bytes. The oldest make room for the next. */
import { type LoggedRequest, sizeOf } from './logged-request.ts';

export interface Bounds {
  requests: number;
  bytes: number;
}

export class Ring {
  bounds: Bounds;
  /** In the order in which they began. */
  readonly #all = new Map<string, { request: LoggedRequest; bytes: number }>();
  /** By Chromium's word: the last hop. */
  readonly #byRequestId = new Map<string, LoggedRequest>();
  #bytes = 0;

  constructor(bounds: Bounds) {
    this.bounds = bounds;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(request: LoggedRequest): void {
    this.#byRequestId.set(request.requestId, request);
    this.#all.set(request.id, { request, bytes: 0 });
    this.weigh(request);
  }

  /** After it has grown. */
  weigh(request: LoggedRequest): void {
    const kept = this.#all.get(request.id);
    if (!kept) return;
    const bytes = sizeOf(request);
    this.#bytes += bytes - kept.bytes;
    kept.bytes = bytes;
    while (this.#all.size > this.bounds.requests || this.#bytes > this.bounds.bytes) {
      const [oldest] = this.#all.values();
      if (!oldest || this.#all.size === 1) return;
      this.#remove(oldest.request, oldest.bytes);
    }
  }

  get(id: string): LoggedRequest | undefined {
    return this.#all.get(id)?.request;
  }

  last(requestId: string): LoggedRequest | undefined {
    return this.#byRequestId.get(requestId);
  }

  *requests(): Generator<LoggedRequest> {
    for (const { request } of this.#all.values()) yield request;
  }

  #remove(request: LoggedRequest, bytes: number): void {
    this.#all.delete(request.id);
    this.#bytes -= bytes;
    if (this.#byRequestId.get(request.requestId) === request) this.#byRequestId.delete(request.requestId);
  }
}

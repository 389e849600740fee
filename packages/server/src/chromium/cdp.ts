import type { Readable, Writable } from 'node:stream';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import { ApiError } from '../errors.ts';

/**
 * Chrome DevTools Protocol over a pair of pipes: JSON messages, each ended by a zero byte.
 *
 *   send() ──{id, method, params, sessionId}\0──> fd 3   Chromium
 *   on()   <──{method, params, sessionId}\0────── fd 4
 */
type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;
export type Method = keyof Commands;
export type EventName = keyof Events;
export type Params<M extends Method> = Commands[M]['paramsType'][0];
export type Result<M extends Method> = Commands[M]['returnType'];
export type EventParams<E extends EventName> = Events[E][0];

type Listener = (params: never, sessionId: string | undefined) => void;

interface Pending {
  method: string;
  resolve(value: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** Chromium understood the command and refused it. */
export class CdpError extends Error {
  readonly method: string;
  constructor(method: string, message: string) {
    super(`${method}: ${message}`);
    this.name = 'CdpError';
    this.method = method;
  }
}

export class Cdp {
  readonly #input: Writable;
  /** How long one command may take. */
  timeoutMs: number;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Set<Listener>>();
  #parts: Buffer[] = [];
  #lastId = 0;
  #ended: Error | undefined;

  constructor(options: { input: Writable; output: Readable; timeoutMs: number }) {
    this.#input = options.input;
    this.timeoutMs = options.timeoutMs;
    // A broken pipe shows as Chromium's exit, which the owner of the process reports.
    options.input.on('error', () => undefined);
    options.output.on('error', () => undefined);
    options.output.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  send<M extends Method>(
    method: M,
    params?: Params<M>,
    options: { sessionId?: string; timeoutMs?: number } = {},
  ): Promise<Result<M>> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    const timeoutMs = options.timeoutMs ?? this.timeoutMs;
    return new Promise<Result<M>>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        reject(
          new ApiError('BROWSER_UNRESPONSIVE', `Chromium did not answer ${method} within ${timeoutMs} ms.`, {
            details: { method, timeoutMs },
          }),
        );
      }, timeoutMs);
      this.#pending.set(id, { method, resolve: resolve as (value: unknown) => void, reject, timer });
      this.#input.write(`${JSON.stringify({ id, method, params, sessionId: options.sessionId })}\0`);
    });
  }

  /** Listens to an event of every session; the return value is the off switch. */
  on<E extends EventName>(
    event: E,
    listener: (params: EventParams<E>, sessionId: string | undefined) => void,
  ): () => void {
    const set = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, set);
    set.add(listener as Listener);
    return () => set.delete(listener as Listener);
  }

  /** Fails everything that still waits for an answer. */
  end(reason: Error): void {
    this.#ended ??= reason;
    for (const pending of this.#pending.values()) {
      clearTimeout(pending.timer);
      pending.reject(this.#ended);
    }
    this.#pending.clear();
    this.#listeners.clear();
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const last = chunk.subarray(start, end);
      const whole = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
      this.#parts = [];
      start = end + 1;
      this.#dispatch(whole.toString('utf8'));
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
  }

  #dispatch(text: string): void {
    const message = JSON.parse(text) as {
      id?: number;
      method?: string;
      params?: never;
      sessionId?: string;
      result?: unknown;
      error?: { message: string };
    };
    if (message.id === undefined) {
      for (const listener of this.#listeners.get(message.method ?? '') ?? [])
        listener(message.params as never, message.sessionId);
      return;
    }
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    this.#pending.delete(message.id);
    clearTimeout(pending.timer);
    if (message.error) pending.reject(new CdpError(pending.method, message.error.message));
    else pending.resolve(message.result);
  }
}

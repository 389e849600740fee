/**
 * Chrome DevTools Protocol over a pair of pipes: JSON messages, each ended by a zero byte.
 *
 *   send() ──{id, method, params, sessionId}\0──> fd 3   Chromium
 *   on()   <──{method, params, sessionId}\0────── fd 4
 *
 * The service itself speaks by `send` and `on`. What belongs to clients (see mux.ts) passes by unparsed: answers by
 * their id, events by their session. The service hears only the sessions it opened itself.
 */
import type { Readable, Writable } from 'node:stream';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import { ApiError } from '../../errors.ts';
import { giveBackWhole } from '../../kit/give-back.ts';
import { readInTurns, type Share, shareOf } from '../../kit/loop-share.ts';
import { ChooserClients } from './chooser-clients.ts';
import { withShortStrings } from './long-strings.ts';
import { MessageReader } from './message-reader.ts';
import { shortRequest, withoutBody } from './paused-request.ts';
import { firstRelayId, lastRelayId, peekMethod, peekRelayId, peekSession } from './peek.ts';
import { partsOf } from './rewrite.ts';
import { WaitingTargets } from './waiting-targets.ts';

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
  /** Chromium's own words. */
  readonly reason: string;
  constructor(method: string, reason: string) {
    super(`${method}: ${reason}`);
    this.name = 'CdpError';
    this.method = method;
    this.reason = reason;
  }
}

/** A command of a client, judged already. */
interface Relayed {
  method: string;
  /** Bytes: an object in JSON that was checked already, and goes as it is. */
  params: object | Buffer | undefined;
  sessionId: string;
}

/** A message as it was parsed; anything but `id`, `method` and `sessionId` is for its receiver. */
interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  sessionId?: string;
  result?: unknown;
  error?: { message: string };
}

export interface CdpOptions {
  input: Writable;
  output: Readable;
  timeoutMs: number;
  /** The largest message that Chromium may send. */
  messageLimitBytes?: number;
  /** Called once, when what Chromium sent cannot be handled; nothing is read any more. */
  onFault?(error: Error): void;
}

/** 64 MiB that a client asked for, and what CDP puts around them. */
const usualMessageLimit = 72 * 1024 ** 2;
/** Chromium ends itself when one message is larger than 100 MiB. */
const largestMessage = 96 * 1024 ** 2;

/** Pages decide how long these are. */
const consoleEvents = new Set(['Runtime.consoleAPICalled', 'Runtime.exceptionThrown']);
const longestLine = 256 * 1024;
/** Of an address or a title that these tell, 64 Ki characters are kept at most, each of which takes two bytes at most in an address. */
const namingEvents = /^(?:Target\.|Page\.(?:frame|navigatedWithinDocument$))/;
const longestName = 2 * 65_536 + 1024;
/** Of an event about a request, whose address may be a whole file (`data:`). */
const longestRequest = 4 * 1024 ** 2;

export class Cdp {
  readonly #input: Writable;
  /** How long one command may take. */
  timeoutMs: number;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #signs = new Map<string, (sessionId: string, message: Buffer) => void>();
  /** Sessions the service opened, at the root or below. */
  readonly #sessions = new Set<string>();
  readonly #relayed = new Map<number, (answer: Buffer, id: number) => void>();
  readonly #taps = new Map<string, (method: string, event: Buffer) => void>();
  readonly #endListeners = new Set<() => void>();
  readonly waiting = new WaitingTargets();
  readonly choosers = new ChooserClients();
  #lastRelayId = firstRelayId - 1;
  readonly #reader: MessageReader;
  /** Whose loop time is used for what Chromium says: the service's own, until it belongs to a project. */
  share: Share = shareOf('');
  #lastId = 0;
  #corked = false;
  #ended: Error | undefined;

  constructor(options: CdpOptions) {
    this.#input = options.input;
    const isClients = (sessionId: string): boolean => !this.#sessions.has(sessionId);
    this.#reader = new MessageReader(options.messageLimitBytes ?? usualMessageLimit, isClients);
    this.timeoutMs = options.timeoutMs;
    // A broken pipe shows as Chromium's exit, which the owner of the process reports.
    options.input.on('error', () => undefined);
    options.output.on('error', () => undefined);
    // What cannot be read or handled ends this Chromium, never the service: the bytes may be a page's making.
    readInTurns(options.output, {
      share: () => this.share,
      read: (chunk) => this.#receive(chunk),
      onFault: options.onFault ?? (() => undefined),
    });
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
      this.#together();
      this.#input.write(`${JSON.stringify({ id, method, params, sessionId: options.sessionId })}\0`);
    });
  }

  /** Commands of the same moment leave in one piece: each piece wakes Chromium's reader. */
  #together(): void {
    if (this.#corked) return;
    this.#corked = true;
    this.#input.cork();
    process.nextTick(() => {
      this.#corked = false;
      this.#input.uncork();
    });
  }

  /** Listens to an event of every session of the service; the return value is the off switch. */
  on<E extends EventName>(
    event: E,
    listener: (params: EventParams<E>, sessionId: string | undefined) => void,
  ): () => void {
    const set = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, set);
    set.add(listener as Listener);
    return () => set.delete(listener as Listener);
  }

  /**
   * That a session of the service's had this event, with its bytes: what it carries may be large, and is not parsed. Only
   * those of `Network.` events may be kept.
   */
  onSign(event: EventName, heard: (sessionId: string, message: Buffer) => void): void {
    this.#signs.set(event, heard);
  }

  /**
   * Sends a command whose answer goes, unparsed, to `answered`; `written` is called when it has left. Returns the id it
   * went under and its size, or nothing when it is larger than Chromium survives.
   */
  relay(
    command: Relayed,
    answered: (answer: Buffer, id: number) => void,
    written: (bytes: number) => void,
  ): { id: number; bytes: number } | undefined {
    const id = this.#nextRelayId();
    const { method, params, sessionId } = command;
    const parts = Buffer.isBuffer(params)
      ? partsOf({ id, method, params, sessionId })
      : [Buffer.from(`${JSON.stringify({ id, method, params, sessionId })}\0`)];
    const bytes = parts.reduce((sum, { length }) => sum + length, 0);
    if (bytes > largestMessage) return undefined;
    this.#relayed.set(id, answered);
    this.#input.cork();
    const left = (error?: Error | null): void => {
      if (!error && Buffer.isBuffer(params)) giveBackWhole(params);
      written(bytes);
    };
    for (const part of parts) this.#input.write(part, part === parts.at(-1) ? left : undefined);
    this.#input.uncork();
    return { id, bytes };
  }

  /** The answer to this relayed command is of no interest any more. */
  forget(id: number): void {
    this.#relayed.delete(id);
  }

  /** Hands the events of a session on, unparsed; the return value is the off switch. */
  tap(sessionId: string, heard: (method: string, event: Buffer) => void): () => void {
    this.#taps.set(sessionId, heard);
    return () => this.#taps.delete(sessionId);
  }

  /**
   * Resolves when no client keeps this new target waiting. Chromium tells all sessions of a target at once, so after an answer
   * to anything it is known which clients do.
   */
  async freeOfClients(targetId: string, mostMs: number): Promise<void> {
    if (this.#taps.size === 0) return;
    await this.send('Browser.getVersion');
    await this.waiting.free(targetId, mostMs);
  }

  /** Called when there is no Chromium to speak to any more; the return value is the off switch. */
  onEnd(listener: () => void): () => void {
    if (this.#ended) queueMicrotask(listener);
    else this.#endListeners.add(listener);
    return () => this.#endListeners.delete(listener);
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
    this.#signs.clear();
    this.#relayed.clear();
    this.#taps.clear();
    const listeners = [...this.#endListeners];
    this.#endListeners.clear();
    for (const listener of listeners) listener();
  }

  #nextRelayId(): number {
    do this.#lastRelayId = this.#lastRelayId === lastRelayId ? firstRelayId : this.#lastRelayId + 1;
    while (this.#relayed.has(this.#lastRelayId));
    return this.#lastRelayId;
  }

  *#receive(chunk: Buffer): Generator<undefined, void> {
    for (const message of this.#reader.read(chunk)) {
      if (this.#ended) return;
      if (!this.#pass(message)) this.#take(message);
      yield;
    }
  }

  /** Hands on what is not for the service; false when it is, or when only parsing can show that. */
  #pass(message: Buffer): boolean {
    const id = peekRelayId(message);
    if (id !== undefined) {
      const answered = this.#relayed.get(id);
      this.#relayed.delete(id);
      answered?.(message, id);
      return true;
    }
    const tap = this.#taps.get(peekSession(message) ?? '');
    const method = tap && peekMethod(message);
    if (method) tap(method, message);
    return method !== undefined;
  }

  #take(raw: Buffer): void {
    const isIdle = this.#isIdle(raw);
    const text = isIdle ? '' : this.#needed(raw).toString('utf8');
    // What the log of the network was told, it may keep.
    if (!peekMethod(raw)?.startsWith('Network.')) giveBackWhole(raw);
    if (isIdle) return;
    const message = JSON.parse(text) as Message;
    if ((message.id ?? 0) >= firstRelayId || (message.method && this.#taps.has(message.sessionId ?? ''))) {
      // Chromium wrote it in another order than it does; put into that order it finds its way.
      const { id, method, params, result, error, sessionId } = message;
      this.#pass(Buffer.from(JSON.stringify({ id, method, params, result, error, sessionId })));
    } else if (message.id === undefined) this.#hear(message);
    else this.#settle(message.id, message);
  }

  /** Without what a page sends with a request that waits for the service, and without more of its names than is kept. */
  #needed(raw: Buffer): Buffer {
    if (raw.length <= shortRequest) return raw;
    const method = peekMethod(raw) ?? '';
    if (method === 'Fetch.requestPaused') return withoutBody(raw) ?? raw;
    return namingEvents.test(method) ? withShortStrings(raw, longestName) : raw;
  }

  /** An event without a listener, or one of a page's making that is too long to be worth parsing. */
  #isIdle(raw: Buffer): boolean {
    const method = peekMethod(raw);
    const sessionId = peekSession(raw);
    if (method === undefined || method.startsWith('Target.') || sessionId === undefined) return false;
    if (this.#sessions.has(sessionId)) this.#signs.get(method)?.(sessionId, raw);
    if (raw.length > longestLine && consoleEvents.has(method)) return true;
    if (raw.length > longestRequest && method.startsWith('Network.')) return true;
    return !this.#listeners.get(method)?.size;
  }

  #hear({ method = '', params, sessionId }: Message): void {
    // The last event of a session whose client has left.
    if (sessionId !== undefined && !this.#sessions.has(sessionId)) return;
    if (method === 'Target.attachedToTarget') {
      const attached = params as EventParams<'Target.attachedToTarget'>;
      // A session of the whole browser is a client's, and no tab.
      if (attached.targetInfo.type === 'browser') return;
      this.#sessions.add(attached.sessionId);
    }
    for (const listener of this.#listeners.get(method) ?? []) listener(params as never, sessionId);
    if (method === 'Target.detachedFromTarget')
      this.#sessions.delete((params as EventParams<'Target.detachedFromTarget'>).sessionId);
  }

  #settle(id: number, message: Message): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    if (message.error) pending.reject(new CdpError(pending.method, message.error.message));
    else pending.resolve(message.result);
  }
}

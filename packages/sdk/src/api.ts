import { baseAddress, pathOf, queryOf } from './address.ts';
import { Content } from './content.ts';
import { ConnectionError, errorFrom, invalidArgument, notOurs } from './errors.ts';
import { type Operations, operations } from './generated/operations.ts';
import { connectionError, delayBefore, sleep } from './retry.ts';

/**
 * The one way to the service. Every call names an operation of the contract; its types, method and path follow from
 * that, and so do its Idempotency-Key and whether it may be tried again.
 *
 *   call ──> attempt ──> answer            one time limit for headers and body; of bytes and streams for the headers
 *              ^  └────> error ──> delay   none where another attempt could do harm, or would be of no use
 *              └──────────────────────┘
 */
export interface Settings {
  /** Default: `BROWSERD_URL` of the environment, then http://127.0.0.1:8787. */
  baseUrl?: string;
  /** Default: `BROWSERD_API_KEY` of the environment. */
  apiKey?: string;
  /** Default: the runtime's own. */
  fetch?: typeof globalThis.fetch;
  /** For each attempt to be answered; 60 000 unless given. Work with a limit of its own gets that on top. */
  timeoutMs?: number;
  /** After the first attempt. 2 unless given. */
  maxRetries?: number;
  /** Sent with every call. */
  headers?: Record<string, string>;
}

/** Of calls whose `timeoutMs` is a field of the request: the service keeps that limit, and the line stays open longer. */
export interface WorkOptions {
  signal?: AbortSignal;
}

export interface CallOptions extends WorkOptions {
  /** For each attempt to be answered, instead of the client's own. Bytes and events must only begin in it. */
  timeoutMs?: number;
}

/** Of calls that are safe to repeat because they carry a key. */
export interface OnceOptions extends CallOptions {
  /** Made anew for each call unless given. The same key again is answered with the same answer for a day. */
  idempotencyKey?: string;
}

export type OperationId = keyof Operations;
type Takes<Id extends OperationId> = Operations[Id]['takes'];
export type Query<Id extends OperationId> = NonNullable<Takes<Id>['query']>;
export type Body<Id extends OperationId> = NonNullable<Takes<Id>['body']>;
export type Answers<Id extends OperationId> = Operations[Id]['answers'];

/** What fetch sends; the name that web pages have for it is not everywhere. */
export type Sendable = NonNullable<RequestInit['body']>;

export interface Call {
  path?: Record<string, string>;
  query?: object;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  bytes?: { content: Sendable; mimeType: string; repeatable: boolean };
  headers?: Record<string, string>;
  /** A status beside 2xx whose body is an answer, not an error. */
  answerToo?: number;
  /** A field without which an answer is not ours: somebody on the way may answer with that status too. */
  knownBy?: string;
  /** What the call itself may take, beyond the time limit of an ordinary one. */
  takesMs?: number;
}

type Read<Answer> = (response: Response) => Answer | Promise<Answer>;
type Attempt<Answer> = { answer: Answer } | { error: unknown; retryAfter?: string | null };

const defaultTimeoutMs = 60_000;
/** What a timer can hold; more would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

export class Api {
  readonly baseUrl: string;
  readonly #key: string | undefined;
  readonly #fetch: typeof globalThis.fetch;
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.baseUrl = baseAddress(settings.baseUrl ?? environment('BROWSERD_URL') ?? 'http://127.0.0.1:8787');
    // a key out of a file often has the end of its line with it
    this.#key = (settings.apiKey ?? environment('BROWSERD_API_KEY'))?.trim() || undefined;
    this.#fetch = settings.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#settings = settings;
  }

  json<Id extends OperationId>(id: Id, call: Call = {}, options: OnceOptions = {}): Promise<Answers<Id>> {
    return this.#call(id, call, options, async (response) => {
      const text = await response.text();
      const answer = parsed(text);
      if (answer === undefined || (call.knownBy !== undefined && !(call.knownBy in Object(answer))))
        throw notOurs(response, text);
      return answer as Answers<Id>;
    });
  }

  /** As `read` makes it of the answer, all within the time limit. */
  read<Answer>(id: OperationId, call: Call, options: CallOptions, read: Read<Answer>): Promise<Answer> {
    return this.#call(id, call, options, read);
  }

  text(id: OperationId, call: Call = {}, options: CallOptions = {}): Promise<string> {
    return this.#call(id, call, options, (response) => response.text());
  }

  /** The answer as it begins; the body is the caller's to read. */
  open(id: OperationId, call: Call = {}, options: CallOptions = {}): Promise<Response> {
    return this.#call(id, call, options, (response) => response);
  }

  async content(id: OperationId, call: Call = {}, options: CallOptions = {}): Promise<Content> {
    const response = await this.open(id, call, options);
    return new Content(response, (error) => connectionError(error, this.baseUrl, options.signal));
  }

  async #call<Answer>(
    id: OperationId,
    call: Call,
    options: OnceOptions,
    read: Read<Answer>,
  ): Promise<Answer> {
    const [method, path, takesKey] = operations[id] as readonly [string, string, true?];
    const url = this.baseUrl + pathOf(path, call.path) + queryOf(call.query);
    const key = takesKey && (options.idempotencyKey ?? randomKey());
    // a redirect would make a POST a GET, or carry headers to another host; the service sends none
    const init = { method, headers: this.#headers(call, key), redirect: 'manual', ...bodyOf(call) } as const;
    const repeatable = method === 'GET' || method === 'DELETE' || takesKey === true;
    const { maxRetries = 2 } = this.#settings;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(url, init, call, options, read);
      if ('answer' in outcome) return outcome.answer;
      const { error, retryAfter } = outcome;
      const last = attempt >= maxRetries || call.bytes?.repeatable === false;
      const delay = last ? undefined : delayBefore(error, attempt, repeatable, retryAfter);
      if (delay === undefined) throw error;
      await sleep(delay, options.signal);
    }
  }

  async #attempt<Answer>(
    url: string,
    init: RequestInit,
    call: Call,
    options: CallOptions,
    read: Read<Answer>,
  ): Promise<Attempt<Answer>> {
    const limitMs = (options.timeoutMs ?? this.#settings.timeoutMs ?? defaultTimeoutMs) + (call.takesMs ?? 0);
    const limit = new AbortController();
    const message = `browserd at ${this.baseUrl} gave no answer within ${limitMs} ms. Try again, or allow more by timeoutMs.`;
    const timer =
      limitMs <= longestTimerMs
        ? setTimeout(() => limit.abort(new ConnectionError('TIMED_OUT', message)), limitMs)
        : undefined;
    const signal = options.signal ? AbortSignal.any([options.signal, limit.signal]) : limit.signal;
    try {
      const response = await this.#fetch(url, { ...init, signal });
      if (response.ok || response.status === call.answerToo) return { answer: await read(response) };
      const error = await errorFrom(response, this.#key !== undefined);
      return { error, retryAfter: response.headers.get('retry-after') };
    } catch (error) {
      return { error: connectionError(error, this.baseUrl, signal) };
    } finally {
      clearTimeout(timer);
    }
  }

  #headers(call: Call, idempotencyKey: string | undefined): Headers {
    const headers = new Headers();
    const wanted = {
      ...this.#settings.headers,
      ...(this.#key && { authorization: `Bearer ${this.#key}` }),
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
      ...(call.bytes && { 'content-type': call.bytes.mimeType }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...call.headers,
    };
    for (const [name, value] of Object.entries(wanted)) {
      try {
        headers.set(name, value);
      } catch {
        // the runtime's own message has the value in it, which may be a key
        throw invalidArgument(`The header ${name} has characters that no header can carry.`);
      }
    }
    return headers;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A stream as a body has no length and cannot be sent twice; fetch wants to be told so. */
function bodyOf({ bytes, body }: Call): { body?: Sendable; duplex?: 'half' } {
  if (bytes)
    return { body: bytes.content, ...(bytes.content instanceof ReadableStream && { duplex: 'half' }) };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

/** Not `randomUUID`: web pages have that over TLS only. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Only some runtimes have an environment, and some ask before it may be read. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

import { ConnectionError, errorFrom } from './errors.ts';
import { type Operations, operations } from './generated/operations.ts';
import { connectionError, delayBefore, sleep } from './retry.ts';

/**
 * The one way to the service. Every call names an operation of the contract; its types, method and path follow from
 * that, and so do its Idempotency-Key and whether it may be tried again.
 */
export interface Settings {
  /** Default: `BROWSERD_URL` of the environment, then http://127.0.0.1:8787. */
  baseUrl?: string;
  /** Default: `BROWSERD_API_KEY` of the environment. */
  apiKey?: string;
  /** Default: the runtime's own. */
  fetch?: typeof globalThis.fetch;
  /** For an answer to begin, per attempt; calls that say themselves how long they may take get that on top. */
  timeoutMs?: number;
  /** After the first attempt. 2 unless given. */
  maxRetries?: number;
  /** Sent with every call. */
  headers?: Record<string, string>;
}

export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Where the operation takes one; made anew for each call unless given. */
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
  /** What the call itself may take, beyond the time limit of an ordinary one. */
  takesMs?: number;
}

interface Attempt {
  answer?: Response;
  error?: unknown;
  retryAfter?: string | null;
}

const defaultTimeoutMs = 60_000;

export class Api {
  readonly baseUrl: string;
  readonly #key: string | undefined;
  readonly #fetch: typeof globalThis.fetch;
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.baseUrl = (settings.baseUrl ?? environment('BROWSERD_URL') ?? 'http://127.0.0.1:8787').replace(
      /\/+$/,
      '',
    );
    this.#key = settings.apiKey ?? environment('BROWSERD_API_KEY');
    this.#fetch = settings.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#settings = settings;
  }

  async json<Id extends OperationId>(
    id: Id,
    call: Call = {},
    options: CallOptions = {},
  ): Promise<Answers<Id>> {
    const response = await this.open(id, call, options);
    try {
      return (await response.json()) as Answers<Id>;
    } catch (error) {
      throw connectionError(error, this.baseUrl, options.signal);
    }
  }

  /** The answer as it begins; the body is the caller's to read. Errors are thrown. */
  async open(id: OperationId, call: Call = {}, options: CallOptions = {}): Promise<Response> {
    const [method, path, takesKey] = operations[id] as readonly [string, string, true?];
    const url = this.address(path, call);
    const key = takesKey ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const repeatable =
      (method === 'GET' || method === 'DELETE' || takesKey === true) && call.bytes?.repeatable !== false;
    const init = { method, headers: this.#headers(call, key), body: bodyOf(call), ...streaming(call) };
    for (let attempt = 0; ; attempt++) {
      const { answer, error, retryAfter } = await this.#attempt(url, init, call, options);
      if (answer) return answer;
      const last = attempt >= (this.#settings.maxRetries ?? 2) || call.bytes?.repeatable === false;
      const delay = delayBefore(error, attempt, repeatable, retryAfter);
      if (last || delay === undefined) throw error;
      await sleep(delay, options.signal);
    }
  }

  address(path: string, { path: values = {}, query = {} }: Call = {}): string {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
    const search = new URLSearchParams(queryPairs(query)).toString();
    return `${this.baseUrl}${filled}${search && `?${search}`}`;
  }

  async #attempt(url: string, init: RequestInit, call: Call, options: CallOptions): Promise<Attempt> {
    const limitMs = (options.timeoutMs ?? this.#settings.timeoutMs ?? defaultTimeoutMs) + (call.takesMs ?? 0);
    const limit = new AbortController();
    const message = `browserd at ${this.baseUrl} gave no answer within ${limitMs} ms. Try again, or allow more by timeoutMs.`;
    const timer = setTimeout(() => limit.abort(new ConnectionError('TIMED_OUT', message)), limitMs);
    const signal = options.signal ? AbortSignal.any([options.signal, limit.signal]) : limit.signal;
    try {
      const response = await this.#fetch(url, { ...init, signal });
      return response.ok || response.status === call.answerToo
        ? { answer: response }
        : { error: await errorFrom(response), retryAfter: response.headers.get('retry-after') };
    } catch (error) {
      return { error: connectionError(error, this.baseUrl, signal) };
    } finally {
      clearTimeout(timer);
    }
  }

  #headers(call: Call, idempotencyKey: string | undefined): Record<string, string> {
    return {
      ...this.#settings.headers,
      ...(this.#key && { authorization: `Bearer ${this.#key}` }),
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
      ...(call.bytes && { 'content-type': call.bytes.mimeType }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...call.headers,
    };
  }
}

function bodyOf(call: Call): Sendable | undefined {
  if (call.bytes) return call.bytes.content;
  return call.body === undefined ? undefined : JSON.stringify(call.body);
}

/** A stream as a body has no length and cannot be sent twice; fetch wants to be told so. */
const streaming = (call: Call): object =>
  call.bytes?.content instanceof ReadableStream ? { duplex: 'half' } : {};

/** Lists are repeated; a map becomes `name[key]=value`. */
const queryPairs = (query: object): [string, string][] =>
  Object.entries(query).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.map((item) => [name, String(item)]);
    if (typeof value === 'object')
      return Object.entries(value).map(([key, item]) => [`${name}[${key}]`, String(item)]);
    return [[name, String(value)]];
  });

/** Only some runtimes have an environment. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}

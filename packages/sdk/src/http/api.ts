/**
 * The only way to the service. Every call names an operation of the contract; its types, method and path follow from
 * that, and so do its Idempotency-Key and whether it may be tried again.
 *
 *   call ──> attempt ──> answer            one time limit for headers and body; for bytes and streams: of the headers alone
 *              ^  └────> error ──> delay   none where another attempt could do harm or would not help
 *              └──────────────────────┘
 */
import { ConnectionError, errorFrom, invalidArgument, unexpectedAnswer } from '../errors.ts';
import { operations } from '../generated/operations.ts';
import { baseAddress, pathOf, queryOf } from './address.ts';
import type {
  Answers,
  Call,
  CallOptions,
  ContentOptions,
  OnceOptions,
  OperationId,
  Settings,
} from './call.ts';
import { Content } from './content.ts';
import { connectionError, delayBefore, sleep } from './retry.ts';
import type { Sendable } from './upload.ts';

type Read<Answer> = (response: Response) => Answer | Promise<Answer>;
type Attempt<Answer> = { answer: Answer } | { error: unknown; retryAfter?: string | null };

const defaultTimeoutMs = 60_000;
/** The longest delay that a timer accepts; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

export class Api {
  readonly baseUrl: string;
  readonly #key: string | undefined;
  readonly #fetch: typeof globalThis.fetch;
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.baseUrl = baseAddress(settings.baseUrl ?? environment('BROWSERD_URL') ?? 'http://127.0.0.1:8787');
    // a key read from a file often ends with a line break
    this.#key = (settings.apiKey ?? environment('BROWSERD_API_KEY'))?.trim() || undefined;
    this.#fetch = settings.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#settings = settings;
  }

  json<Id extends OperationId>(id: Id, call: Call = {}, options: OnceOptions = {}): Promise<Answers<Id>> {
    return this.#call(id, call, options, async (response) => {
      const text = await response.text();
      const answer = parsed(text);
      if (answer === undefined || (call.knownBy !== undefined && !(call.knownBy in Object(answer))))
        throw unexpectedAnswer(response, text);
      return answer as Answers<Id>;
    });
  }

  /** Gives what `read` makes of the response; reading counts towards the time limit. */
  read<Answer>(id: OperationId, call: Call, options: CallOptions, read: Read<Answer>): Promise<Answer> {
    return this.#call(id, call, options, read);
  }

  text(id: OperationId, call: Call = {}, options: CallOptions = {}): Promise<string> {
    return this.#call(id, call, options, (response) => response.text());
  }

  /** Gives the response once its headers are there; the caller reads the body. */
  open(id: OperationId, call: Call = {}, options: CallOptions = {}): Promise<Response> {
    return this.#call(id, call, options, (response) => response);
  }

  async content(
    id: OperationId,
    call: Call = {},
    { range, ...options }: ContentOptions = {},
  ): Promise<Content> {
    const headers = { ...call.headers, ...(range && { range: `bytes=${range.start}-${range.end ?? ''}` }) };
    const response = await this.open(id, { ...call, headers }, options);
    return new Content(response, (error) => connectionError(error, this.baseUrl, options.signal));
  }

  async #call<Answer>(
    id: OperationId,
    call: Call,
    options: OnceOptions,
    read: Read<Answer>,
  ): Promise<Answer> {
    const [method, path, mayHaveKey] = operations[id] as readonly [string, string, true?];
    const takesKey = call.keptNowhere ? undefined : mayHaveKey;
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
        // the runtime's own message quotes the value, which may be a key
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

/** A stream has no length and cannot be sent twice; fetch requires `duplex` for it. */
function bodyOf({ bytes, body }: Call): { body?: Sendable; duplex?: 'half' } {
  if (bytes)
    return { body: bytes.content, ...(bytes.content instanceof ReadableStream && { duplex: 'half' }) };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

/** Not `randomUUID`, which web pages have over TLS only. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Not every runtime has an environment, and some refuse to read it without a permission. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

/** Events of a browser or a project: listed, or followed without a gap and without a repetition. */
import { BrowserdError, ConnectionError, unexpectedAnswer } from './errors.ts';
import type { Error as ApiError, Event } from './generated/schemas.ts';
import {
  type Api,
  type CallOptions,
  chunksOf,
  connectionError,
  type Frame,
  type Listing,
  listing,
  type OperationId,
  type Query,
  readFrames,
  sleep,
} from './http/http.ts';

type EventQuery = Query<'EventController_list'>;
export type EventFilter = Pick<EventQuery, 'type' | 'order' | 'lastEventId' | 'limit'>;
export interface FollowOptions extends CallOptions {
  type?: EventQuery['type'];
  /** Begin after this event (`seq` or `id`); `0` begins with the oldest that is kept. Default: from now on. */
  lastEventId?: string | number;
}

const firstWaitMs = 500;
const longestWaitMs = 15_000;

/** Events of one browser, or of the whole project. */
export class Events {
  readonly #api: Api;
  readonly #id: OperationId & ('EventController_list' | 'BrowserEventController_list');
  readonly #path: Record<string, string>;

  constructor(api: Api, browserId?: string) {
    this.#api = api;
    this.#id = browserId === undefined ? 'EventController_list' : 'BrowserEventController_list';
    this.#path = browserId === undefined ? {} : { id: browserId };
  }

  list(filter: EventFilter = {}, options: CallOptions = {}): Listing<Event> {
    return listing(this.#api, this.#id, { path: this.#path, query: filter }, options);
  }

  /**
   * As they happen, each once and in order; after a broken connection it resumes where it ended. `break` ends it, and so
   * does `signal`, which throws its reason. An end that is final (a revoked key, a deleted record) throws.
   */
  async *follow({
    type,
    lastEventId,
    ...options
  }: FollowOptions = {}): AsyncGenerator<Event, void, undefined> {
    let last = lastEventId === undefined ? await this.#newest(type, options) : String(lastEventId);
    let body: ReadableStream<Uint8Array> | undefined;
    for (let failures = 0; ; failures++) {
      const since = Date.now();
      try {
        body = await this.#connect(type, last, options);
        for await (const frame of readFrames(chunksOf(body))) {
          const event = eventOf(frame);
          last = String(event.seq);
          failures = 0;
          yield event;
        }
      } catch (error) {
        const failure = connectionError(error, this.#api.baseUrl, options.signal);
        // a service that was never reached is probably not running
        if (!body || !canResume(failure)) throw failure;
      }
      if (Date.now() - since > longestWaitMs) failures = 0;
      await sleep(Math.min(firstWaitMs * 2 ** failures, longestWaitMs), options.signal);
    }
  }

  /** The position of "now", so that nothing is missed when the first connection breaks before its first event. */
  async #newest(type: EventQuery['type'], options: CallOptions): Promise<string> {
    const { items } = await this.list({ type, order: 'desc', limit: 1 }, options).page();
    return String(items[0]?.seq ?? 0);
  }

  async #connect(
    type: EventQuery['type'],
    last: string,
    options: CallOptions,
  ): Promise<ReadableStream<Uint8Array>> {
    const headers = { accept: 'text/event-stream', 'last-event-id': last };
    const call = { path: this.#path, query: { type }, headers };
    const response = await this.#api.open(this.#id, call, options);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (!isStream || !response.body) throw unexpectedAnswer(response, await response.text());
    return response.body;
  }
}

/** When the service ends a stream, the last frame says why. */
function eventOf({ event, data }: Frame): Event {
  if (event === 'end') throw new BrowserdError((JSON.parse(data) as ApiError).error, 0);
  return JSON.parse(data) as Event;
}

const canResume = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof BrowserdError &&
    (error.code === 'SERVICE_SHUTTING_DOWN' || error.status === 429 || error.status >= 500));

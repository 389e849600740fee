import type { Api, CallOptions, OperationId, Query } from './api.ts';
import { BrowserdError, ConnectionError, notOurs } from './errors.ts';
import type { Error as ApiError, Event } from './generated/types.ts';
import { type Listing, listing } from './listing.ts';
import { connectionError, sleep } from './retry.ts';
import { chunksOf, type Frame, readFrames } from './server-sent-events.ts';

type EventQuery = Query<'EventController_list'>;
export type EventFilter = Pick<EventQuery, 'type' | 'order' | 'lastEventId' | 'limit'>;
export interface FollowOptions extends CallOptions {
  type?: EventQuery['type'];
  /** Begin after this event (`seq` or `id`); `0` is everything that is kept. Default: from now on. */
  lastEventId?: string | number;
}

/** Longer than the heartbeat of the service: a line that is silent for so long is dead. */
const silenceMs = 60_000;
const firstWaitMs = 500;
const longestWaitMs = 15_000;

/** What happened: of one browser, or of the whole project. */
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
   * As they happen, each once and in order; a line that breaks is taken up where it ended. `break` ends it, and so does
   * `signal`, which throws its reason. What the service ends for good (a revoked key, a record that is gone) throws.
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
        for await (const frame of readFrames(chunksOf(body, silenceMs))) {
          const event = eventOf(frame);
          last = String(event.seq);
          failures = 0;
          yield event;
        }
      } catch (error) {
        const told = connectionError(error, this.#api.baseUrl, options.signal);
        // whoever was never reached is probably not there
        if (!body || !canGoOn(told)) throw told;
      }
      if (Date.now() - since > longestWaitMs) failures = 0;
      await sleep(Math.min(firstWaitMs * 2 ** failures, longestWaitMs), options.signal);
    }
  }

  /** Where "now" is, so that nothing is missed when the first connection breaks before its first event. */
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
    if (!isStream || !response.body) throw notOurs(response, await response.text());
    return response.body;
  }
}

/** The last frame of a stream that the service ends says why. */
function eventOf({ event, data }: Frame): Event {
  if (event === 'end') throw new BrowserdError((JSON.parse(data) as ApiError).error, 0);
  return JSON.parse(data) as Event;
}

const canGoOn = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof BrowserdError &&
    (error.code === 'SERVICE_SHUTTING_DOWN' || error.status === 429 || error.status >= 500));

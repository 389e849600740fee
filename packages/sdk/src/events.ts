import type { Api, CallOptions, OperationId, Query } from './api.ts';
import { BrowserdError, ConnectionError } from './errors.ts';
import type { Error as ApiError, Event } from './generated/types.ts';
import { type Listing, listing } from './listing.ts';
import { connectionError, sleep } from './retry.ts';
import { type Frame, readFrames } from './server-sent-events.ts';

type EventQuery = Query<'EventController_list'>;
export type EventFilter = Pick<EventQuery, 'type' | 'order' | 'lastEventId' | 'limit'>;
export interface FollowOptions extends CallOptions {
  type?: EventQuery['type'];
  /** Begin after this event (`seq` or `id`); `0` is everything that is kept. Default: from now on. */
  lastEventId?: string | number;
}

/** Longer than the heartbeat of the service: a line that is silent for so long is dead. */
const silenceMs = 60_000;
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

  /** As they happen, each once and in order; a line that breaks is taken up where it ended. */
  async *follow({
    type,
    lastEventId,
    ...options
  }: FollowOptions = {}): AsyncGenerator<Event, void, undefined> {
    let last = lastEventId === undefined ? await this.#newest(type, options) : String(lastEventId);
    for (let failures = 0; ; failures++) {
      try {
        for await (const event of this.#connect(type, last, options)) {
          last = String(event.seq);
          failures = 0;
          yield event;
        }
      } catch (error) {
        if (options.signal?.aborted || !canGoOn(error)) throw error;
      }
      await sleep(Math.min(500 * 2 ** failures, longestWaitMs), options.signal);
    }
  }

  /** Where "now" is, so that nothing is missed when the first connection breaks before its first event. */
  async #newest(type: EventQuery['type'], options: CallOptions): Promise<string> {
    const { items } = await this.list({ type, order: 'desc', limit: 1 }, options).page();
    return String(items[0]?.seq ?? 0);
  }

  async *#connect(type: EventQuery['type'], last: string, options: CallOptions): AsyncGenerator<Event> {
    const line = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, line.signal]) : line.signal;
    const dead = (): void =>
      line.abort(new ConnectionError('CONNECTION_FAILED', 'The stream of events fell silent.'));
    let watch = setTimeout(dead, silenceMs);
    const headers = { accept: 'text/event-stream', 'last-event-id': last };
    try {
      const call = { path: this.#path, query: { type }, headers };
      const { body } = await this.#api.open(this.#id, call, { ...options, signal });
      const heard = (): void => {
        clearTimeout(watch);
        watch = setTimeout(dead, silenceMs);
      };
      for await (const frame of readFrames(body, heard)) {
        const event = eventOf(frame);
        if (event) yield event;
      }
    } catch (error) {
      throw connectionError(error, this.#api.baseUrl, signal);
    } finally {
      clearTimeout(watch);
      line.abort();
    }
  }
}

/** The last frame of a stream that the service ends says why. */
function eventOf({ event, data }: Frame): Event | undefined {
  if (event === 'end') throw new BrowserdError((JSON.parse(data) as ApiError).error, 0);
  return data ? (JSON.parse(data) as Event) : undefined;
}

const canGoOn = (error: unknown): boolean =>
  error instanceof BrowserdError &&
  (error instanceof ConnectionError || error.code === 'SERVICE_SHUTTING_DOWN' || error.status >= 500);

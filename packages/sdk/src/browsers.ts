import { type Api, type CallOptions, type OnceOptions, type Query, randomKey } from './api.ts';
import { Browser, type KnownBrowser } from './browser.ts';
import type * as types from './generated/types.ts';
import { Listing, listing } from './listing.ts';

export interface CreateOptions extends OnceOptions {
  /** Seconds to wait in the queue when there is no room; without it the answer is `CAPACITY_EXHAUSTED`. */
  waitSeconds?: number;
  /** Answer at once, while the browser is still `creating`; `browser.whenReady()` waits for it. */
  respondAsync?: boolean;
}
export type BrowserFilter = Omit<Query<'BrowserController_list'>, 'cursor'>;

/** The service makes and closes a browser in far less, or is not there any more. */
const undoMs = 20_000;

export class Browsers {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Safe to retry: twenty equal calls with one `idempotencyKey` make one browser. A call that timed out may have made it
   * all the same: to get hold of it, give a key of your own and call again with it. One that is aborted leaves no browser,
   * unless it has such a key.
   */
  async create(
    settings: types.CreateBrowser = {},
    { waitSeconds, respondAsync, ...options }: CreateOptions = {},
  ): Promise<KnownBrowser> {
    const prefer = [waitSeconds && `wait=${waitSeconds}`, respondAsync && 'respond-async'].filter(Boolean);
    const call = {
      body: settings,
      takesMs: (waitSeconds ?? 0) * 1000,
      ...(prefer.length > 0 && { headers: { prefer: prefer.join(', ') } }),
    };
    const { signal, idempotencyKey = randomKey() } = options;
    try {
      const once = { ...options, idempotencyKey };
      return this.#known(await this.#api.json('BrowserController_create', call, once));
    } catch (error) {
      if (signal?.aborted && options.idempotencyKey === undefined)
        void this.#undo(settings, idempotencyKey).catch(() => {});
      throw error;
    }
  }

  /** Asked again with the same key, the service names what it has made, and that is closed. */
  async #undo(settings: types.CreateBrowser, idempotencyKey: string): Promise<void> {
    const made = await this.create(settings, { idempotencyKey, timeoutMs: undoMs });
    await made.close({ timeoutMs: undoMs });
  }

  async get(id: string, options: CallOptions = {}): Promise<KnownBrowser> {
    return this.#known(await this.#api.json('BrowserController_get', { path: { id } }, options));
  }

  /** Newest first, each with its record. */
  list(filter: BrowserFilter = {}, options: CallOptions = {}): Listing<KnownBrowser> {
    const records = listing(this.#api, 'BrowserController_list', { query: filter }, options);
    return new Listing(async (cursor) => {
      const page = await records.page(cursor);
      return { ...page, items: page.items.map((record) => this.#known(record)) };
    });
  }

  #known(record: types.Browser): KnownBrowser {
    return new Browser(this.#api, record.id, record) as KnownBrowser;
  }
}

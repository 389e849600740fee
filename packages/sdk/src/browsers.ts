/** The browsers of a project: create, find, list. A create that is given up leaves no browser behind. */
import { Browser, type KnownBrowser } from './browser/browser.ts';
import type * as types from './generated/schemas.ts';
import {
  type Api,
  type CallOptions,
  Listing,
  listing,
  type OnceOptions,
  type Query,
  randomKey,
} from './http/http.ts';

export interface CreateOptions extends OnceOptions {
  /** Seconds to wait in the queue when there is no room; without it the answer is `CAPACITY_EXHAUSTED`. */
  waitSeconds?: number;
  /** Answer at once, while the browser is still `creating`; `browser.whenReady()` waits for it. */
  respondAsync?: boolean;
}
export type BrowserFilter = Omit<Query<'BrowserController_list'>, 'cursor'>;

/** The service needs far less to create or close a browser; when it takes longer, it is down. */
const undoMs = 20_000;
/** Of a thousand browsers, on a busy machine. */
const closeMs = 300_000;

export class Browsers {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Safe to retry: twenty equal calls with one `idempotencyKey` create one browser. A call that timed out may have
   * created it all the same; to get it, set a key of your own and call again with that key. A call that is aborted leaves
   * no browser, unless it has a key of your own.
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

  /** The same call with the same key answers with the browser that was created, which is then closed. */
  async #undo(settings: types.CreateBrowser, idempotencyKey: string): Promise<void> {
    const created = await this.create(settings, { idempotencyKey, timeoutMs: undoMs });
    await created.close({ timeoutMs: undoMs });
  }

  /** How many there are in each status. */
  count(options: CallOptions = {}): Promise<types.BrowserCounts> {
    return this.#api.json('BrowserController_count', {}, options);
  }

  /** Those that fit all that is given: 1,000 at most in one call, and `hasMore` tells of more. One that fails holds up no other. */
  close(which: types.CloseBrowsers, options: OnceOptions = {}): Promise<types.ClosedBrowsers> {
    return this.#api.json('BrowserController_closeMany', { body: which, takesMs: closeMs }, options);
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

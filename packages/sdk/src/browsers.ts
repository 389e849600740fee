import type { Api, CallOptions, Query } from './api.ts';
import { Browser } from './browser.ts';
import type * as types from './generated/types.ts';
import { Listing, listing } from './listing.ts';

export interface CreateOptions extends CallOptions {
  /** Seconds to wait in the queue when there is no room; without it the answer is `CAPACITY_EXHAUSTED`. */
  waitSeconds?: number;
  /** Answer at once, while the browser is still `creating`. */
  respondAsync?: boolean;
}
export type BrowserFilter = Omit<Query<'BrowserController_list'>, 'cursor'>;

export class Browsers {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Safe to retry: twenty equal calls with one `idempotencyKey` make one browser. */
  async create(
    settings: types.CreateBrowser = {},
    { waitSeconds, respondAsync, ...options }: CreateOptions = {},
  ): Promise<Browser> {
    const prefer = [waitSeconds && `wait=${waitSeconds}`, respondAsync && 'respond-async'].filter(Boolean);
    const record = await this.#api.json(
      'BrowserController_create',
      {
        body: settings,
        takesMs: (waitSeconds ?? 0) * 1000,
        ...(prefer.length > 0 && { headers: { prefer: prefer.join(', ') } }),
      },
      options,
    );
    return new Browser(this.#api, record.id, record);
  }

  async get(id: string, options: CallOptions = {}): Promise<Browser> {
    const record = await this.#api.json('BrowserController_get', { path: { id } }, options);
    return new Browser(this.#api, id, record);
  }

  /** Newest first, each with its record. */
  list(filter: BrowserFilter = {}, options: CallOptions = {}): Listing<Browser & { record: types.Browser }> {
    const records = listing(this.#api, 'BrowserController_list', { query: filter }, options);
    return new Listing(async (cursor) => {
      const page = await records.page(cursor);
      const items = page.items.map((record) => new Browser(this.#api, record.id, record));
      return { ...page, items: items as (Browser & { record: types.Browser })[] };
    });
  }
}

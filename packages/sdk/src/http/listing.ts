/** Lists of the service come in pages with a cursor; a caller walks over all items without seeing pages. */
import type { Api } from './api.ts';
import type { Answers, Call, CallOptions, OperationId } from './call.ts';

export interface ListOptions extends CallOptions {
  /** Items fetched at a time, 1 to 100. */
  limit?: number;
}

export interface Page<Item> {
  items: Item[];
  limit: number;
  hasMore: boolean;
  /** For the next page; absent on the last one. */
  nextCursor?: string;
}

/**
 * A list, fetched as it is walked: `for await (const item of listing)`. No request is sent before that. Pages of some lists
 * say more than their items (`One`).
 */
export class Listing<Item, One extends Page<Item> = Page<Item>> implements AsyncIterable<Item> {
  readonly #fetchPage: (cursor: string | undefined) => Promise<One>;

  constructor(fetchPage: (cursor: string | undefined) => Promise<One>) {
    this.#fetchPage = fetchPage;
  }

  /** One page: the first, or the page of a cursor. */
  page(cursor?: string): Promise<One> {
    return this.#fetchPage(cursor);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#fetchPage(cursor);
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  /** Everything, or the first `most`. */
  async all(most = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const items: Item[] = [];
    if (most <= 0) return items;
    for await (const item of this) if (items.push(item) >= most) break;
    return items;
  }
}

type ListId = { [Id in OperationId]: Answers<Id> extends Page<unknown> ? Id : never }[OperationId];
type ItemOf<Id extends ListId> = Answers<Id> extends Page<infer Item> ? Item : never;
type PageOf<Id extends ListId> = Answers<Id> & Page<ItemOf<Id>>;

export const listing = <Id extends ListId>(
  api: Api,
  id: Id,
  { query = {}, ...call }: Call = {},
  options: CallOptions = {},
): Listing<ItemOf<Id>, PageOf<Id>> =>
  new Listing(
    (cursor) =>
      api.json(id, { ...call, query: { ...query, ...(cursor && { cursor }) } }, options) as Promise<
        PageOf<Id>
      >,
  );

/** The API keys of a project. */
import type { CreatedKey, Key, RevokedKey } from './generated/schemas.ts';
import {
  type Api,
  type Body,
  type CallOptions,
  type Listing,
  type ListOptions,
  listing,
} from './http/http.ts';

/** API keys of the project; requires a key of the role `admin`. */
export class Keys {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list({ limit, ...options }: ListOptions = {}): Listing<Key> {
    return listing(this.#api, 'KeyController_list', { query: { limit } }, options);
  }

  /** The secret is in this answer only. */
  create(body: Body<'KeyController_create'>, options: CallOptions = {}): Promise<CreatedKey> {
    return this.#api.json('KeyController_create', { body }, options);
  }

  revoke(keyId: string, options: CallOptions = {}): Promise<RevokedKey> {
    return this.#api.json('KeyController_revoke', { path: { keyId } }, options);
  }
}

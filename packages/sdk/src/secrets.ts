/** The secrets of a project: put in here, typed into pages by the service, and never read back. */
import type { DeletedSecret, Secret } from './generated/schemas.ts';
import {
  type Api,
  type Body,
  type CallOptions,
  type Listing,
  type ListOptions,
  listing,
} from './http/http.ts';

export class Secrets {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Without their values. */
  list({ limit, ...options }: ListOptions = {}): Listing<Secret> {
    return listing(this.#api, 'SecretController_list', { query: { limit } }, options);
  }

  /** Needs a key of the role `admin`, as every change. */
  create(body: Body<'SecretController_create'>, options: CallOptions = {}): Promise<Secret> {
    return this.#api.json('SecretController_create', { body }, options);
  }

  get(secretId: string, options: CallOptions = {}): Promise<Secret> {
    return this.#api.json('SecretController_get', { path: { secretId } }, options);
  }

  update(
    secretId: string,
    body: Body<'SecretController_update'>,
    options: CallOptions = {},
  ): Promise<Secret> {
    return this.#api.json('SecretController_update', { path: { secretId }, body }, options);
  }

  delete(secretId: string, options: CallOptions = {}): Promise<DeletedSecret> {
    return this.#api.json('SecretController_delete', { path: { secretId } }, options);
  }
}

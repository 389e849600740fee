/** The machines that serve a database, for the operator. */
import type { Node } from './generated/schemas.ts';
import { type Api, type CallOptions, type Listing, type ListOptions, listing } from './http/http.ts';

/** The nodes of the service; requires an admin key of the project `default`. */
export class Nodes {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Oldest first, also those that are gone. */
  list({ limit, ...options }: ListOptions = {}): Listing<Node> {
    return listing(this.#api, 'NodeController_list', { query: { limit } }, options);
  }

  get(nodeId: string, options: CallOptions = {}): Promise<Node> {
    return this.#api.json('NodeController_get', { path: { nodeId } }, options);
  }

  /** The node hands its browsers over to others and ends; does not wait for that. */
  drain(nodeId: string, options: CallOptions = {}): Promise<Node> {
    return this.#api.json('NodeController_drain', { path: { nodeId } }, options);
  }
}

/** What the pages of a browser asked of the network: the log, one request with its headers, its body, and a HAR of it all. */
import type {
  CreateHar,
  File,
  NetworkPage,
  NetworkRequest,
  NetworkRequestDetail,
} from '../generated/schemas.ts';
import { type CallOptions, type Content, type Listing, listing, type Query } from '../http/http.ts';
import { BrowserResource } from './browser-resource.ts';

const harType = 'application/har+json';

export class Network extends BrowserResource {
  /** Newest first. Its pages say, too, whether the log is on, and how many requests were only counted. */
  list(
    filter: Omit<Query<'NetworkController_list'>, 'cursor'> = {},
    options: CallOptions = {},
  ): Listing<NetworkRequest, NetworkPage> {
    return listing(this.api, 'NetworkController_list', { path: this.path, query: filter }, options);
  }

  /** With its headers; `reveal` shows credentials, and needs an admin key. */
  get(
    requestId: string,
    { reveal, ...options }: { reveal?: boolean } & CallOptions = {},
  ): Promise<NetworkRequestDetail> {
    const call = { path: { ...this.path, requestId }, query: reveal === undefined ? {} : { reveal } };
    return this.api.json('NetworkController_get', call, options);
  }

  /** The body of its answer, while Chromium has it. */
  content(requestId: string, options: CallOptions = {}): Promise<Content> {
    return this.api.content('NetworkController_content', { path: { ...this.path, requestId } }, options);
  }

  /** The log as a HAR 1.2; with `store` as a file of the browser. */
  har(options: CreateHar & { store: true } & CallOptions): Promise<File>;
  har(options?: CreateHar & CallOptions): Promise<Content>;
  har({
    signal,
    timeoutMs,
    store,
    ...body
  }: CreateHar & { store?: boolean } & CallOptions = {}): Promise<Content | File> {
    const call = { path: this.path, body };
    if (store) return this.api.json('HarController_create', call, { signal, timeoutMs }) as Promise<File>;
    const headers = { accept: harType };
    return this.api.content('HarController_create', { ...call, headers }, { signal, timeoutMs });
  }
}

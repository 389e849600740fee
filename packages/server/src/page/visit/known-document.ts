/**
 * A document that the caller has already: its site is asked whether it is still the same, with the marks that it gave it. If it
 * is, there is nothing to visit.
 *
 *   request of the page's document ──> If-None-Match, If-Modified-Since ──> 304: NotModified   anything else: a visit as always
 */
import type { Protocol } from 'devtools-protocol';

type Paused = Protocol.Fetch.RequestPausedEvent;

/** The marks of RFC 9110 by which a site knows its versions of a document. */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

export interface KnownDocument extends Validators {
  /** After all redirects of HTTP. */
  url: string;
}

/** Its site says that the document is still the one that the caller has. */
export class NotModified extends Error {
  constructor() {
    super('The site says that the document has not changed.');
  }
}

const longestMark = 4096;

export function validatorsIn(headers: Protocol.Network.Headers): Validators {
  const found = (name: string): string | undefined => {
    const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
    return value && value.length <= longestMark && !/[\r\n]/.test(value) ? value : undefined;
  };
  const [etag, lastModified] = [found('etag'), found('last-modified')];
  return { ...(etag && { etag }), ...(lastModified && { lastModified }) };
}

const withoutHash = (url: string): string => url.replace(/#.*$/s, '');

/** What is done with the requests and answers of a page's own document, in the hands of `holdUp`. */
export class DocumentQuestion {
  readonly #known: KnownDocument;
  readonly #isPage: (frameId: string) => boolean;
  #asked = false;
  #over = false;
  unchanged = false;

  constructor(known: KnownDocument, isPage: (frameId: string) => boolean) {
    this.#known = known;
    this.#isPage = isPage;
  }

  /** The headers to send instead of its own; undefined: it is not the document in question. */
  headersFor({ frameId, request }: Paused): Protocol.Fetch.HeaderEntry[] | undefined {
    if (this.#over || !this.#isPage(frameId) || request.method !== 'GET') return undefined;
    if (withoutHash(request.url) !== withoutHash(this.#known.url)) return undefined;
    this.#asked = true;
    const { etag, lastModified } = this.#known;
    return [
      ...Object.entries(request.headers).map(([name, value]) => ({ name, value: String(value) })),
      ...(etag ? [{ name: 'If-None-Match', value: etag }] : []),
      ...(lastModified ? [{ name: 'If-Modified-Since', value: lastModified }] : []),
    ];
  }

  /** Whether this answer says that nothing has changed. Only the first document is asked about: others may follow it. */
  isAnswered({ frameId, responseStatusCode = 0 }: Paused): boolean {
    if (this.#over || !this.#isPage(frameId)) return false;
    const moves = responseStatusCode >= 300 && responseStatusCode < 400 && responseStatusCode !== 304;
    if (!moves) this.#over = true;
    this.unchanged ||= this.#asked && responseStatusCode === 304;
    return this.unchanged;
  }
}

/**
 * The log as an HTTP Archive (HAR 1.2), for the tools that read those. Made entry by entry, each masked on its own, so that
 * neither the loop nor the memory has to hold all of it as one object:
 *
 *   newest request ──> entry ──> fits? ──> its bodies, if asked for ──> fit? ──> … ──> oldest
 *
 * What HAR has no field for is in fields that begin with `_`, under the names and in the places where DevTools looks for them,
 * as far as it does.
 */
import { iso } from '../../kit/clock.ts';
import { redactAddress } from '../../kit/redact-address.ts';
import { redactBody } from '../../kit/redact-body.ts';
import { type Body, isTextType } from './bodies.ts';
import type { LoggedRequest } from './logged-request.ts';
import type { NetworkRequest } from './schema.ts';
import { shownDetail } from './view.ts';

export interface HarOptions {
  bodies: 'none' | 'text' | 'all';
  maxBytes: number;
  reveal?: boolean;
  /** Of the values of secrets, in the JSON of one entry. */
  mask(json: string): string;
}

export interface HarSource {
  /** Oldest first. */
  requests: { request: LoggedRequest; tabId: string }[];
  browser: { name: string; version: string };
  responseBody(request: LoggedRequest): Promise<Body | undefined>;
  requestBody(request: LoggedRequest): Promise<string | undefined>;
  /** The project's share of the loop: waited for before each entry, and each step. */
  turn(): Promise<void>;
}

/** Sorted into pages in one step. */
const stepRequests = 100;

const creator = { name: 'browserd', version: '0.1.0' };
/** Of what stands around the entries. */
const frameBytes = 600;
/** Of one page's line. */
const pageBytes = 400;

interface Page {
  id: string;
  startedDateTime: string;
  title: string;
  pageTimings: { onContentLoad: number; onLoad: number };
}

/** As text: JSON that need not be made again. */
export async function buildHar(source: HarSource, options: HarOptions): Promise<string> {
  const { pages, pageOf } = await pagesOf(source);
  const used = new Map<string, Page>();
  const entries: string[] = [];
  let bytes = frameBytes;
  let left = 0;
  for (const { request, tabId } of source.requests.toReversed()) {
    await source.turn();
    const page = pageOf.get(request);
    const entry = entryOf(request, tabId, page, options.reveal);
    const plain = options.mask(JSON.stringify(entry));
    const around = page && !used.has(page) ? pageBytes : 0;
    if (bytes + plain.length + around > options.maxBytes) {
      left = source.requests.length - entries.length;
      break;
    }
    const full = options.bodies === 'none' ? plain : await withBodies(source, request, entry, options);
    const kept = bytes + Buffer.byteLength(full) + around <= options.maxBytes ? full : plain;
    bytes += Buffer.byteLength(kept) + around;
    const known = page && pages.get(page);
    if (page && known) used.set(page, known);
    entries.push(kept);
  }
  const head = {
    version: '1.2',
    creator,
    browser: source.browser,
    ...(left > 0 && { comment: `${left} older requests did not fit.` }),
    pages: [...pages.values()].filter(({ id }) => used.has(id)),
  };
  const frame = options.mask(JSON.stringify(head));
  return `{"log":${frame.slice(0, -1)},"entries":[${entries.reverse().join(',')}]}}`;
}

/** One for each document that a tab was to show; a request belongs to the last one of its tab. */
async function pagesOf({ requests, turn }: HarSource) {
  const pages = new Map<string, Page>();
  const pageOf = new Map<LoggedRequest, string>();
  const current = new Map<string, string>();
  let redirected: string | undefined;
  for (const [at, { request, tabId }] of requests.entries()) {
    if (at % stepRequests === 0) await turn();
    if (request.isPage && redirected !== request.id) {
      const id = `page_${pages.size + 1}`;
      const startedDateTime = iso(Math.floor(request.startedAt));
      pages.set(id, {
        id,
        startedDateTime,
        title: redactAddress(request.url).slice(0, 200),
        pageTimings: { onContentLoad: -1, onLoad: -1 },
      });
      current.set(tabId, id);
    }
    if (request.isPage) redirected = request.redirectedTo;
    const page = current.get(tabId);
    if (page) pageOf.set(request, page);
  }
  return { pages, pageOf };
}

type Entry = ReturnType<typeof entryOf>;

function entryOf(request: LoggedRequest, tabId: string, pageref: string | undefined, reveal = false) {
  const shown = shownDetail(request, { tabId, reveal });
  const { blocked = -1, connect = -1, tls = -1, send = -1, wait = -1, receive = -1 } = shown.timing ?? {};
  const timings = {
    blocked,
    dns: -1,
    connect,
    ssl: tls,
    send: Math.max(0, send),
    // What Chromium told no parts of was waited for.
    wait: shown.timing ? Math.max(0, wait) : (shown.durationMs ?? 0),
    receive: Math.max(0, receive),
  };
  const { blocked: first, connect: second, send: third, wait: fourth, receive: fifth } = timings;
  const time = [first, second, third, fourth, fifth].reduce((sum, part) => sum + Math.max(0, part), 0);
  const httpVersion = shown.protocol ?? 'unknown';
  const cookies: never[] = [];
  const location = shown.responseHeaders.find(({ name }) => name.toLowerCase() === 'location');
  return {
    ...(pageref && { pageref }),
    startedDateTime: shown.startedAt,
    time: Math.round(time * 10) / 10,
    request: {
      method: shown.method,
      url: shown.url,
      httpVersion,
      cookies,
      headers: shown.requestHeaders,
      queryString: queryOf(shown.url),
      headersSize: -1,
      bodySize: shown.hasRequestBody ? -1 : 0,
    },
    response: {
      status: shown.status ?? 0,
      statusText: shown.statusText ?? '',
      httpVersion,
      cookies,
      headers: shown.responseHeaders,
      content: { size: shown.bodyBytes, mimeType: shown.mimeType ?? 'x-unknown' },
      redirectURL: location?.value ?? '',
      headersSize: -1,
      bodySize: shown.fromCache ? 0 : -1,
      // Of what a cache had nothing came over the wire; Chromium says of some of it what came when it was fetched.
      _transferSize: shown.fromCache ? 0 : shown.wireBytes,
      _fetchedViaServiceWorker: shown.fromServiceWorker,
      ...(shown.failure && { _error: shown.failure.error }),
    },
    cache: {},
    timings,
    ...(shown.remoteAddress && serverOf(shown.remoteAddress)),
    _id: shown.id,
    _tabId: tabId,
    _resourceType: shown.type,
    _state: shown.state,
    ...(shown.fromCache && { _fromCache: 'disk' }),
    ...(shown.initiator && { _initiator: initiatorOf(shown.initiator) }),
    ...(shown.proxy && { _proxy: shown.proxy }),
    ...(shown.vouched && { _vouched: true }),
    ...(shown.rule && { _rule: shown.rule }),
    ...(shown.failure && { _failure: shown.failure }),
    ...(shown.webSocket && { _webSocket: shown.webSocket }),
  };
}

function serverOf(remoteAddress: string): { serverIPAddress: string; connection?: string } {
  const [, host = remoteAddress, port] = /^(.*):(\d+)$/.exec(remoteAddress) ?? [];
  return { serverIPAddress: host.replace(/^\[|\]$/g, ''), ...(port !== undefined && { connection: port }) };
}

/** DevTools counts lines from 0. */
const initiatorOf = ({ type, url, line }: NonNullable<NetworkRequest['initiator']>) => ({
  type,
  ...(url !== undefined && { url }),
  ...(line !== undefined && { lineNumber: line - 1 }),
});

function queryOf(url: string): { name: string; value: string }[] {
  const { searchParams } = URL.parse(url) ?? {};
  return searchParams ? [...searchParams].map(([name, value]) => ({ name, value })) : [];
}

async function withBodies(
  source: HarSource,
  request: LoggedRequest,
  entry: Entry,
  { bodies, reveal, mask }: HarOptions,
): Promise<string> {
  const { mimeType } = entry.response.content;
  const wanted = bodies === 'all' || isTextType(mimeType);
  const body = wanted ? await source.responseBody(request) : undefined;
  const asText = body && (body.isText || isTextType(mimeType));
  const text = asText ? body.bytes.toString('utf8') : undefined;
  const content = body && {
    ...entry.response.content,
    size: body.bytes.length,
    ...(text === undefined
      ? { text: body.bytes.toString('base64'), encoding: 'base64' }
      : { text: reveal ? text : redactBody(text, mimeType) }),
  };
  const posted = await source.requestBody(request);
  const postType =
    entry.request.headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  const postData = posted !== undefined && {
    mimeType: postType,
    text: reveal ? posted : redactBody(posted, postType),
  };
  return mask(
    JSON.stringify({
      ...entry,
      request: { ...entry.request, ...(postData && { postData, bodySize: Buffer.byteLength(posted ?? '') }) },
      response: { ...entry.response, ...(content && { content }) },
    }),
  );
}

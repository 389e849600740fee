/**
 * One request as the log keeps it: plain facts of bounded size. Pages and sites decide how long most of these are, so
 * everything is cut when it comes in, and what is kept is a copy: a slice would keep all of a long text in memory.
 */
import { newId } from '../../kit/id.ts';
import type { failureKinds, NetworkRequest, resourceTypes } from './schema.ts';

export type ResourceType = (typeof resourceTypes)[number];
export type FailureKind = (typeof failureKinds)[number];
export type Headers = readonly (readonly [name: string, value: string])[];
type Timing = NonNullable<NetworkRequest['timing']>;

export interface LoggedRequest {
  readonly id: string;
  /** In the order in which they began, over all tabs. */
  readonly seq: number;
  /** Chromium's word for it; hops of a redirect share it. */
  readonly requestId: string;
  /** The session that can still give its body. */
  sessionId: string;
  readonly from: NetworkRequest['from'];
  method: string;
  url: string;
  type: ResourceType;
  /** Of the document that asked for it. */
  readonly loaderId?: string;
  /** It asks for the document that its tab is to show. */
  isPage: boolean;
  /** Milliseconds since 1970, and on Chromium's own clock, in seconds. */
  startedAt: number;
  began: number;
  state: NetworkRequest['state'];
  durationMs?: number;
  status?: number;
  statusText?: string;
  mimeType?: string;
  protocol?: string;
  timing?: Omit<Timing, 'receive'>;
  /** On Chromium's clock: when the headers of the answer were there. */
  answered?: number;
  fromCache: boolean;
  fromServiceWorker: boolean;
  initiator?: NetworkRequest['initiator'];
  remoteAddress?: string;
  proxy?: string;
  vouched?: true;
  rule?: string;
  failure?: NonNullable<NetworkRequest['failure']>;
  wireBytes: number;
  bodyBytes: number;
  redirectedTo?: string;
  webSocket?: NonNullable<NetworkRequest['webSocket']>;
  requestHeaders: Headers;
  responseHeaders: Headers;
  /** The headers are those on the wire, not those of the page alone. */
  sentOnWire?: boolean;
  receivedOnWire?: boolean;
  headersCut?: boolean;
  hasRequestBody: boolean;
}

export const longestAddress = 4096;
const longestValue = 8192;
const longestName = 256;
const mostHeaders = 200;
/** Of one side of one request. */
const mostHeaderBytes = 32 * 1024;

export const cut = (text: string, most: number): string =>
  text.length > most ? Buffer.from(text.slice(0, most)).toString() : text;

export const newRequest = (
  known: Pick<LoggedRequest, 'seq' | 'requestId' | 'sessionId' | 'from' | 'url' | 'startedAt' | 'began'> &
    Partial<LoggedRequest>,
): LoggedRequest => ({
  id: newId('request'),
  method: 'GET',
  type: 'other',
  isPage: false,
  state: 'pending',
  fromCache: false,
  fromServiceWorker: false,
  wireBytes: 0,
  bodyBytes: 0,
  requestHeaders: [],
  responseHeaders: [],
  hasRequestBody: false,
  ...known,
});

/** Chromium writes several headers of one name as one text of several lines. */
export function readHeaders(given: unknown): { headers: Headers; wasCut: boolean } {
  if (typeof given !== 'object' || given === null) return { headers: [], wasCut: false };
  const headers: [string, string][] = [];
  let bytes = 0;
  let wasCut = false;
  for (const [name, text] of Object.entries(given))
    for (const value of String(text).split('\n')) {
      if (headers.length === mostHeaders || bytes > mostHeaderBytes) return { headers, wasCut: true };
      wasCut ||= value.length > longestValue || name.length > longestName;
      const kept: [string, string] = [cut(name, longestName), cut(value, longestValue)];
      bytes += kept[0].length + kept[1].length;
      headers.push(kept);
    }
  return { headers, wasCut };
}

/** What an object with its fields takes, without its texts. */
const baseBytes = 700;
const headerBytes = 48;

/** What it takes of the memory, about. */
export function sizeOf(request: LoggedRequest): number {
  let bytes = baseBytes + request.url.length + (request.initiator?.url?.length ?? 0);
  for (const side of [request.requestHeaders, request.responseHeaders])
    for (const [name, value] of side) bytes += headerBytes + name.length + value.length;
  return bytes;
}

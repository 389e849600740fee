/** What Chromium's events say of a request, put into its entry of the log. */
import type { Protocol } from 'devtools-protocol';
import { trueError } from '../../chromium/chromium.ts';
import type { SentEvent } from './event-reading.ts';
import type { ExitSight } from './exits.ts';
import {
  cut,
  type FailureKind,
  type LoggedRequest,
  longestAddress,
  type ResourceType,
  readHeaders,
} from './logged-request.ts';
import { resourceTypes } from './schema.ts';

const longestWord = 200;
const known = new Set<string>(resourceTypes);

const typeOf = (type: string | undefined): ResourceType => {
  const word = (type ?? 'other').toLowerCase();
  return known.has(word) ? (word as ResourceType) : 'other';
};

/** Milliseconds, on Chromium's clock; 0 where it never told when it began. */
export const sinceBegan = ({ began }: LoggedRequest, timestamp: number): number =>
  began === 0 ? 0 : Math.max(0, Math.round((timestamp - began) * 10_000) / 10);

/** What is known of a request before it is sent. */
export function sentFacts(event: SentEvent): Partial<LoggedRequest> {
  const { headers, wasCut } = readHeaders(event.request.headers);
  return {
    method: cut(event.request.method, longestWord),
    type: typeOf(event.type),
    requestHeaders: headers,
    hasRequestBody: event.request.hasPostData === true,
    ...((wasCut || event.inPart) && { headersCut: true }),
    ...(event.initiator && { initiator: initiatorOf(event.initiator) }),
  };
}

function initiatorOf({
  type,
  url,
  lineNumber,
  stack,
}: Protocol.Network.Initiator): LoggedRequest['initiator'] {
  const frame = stack?.callFrames[0];
  const at = url ?? frame?.url;
  const line = lineNumber ?? frame?.lineNumber;
  return {
    type,
    ...(at && { url: cut(at, longestAddress) }),
    // Chromium counts from 0, people from 1.
    ...(at && line !== undefined && { line: Math.trunc(line) + 1 }),
  };
}

export function answered(
  request: LoggedRequest,
  response: Protocol.Network.Response,
  timestamp: number,
  sight: ExitSight,
): void {
  request.status = Math.trunc(response.status);
  request.statusText = cut(response.statusText ?? '', longestWord);
  request.mimeType = cut(response.mimeType ?? '', longestWord);
  request.protocol = response.protocol ? cut(response.protocol, 20) : undefined;
  request.fromServiceWorker = response.fromServiceWorker === true;
  request.fromCache ||= response.fromDiskCache === true || response.fromPrefetchCache === true;
  if (timestamp > 0) request.answered = timestamp;
  if (response.timing) request.timing = timingOf(response.timing);
  request.wireBytes = Math.max(request.wireBytes, Math.round(response.encodedDataLength ?? 0));
  if (!request.receivedOnWire) {
    const { headers, wasCut } = readHeaders(response.headers);
    request.responseHeaders = headers;
    request.headersCut ||= wasCut || undefined;
  }
  if (request.fromCache || request.fromServiceWorker) return;
  const rule = isOfExit(request) ? sight.ruleFor(request.url, request.startedAt) : undefined;
  if (rule) refused(request, rule);
  else reached(request, sight);
}

/** The exit answers a plain request that it refuses by itself. */
const isOfExit = ({ url, status }: LoggedRequest): boolean => status === 403 && url.startsWith('http:');

function refused(request: LoggedRequest, rule: string): void {
  request.rule = rule;
  request.state = 'failed';
  request.failure = { kind: 'policy', error: 'net::ERR_BLOCKED_BY_ADMINISTRATOR' };
}

export function reached(request: LoggedRequest, sight: ExitSight): void {
  const { address, proxy, vouched } = sight.outcome(request.url) ?? {};
  if (address)
    request.remoteAddress = `${address.ip.includes(':') ? `[${address.ip}]` : address.ip}:${address.port}`;
  if (proxy) request.proxy = proxy;
  if (vouched) request.vouched = vouched;
}

/** As a HAR wants them. */
function timingOf(timing: Protocol.Network.ResourceTiming): LoggedRequest['timing'] {
  const span = (from: number, to: number): number =>
    from < 0 || to < 0 ? -1 : Math.max(0, Math.round((to - from) * 10) / 10);
  const first = [timing.dnsStart, timing.connectStart, timing.sendStart].find((at) => at >= 0) ?? -1;
  return {
    blocked: first < 0 ? -1 : Math.round(first * 10) / 10,
    connect: span(timing.connectStart, timing.connectEnd),
    tls: span(timing.sslStart, timing.sslEnd),
    send: span(timing.sendStart, timing.sendEnd),
    wait: span(timing.sendEnd, timing.receiveHeadersEnd),
  };
}

/** What asked for it has gone, and Chromium says nothing more of it. */
export function abandoned(request: LoggedRequest): void {
  if (request.state !== 'pending') return;
  if (request.webSocket && request.status !== undefined) request.state = 'finished';
  else {
    request.state = 'failed';
    request.failure = { kind: 'cancelled', error: 'net::ERR_ABORTED' };
  }
  request.durationMs = Math.max(0, Math.round(Date.now() - request.startedAt));
}

export type Failed = Pick<
  Protocol.Network.LoadingFailedEvent,
  'errorText' | 'canceled' | 'blockedReason' | 'corsErrorStatus'
>;

/** What Chromium sees where the exit turned a connection away. */
const turnedAway =
  /ERR_(TUNNEL_CONNECTION_FAILED|EMPTY_RESPONSE|CONNECTION_CLOSED|CONNECTION_RESET|PROXY_CONNECTION_FAILED)|tunnel via proxy/;

export function failed(request: LoggedRequest, event: Failed, sight: ExitSight): void {
  const { errorText, blockedReason, corsErrorStatus } = event;
  request.state = 'failed';
  const mayBeRefused = corsErrorStatus !== undefined || turnedAway.test(errorText);
  const rule = mayBeRefused ? sight.ruleFor(request.url, request.startedAt) : undefined;
  if (rule) {
    refused(request, rule);
    return;
  }
  const [name = ''] = /ERR_[A-Z0-9_]+/.exec(errorText) ?? [];
  const socketName = /tunnel via proxy/.test(errorText) ? 'ERR_TUNNEL_CONNECTION_FAILED' : name;
  const trueName =
    socketName && (trueError(socketName, request.url, (url) => sight.outcome(url)) ?? socketName);
  const error = trueName ? `net::${trueName}` : cut(errorText, longestWord) || 'net::ERR_FAILED';
  const detail = corsErrorStatus?.corsError ?? blockedReason;
  request.failure = { kind: kindOf(trueName, event), error, ...(detail && { detail }) };
}

function kindOf(name: string, event: Failed): FailureKind {
  if (event.corsErrorStatus) return 'cors';
  if (event.blockedReason) return 'blocked';
  if (event.canceled || name === 'ERR_ABORTED') return 'cancelled';
  if (/^ERR_(CERT|SSL|BAD_SSL)/.test(name)) return 'tls';
  if (name.startsWith('ERR_NAME')) return 'dns';
  if (/PROXY|TUNNEL|INVALID_AUTH/.test(name)) return 'proxy';
  return 'network';
}

/**
 * The flight recorder of one Chromium: what its pages asked of the network, always on, of bounded size.
 *
 *   page ─────────────┐
 *   frame of its own ─┼── Network.* ──> id peeked ── known, or new and no flood? ──> entry of its tab's ring
 *   worker ───────────┘                                     └── no: counted, not read
 *
 * What the log has of a tab that is closed stays for a while.
 */
import type { Protocol } from 'devtools-protocol';
import type { Cdp } from '../../chromium/chromium.ts';
import { FloodWindow } from '../../kit/flood-window.ts';
import { abandoned, answered, failed, reached, sentFacts, sinceBegan } from './changes.ts';
import { EarlyHeaders, type Side } from './early-headers.ts';
import {
  frameBytes,
  isInline,
  paramsOf,
  readAnswer,
  readSent,
  requestIdIn,
  type SentEvent,
} from './event-reading.ts';
import type { ExitSight } from './exits.ts';
import { cut, type LoggedRequest, longestAddress, newRequest, readHeaders } from './logged-request.ts';
import { type Source, Sources } from './sources.ts';
import { TabLogs } from './tab-logs.ts';

/** Of one tab, within a second: more are counted only. */
const mostASecond = 1000;

export interface RecorderParts {
  /** Undefined: no tab of the browser's owner. */
  tabOf(targetId: string): string | undefined;
  sightOf(contextId: string | undefined): ExitSight;
  /** Pages of this browser context are logged only where `follow` says so. */
  isGuests(contextId: string | undefined): boolean;
}

type Heard = (request: LoggedRequest, message: Buffer, source: Source) => void;

export class Recorder {
  readonly logs = new TabLogs();
  readonly #cdp: Cdp;
  readonly #parts: RecorderParts;
  readonly #sources: Sources;
  readonly #floods = new Map<string, FloodWindow>();
  readonly #early = new EarlyHeaders();
  #seq = 0;

  /** Before anything else listens for targets: it must be on before a page is let run. */
  constructor(cdp: Cdp, parts: RecorderParts) {
    this.#cdp = cdp;
    this.#parts = parts;
    this.#sources = new Sources(cdp, parts.isGuests, (sessionId, { targetId }) => {
      for (const request of this.logs.of(targetId)?.requests() ?? [])
        if (request.sessionId === sessionId) abandoned(request);
    });
    cdp.on('Page.frameNavigated', ({ frame }, sessionId) => {
      if (!frame.parentId) this.#arrived(sessionId, frame.loaderId);
    });
    // Before the tabs hear of it: its log stays for a while, under the id it had.
    cdp.on('Target.targetDestroyed', ({ targetId }) => {
      this.#floods.delete(targetId);
      this.logs.close(targetId, parts.tabOf(targetId));
    });
    this.#listen();
  }

  /** A page of a guest is logged from now on; it has asked for nothing yet. */
  follow(sessionId: string, targetId: string, contextId: string): void {
    this.#sources.follow(sessionId, targetId, contextId);
  }

  /** Requests that began from now on have this number or a higher one. */
  get next(): number {
    return this.#seq + 1;
  }

  /** With the document before, what it was still waiting for has gone; a ping outlives it, as do service workers. */
  #arrived(sessionId: string | undefined, loaderId: string): void {
    const source = this.#sources.of(sessionId);
    if (source?.from !== 'page') return;
    for (const request of this.logs.of(source.targetId)?.requests() ?? []) {
      const { from, type } = request;
      if (request.loaderId === loaderId || request.requestId === loaderId) continue;
      if (from !== 'service_worker' && type !== 'ping' && type !== 'preflight') abandoned(request);
    }
  }

  /** `grows`: what is kept of the request may be more after it. */
  #hear(event: Parameters<Cdp['onSign']>[0], heard: Heard, grows = false): void {
    this.#cdp.onSign(event, (sessionId, message) => {
      const source = this.#sources.of(sessionId);
      const requestId = source && requestIdIn(message);
      const log = source && this.logs.of(source.targetId);
      const request = requestId === undefined ? undefined : log?.last(requestId);
      if (!source || !request || !log) return;
      heard(request, message, source);
      request.sessionId = sessionId;
      if (grows) log.weigh(request);
    });
  }

  #listen(): void {
    const cdp = this.#cdp;
    cdp.onSign('Network.requestWillBeSent', (sessionId, message) => this.#sent(sessionId, message));
    cdp.onSign('Network.webSocketCreated', (sessionId, message) => this.#socket(sessionId, message));
    for (const side of ['sent', 'received'] as const)
      cdp.onSign(
        side === 'sent' ? 'Network.requestWillBeSentExtraInfo' : 'Network.responseReceivedExtraInfo',
        (sessionId, message) => this.#headers(sessionId, message, side),
      );
    const answer: Heard = (request, message, source) => {
      const event = readAnswer(message);
      if (event) answered(request, event.response, event.timestamp, this.#parts.sightOf(source.contextId));
    };
    this.#hear('Network.responseReceived', answer, true);
    this.#hear('Network.requestServedFromCache', (request) => {
      request.fromCache = true;
    });
    this.#hear('Network.dataReceived', (request, message) => {
      const event = paramsOf<Protocol.Network.DataReceivedEvent>(message);
      request.bodyBytes += event?.dataLength ?? 0;
      request.wireBytes += event?.encodedDataLength ?? 0;
    });
    this.#hear('Network.loadingFinished', (request, message) => {
      const event = paramsOf<Protocol.Network.LoadingFinishedEvent>(message);
      if (!event) return;
      if (request.state === 'pending') request.state = 'finished';
      request.durationMs = sinceBegan(request, event.timestamp);
      if (!request.fromCache) request.wireBytes = Math.round(event.encodedDataLength);
    });
    this.#hear('Network.loadingFailed', (request, message, source) => {
      const event = paramsOf<Protocol.Network.LoadingFailedEvent>(message);
      failed(request, event ?? { errorText: '' }, this.#parts.sightOf(source.contextId));
      if (event) request.durationMs = sinceBegan(request, event.timestamp);
    });
    this.#listenToSockets();
  }

  #listenToSockets(): void {
    const asked: Heard = (request, message) => {
      const event = paramsOf<Protocol.Network.WebSocketWillSendHandshakeRequestEvent>(message);
      if (!event) return;
      request.startedAt = event.wallTime * 1000;
      request.began = event.timestamp;
      request.requestHeaders = readHeaders(event.request.headers).headers;
    };
    this.#hear('Network.webSocketWillSendHandshakeRequest', asked, true);
    const agreed: Heard = (request, message, source) => {
      const event = paramsOf<Protocol.Network.WebSocketHandshakeResponseReceivedEvent>(message);
      if (!event) return;
      request.status = event.response.status;
      request.statusText = cut(event.response.statusText, 200);
      request.responseHeaders = readHeaders(event.response.headers).headers;
      reached(request, this.#parts.sightOf(source.contextId));
    };
    this.#hear('Network.webSocketHandshakeResponseReceived', agreed, true);
    for (const way of ['Sent', 'Received'] as const)
      this.#hear(`Network.webSocketFrame${way}`, ({ webSocket }, message) => {
        if (!webSocket) return;
        webSocket[`frames${way}`]++;
        webSocket[`bytes${way}`] += frameBytes(message);
      });
    this.#hear('Network.webSocketFrameError', (request, message, source) => {
      const errorText = paramsOf<Protocol.Network.WebSocketFrameErrorEvent>(message)?.errorMessage ?? '';
      if (request.state !== 'failed') failed(request, { errorText }, this.#parts.sightOf(source.contextId));
    });
    this.#hear('Network.webSocketClosed', (request, message) => {
      const event = paramsOf<Protocol.Network.WebSocketClosedEvent>(message);
      if (request.state === 'pending') request.state = 'finished';
      if (event) request.durationMs = sinceBegan(request, event.timestamp);
    });
  }

  #admits(targetId: string): boolean {
    const window = this.#floods.get(targetId) ?? new FloodWindow(mostASecond, 1000);
    this.#floods.set(targetId, window);
    if (window.admits()) return true;
    this.logs.drop(targetId);
    return false;
  }

  #sent(sessionId: string, message: Buffer): void {
    const source = this.#sources.of(sessionId);
    if (!source || this.#parts.tabOf(source.targetId) === undefined || isInline(message)) return;
    const requestId = requestIdIn(message);
    if (requestId === undefined || !this.#admits(source.targetId)) return;
    const event = readSent(message);
    if (!event) return;
    const log = this.logs.open(source.targetId);
    const before = log.last(requestId);
    if (before && !event.redirectResponse && before.state === 'pending') return;
    const request = this.#begin(source, sessionId, requestId, event);
    if (before && event.redirectResponse) {
      const sight = this.#parts.sightOf(source.contextId);
      answered(before, event.redirectResponse, event.timestamp, sight);
      Object.assign(before, {
        state: 'finished',
        durationMs: sinceBegan(before, event.timestamp),
        redirectedTo: request.id,
      });
      log.weigh(before);
    }
    log.add(request);
    for (const [side, early] of this.#early.take(requestId)) this.#putHeaders(request, early, side);
    log.weigh(request);
  }

  #begin(source: Source, sessionId: string, requestId: string, event: SentEvent): LoggedRequest {
    return newRequest({
      ...sentFacts(event),
      seq: ++this.#seq,
      requestId,
      sessionId,
      from: source.from,
      url: cut(event.request.url, longestAddress),
      startedAt: event.wallTime * 1000,
      began: event.timestamp,
      ...(event.loaderId && { loaderId: event.loaderId }),
      // The main frame of a page has the id of its target.
      isPage: event.type === 'Document' && event.frameId === source.targetId && event.loaderId === requestId,
    });
  }

  #socket(sessionId: string, message: Buffer): void {
    const source = this.#sources.of(sessionId);
    if (!source || this.#parts.tabOf(source.targetId) === undefined || !this.#admits(source.targetId)) return;
    const event = paramsOf<Protocol.Network.WebSocketCreatedEvent>(message);
    if (!event) return;
    this.logs.open(source.targetId).add(
      newRequest({
        seq: ++this.#seq,
        requestId: event.requestId,
        sessionId,
        from: source.from,
        url: cut(event.url, longestAddress),
        startedAt: Date.now(),
        began: 0,
        type: 'websocket',
        webSocket: { framesSent: 0, framesReceived: 0, bytesSent: 0, bytesReceived: 0 },
      }),
    );
  }

  /** Headers on the wire come a moment before or after the rest. */
  #headers(sessionId: string, message: Buffer, side: Side): void {
    const source = this.#sources.of(sessionId);
    const requestId = source && requestIdIn(message);
    if (!source || requestId === undefined) return;
    const request = this.logs.of(source.targetId)?.last(requestId);
    if (request && !request[side === 'sent' ? 'sentOnWire' : 'receivedOnWire']) {
      this.#putHeaders(request, message, side);
      this.logs.of(source.targetId)?.weigh(request);
      return;
    }
    this.#early.keep(requestId, side, message);
  }

  #putHeaders(request: LoggedRequest, message: Buffer, side: Side): void {
    const event = paramsOf<{ headers: unknown; statusCode?: number }>(message);
    const { headers, wasCut } = readHeaders(event?.headers);
    if (!event || wasCut) request.headersCut = true;
    if (!event) return;
    if (side === 'sent') Object.assign(request, { requestHeaders: headers, sentOnWire: true });
    else Object.assign(request, { responseHeaders: headers, receivedOnWire: true });
  }
}

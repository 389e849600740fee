/**
 * The flight recorder of one Chromium: what its pages asked of the network, always on, of bounded size.
 *
 *   page ─────────────┐
 *   frame of its own ─┼── Network.* ──> id peeked ── known, or new and no flood? ──> entry of its tab's ring
 *   worker ───────────┘                                     └── no: counted, not read
 *
 * Frames and workers that are targets of their own are attached to, and held until they are listened to, so that their
 * first request is not missed. What the log has of a tab that is closed stays for a while.
 */
import type { Protocol } from 'devtools-protocol';
import type { Cdp } from '../../chromium/chromium.ts';
import { FloodWindow } from '../../kit/flood-window.ts';
import { abandoned, answered, failed, reached, sentFacts, sinceBegan } from './changes.ts';
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
import type { NetworkRequest } from './schema.ts';
import { TabLogs } from './tab-logs.ts';

/** Of what pages load, Chromium keeps so much to be asked for: enough for documents and what they fetch. */
export const networkBuffers = {
  maxTotalBufferSize: 4 * 1024 ** 2,
  maxResourceBufferSize: 2 * 1024 ** 2,
  maxPostDataSize: 0,
};

/** Of one tab, within a second: more are counted only. */
const mostASecond = 1000;
/** Headers that come before the request they belong to. */
const mostEarly = 100;
const below = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

interface Source {
  /** What it is attached to. */
  own: string;
  /** The page it belongs to, and that page's browser context. */
  targetId: string;
  contextId: string | undefined;
  from: NetworkRequest['from'];
}

interface EarlyHeaders {
  sent?: Buffer;
  received?: Buffer;
}

export interface RecorderParts {
  /** Undefined: no tab of the browser's owner. */
  tabOf(targetId: string): string | undefined;
  sightOf(contextId: string | undefined): ExitSight;
}

const sourceOf = (type: string): NetworkRequest['from'] | undefined => {
  if (type === 'page') return 'page';
  if (type === 'iframe') return 'frame';
  if (type === 'service_worker') return 'service_worker';
  return /worker/.test(type) ? 'worker' : undefined;
};

export class Recorder {
  readonly logs = new TabLogs();
  readonly #cdp: Cdp;
  readonly #parts: RecorderParts;
  readonly #sources = new Map<string, Source>();
  readonly #floods = new Map<string, FloodWindow>();
  readonly #early = new Map<string, EarlyHeaders>();
  #seq = 0;

  /** Before anything else listens for targets: it must be on before a page is let run. */
  constructor(cdp: Cdp, parts: RecorderParts) {
    this.#cdp = cdp;
    this.#parts = parts;
    cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }, parent) =>
      this.#attached(sessionId, targetInfo, parent),
    );
    cdp.on('Target.detachedFromTarget', ({ sessionId }) => this.#detached(sessionId));
    cdp.on('Page.frameNavigated', ({ frame }, sessionId) => {
      if (!frame.parentId) this.#arrived(sessionId ?? '', frame.loaderId);
    });
    // Before the tabs hear of it: its log stays for a while, under the id it had.
    cdp.on('Target.targetDestroyed', ({ targetId }) => {
      this.#floods.delete(targetId);
      this.logs.close(targetId, parts.tabOf(targetId));
    });
    this.#listen();
  }

  /** Requests that began from now on have this number or a higher one. */
  get next(): number {
    return this.#seq + 1;
  }

  #attached(sessionId: string, info: Protocol.Target.TargetInfo, parent: string | undefined): void {
    const from = sourceOf(info.type);
    const above = this.#sources.get(parent ?? '');
    // Second sessions of the service hear the same again; so do those below them.
    const isSecond = [...this.#sources.values()].some(({ own }) => own === info.targetId);
    if (!from || isSecond || (parent ? !above : from !== 'page')) return;
    this.#sources.set(sessionId, {
      own: info.targetId,
      targetId: above?.targetId ?? info.targetId,
      contextId: above?.contextId ?? info.browserContextId,
      from,
    });
    void this.#cdp.send('Network.enable', networkBuffers, { sessionId }).catch(() => undefined);
    // The tabs let each of them run once it is set up.
    if (from !== 'service_worker')
      void this.#cdp.send('Target.setAutoAttach', below, { sessionId }).catch(() => undefined);
  }

  #detached(sessionId: string): void {
    const source = this.#sources.get(sessionId);
    this.#sources.delete(sessionId);
    for (const request of (source && this.logs.of(source.targetId)?.requests()) ?? [])
      if (request.sessionId === sessionId) abandoned(request);
  }

  /** With the document before, what it was still waiting for has gone; a ping outlives it, as do service workers. */
  #arrived(sessionId: string, loaderId: string): void {
    const source = this.#sources.get(sessionId);
    if (source?.from !== 'page') return;
    for (const request of this.logs.of(source.targetId)?.requests() ?? []) {
      const { from, type } = request;
      if (request.loaderId === loaderId || request.requestId === loaderId) continue;
      if (from !== 'service_worker' && type !== 'ping' && type !== 'preflight') abandoned(request);
    }
  }

  #listen(): void {
    const hear = (
      event: Parameters<Cdp['onSign']>[0],
      heard: (request: LoggedRequest, message: Buffer, source: Source) => void,
    ): void =>
      this.#cdp.onSign(event, (sessionId, message) => {
        const source = this.#sources.get(sessionId);
        const requestId = source && requestIdIn(message);
        const log = source && this.logs.of(source.targetId);
        const request = requestId === undefined ? undefined : log?.last(requestId);
        if (!source || !request || !log) return;
        heard(request, message, source);
        request.sessionId = sessionId;
        log.weigh(request);
      });
    const cdp = this.#cdp;
    cdp.onSign('Network.requestWillBeSent', (sessionId, message) => this.#sent(sessionId, message));
    cdp.onSign('Network.webSocketCreated', (sessionId, message) => this.#socket(sessionId, message));
    for (const side of ['sent', 'received'] as const)
      cdp.onSign(
        side === 'sent' ? 'Network.requestWillBeSentExtraInfo' : 'Network.responseReceivedExtraInfo',
        (sessionId, message) => this.#headers(sessionId, message, side),
      );
    hear('Network.responseReceived', (request, message, source) => {
      const event = readAnswer(message);
      if (event) answered(request, event.response, event.timestamp, this.#parts.sightOf(source.contextId));
    });
    hear('Network.requestServedFromCache', (request) => {
      request.fromCache = true;
    });
    hear('Network.dataReceived', (request, message) => {
      const event = paramsOf<Protocol.Network.DataReceivedEvent>(message);
      request.bodyBytes += event?.dataLength ?? 0;
      request.wireBytes += event?.encodedDataLength ?? 0;
    });
    hear('Network.loadingFinished', (request, message) => {
      const event = paramsOf<Protocol.Network.LoadingFinishedEvent>(message);
      if (!event) return;
      if (request.state === 'pending') request.state = 'finished';
      request.durationMs = sinceBegan(request, event.timestamp);
      if (!request.fromCache) request.wireBytes = Math.round(event.encodedDataLength);
    });
    hear('Network.loadingFailed', (request, message, source) => {
      const event = paramsOf<Protocol.Network.LoadingFailedEvent>(message);
      failed(request, event ?? { errorText: '' }, this.#parts.sightOf(source.contextId));
      if (event) request.durationMs = sinceBegan(request, event.timestamp);
    });
    this.#listenToSockets(hear);
  }

  #listenToSockets(
    hear: (
      event: Parameters<Cdp['onSign']>[0],
      heard: (request: LoggedRequest, message: Buffer, source: Source) => void,
    ) => void,
  ): void {
    hear('Network.webSocketWillSendHandshakeRequest', (request, message) => {
      const event = paramsOf<Protocol.Network.WebSocketWillSendHandshakeRequestEvent>(message);
      if (!event) return;
      request.startedAt = event.wallTime * 1000;
      request.began = event.timestamp;
      request.requestHeaders = readHeaders(event.request.headers).headers;
    });
    hear('Network.webSocketHandshakeResponseReceived', (request, message, source) => {
      const event = paramsOf<Protocol.Network.WebSocketHandshakeResponseReceivedEvent>(message);
      if (!event) return;
      request.status = event.response.status;
      request.statusText = cut(event.response.statusText, 200);
      request.responseHeaders = readHeaders(event.response.headers).headers;
      reached(request, this.#parts.sightOf(source.contextId));
    });
    for (const way of ['Sent', 'Received'] as const)
      hear(`Network.webSocketFrame${way}`, ({ webSocket }, message) => {
        if (!webSocket) return;
        webSocket[`frames${way}`]++;
        webSocket[`bytes${way}`] += frameBytes(message);
      });
    hear('Network.webSocketFrameError', (request, message, source) => {
      const errorText = paramsOf<Protocol.Network.WebSocketFrameErrorEvent>(message)?.errorMessage ?? '';
      if (request.state !== 'failed') failed(request, { errorText }, this.#parts.sightOf(source.contextId));
    });
    hear('Network.webSocketClosed', (request, message) => {
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
    const source = this.#sources.get(sessionId);
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
    const early = this.#early.get(requestId);
    this.#early.delete(requestId);
    if (early?.sent) this.#putHeaders(request, early.sent, 'sent');
    if (early?.received) this.#putHeaders(request, early.received, 'received');
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
    const source = this.#sources.get(sessionId);
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
  #headers(sessionId: string, message: Buffer, side: 'sent' | 'received'): void {
    const source = this.#sources.get(sessionId);
    const requestId = source && requestIdIn(message);
    if (!source || requestId === undefined) return;
    const request = this.logs.of(source.targetId)?.last(requestId);
    if (request && !request[side === 'sent' ? 'sentOnWire' : 'receivedOnWire']) {
      this.#putHeaders(request, message, side);
      this.logs.of(source.targetId)?.weigh(request);
      return;
    }
    if (this.#early.size >= mostEarly || message.length > 64 * 1024) return;
    // A copy: the message is a part of all that was read at once.
    this.#early.set(requestId, { ...this.#early.get(requestId), [side]: Buffer.from(message) });
  }

  #putHeaders(request: LoggedRequest, message: Buffer, side: 'sent' | 'received'): void {
    const event = paramsOf<{ headers: unknown; statusCode?: number }>(message);
    const { headers, wasCut } = readHeaders(event?.headers);
    if (!event || wasCut) request.headersCut = true;
    if (!event) return;
    if (side === 'sent') Object.assign(request, { requestHeaders: headers, sentOnWire: true });
    else Object.assign(request, { responseHeaders: headers, receivedOnWire: true });
  }
}

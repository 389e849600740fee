/** All WebSockets of the service: how large their messages may be, how they are kept alive, how they end. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { ApiError } from '../../errors.ts';
import { refuseUpgrade } from '../wire/wire.ts';
import { closeReason } from './close-codes.ts';
import { watchPulse } from './heartbeat.ts';
import { type LargeMessages, readInPieces } from './large-messages.ts';
import { answerPings } from './pongs.ts';
import { Unsent } from './unsent.ts';
import { takeSocket } from './upgrade.ts';

/** A message of a program, and of a viewer, which sends little at a time. */
const largest = { much: 100 * 1024 ** 2, little: 4 * 1024 ** 2 };
/** Of what waits for slow clients, over all sockets. */
const mostWaitingBytes = 1024 ** 3;
/** Below this a client is not slow. */
const littleWaiting = 1024 ** 2;
/** How long the client has to answer a close frame; the types of ws do not know the option yet. */
const patience = { closeTimeout: 2000 };
const heartbeatMs = 30_000;

/** The reason goes out also where ws itself closes the socket (a message that is too large). */
class ExplainingSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason ?? closeReason(code ?? 1000));
  }
}

function serverFor(maxPayload: number): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload,
    perMessageDeflate: false,
    autoPong: false,
    WebSocket: ExplainingSocket,
    ...patience,
  });
  server.on('wsClientError', (error, socket, request) => refuseUpgrade(request, socket, error));
  return server;
}

export class Sockets {
  readonly #servers: Record<'much' | 'little', WebSocketServer>;
  readonly #heartbeatMs: number;
  readonly #open = new Map<WebSocket, Unsent>();
  #closing = false;

  constructor(options: { heartbeatMs?: number } = {}) {
    this.#heartbeatMs = options.heartbeatMs ?? heartbeatMs;
    this.#servers = { much: serverFor(largest.much), little: serverFor(largest.little) };
  }

  refuseWhileClosing(): void {
    if (this.#closing)
      throw new ApiError(
        'SERVICE_SHUTTING_DOWN',
        'The service is stopping and takes no new connections. Connect again shortly.',
        { headers: { 'retry-after': '5' } },
      );
  }

  /** Turns the request into a socket; undefined when the handshake is not valid, or the client has gone. */
  open(
    request: IncomingMessage,
    options: { requestId: string; says: 'much' | 'little'; onBeat(): void; large: LargeMessages },
  ): WebSocket | undefined {
    const taken = takeSocket(request);
    const { requestId, says, large } = options;
    const socket = taken && this.#shakeHands(request, taken, requestId, this.#servers[says]);
    if (!taken || !socket) return undefined;
    this.#open.set(socket, new Unsent(socket));
    socket.once('close', () => this.#open.delete(socket));
    // Errors of a socket (a broken frame, a reset) also close it, and the close is what counts.
    socket.on('error', () => undefined);
    answerPings(socket);
    readInPieces(socket, taken.socket, { large, mostBytes: largest[says] });
    watchPulse(socket, taken.socket as Socket, { everyMs: this.#heartbeatMs, onBeat: options.onBeat });
    // The service began to stop during the handshake.
    if (this.#closing) socket.close(1001);
    return socket;
  }

  #shakeHands(
    request: IncomingMessage,
    { socket, head }: { socket: Duplex; head: Buffer },
    requestId: string,
    server: WebSocketServer,
  ): WebSocket | undefined {
    let opened: WebSocket | undefined;
    const name = (headers: string[]): unknown => headers.push(`X-Request-Id: ${requestId}`);
    server.on('headers', name);
    server.handleUpgrade(request, socket, head, (open) => {
      opened = open;
    });
    server.off('headers', name);
    return opened;
  }

  /** Sends a text, or bytes; when too much waits for all clients together, the slowest is disconnected. */
  send(socket: WebSocket, message: Buffer, binary = false): void {
    const unsent = this.#open.get(socket);
    if (!unsent) return;
    unsent.send(message, binary);
    if (unsent.bytes < littleWaiting) return;
    const open = [...this.#open];
    const total = open.reduce((sum, [, { bytes }]) => sum + bytes, 0);
    if (total <= mostWaitingBytes) return;
    const [slowest] = open.reduce((a, b) => (a[1].bytes > b[1].bytes ? a : b));
    slowest.close(4003);
  }

  /** What the client has not taken yet, as memory. */
  waitingBytes(socket: WebSocket): number {
    return this.#open.get(socket)?.bytes ?? 0;
  }

  /** From now on no socket is opened. Resolves when the last one has closed. */
  async close(code: 1001 | 1012 = 1001): Promise<void> {
    this.#closing = true;
    const ends = [...this.#open.keys()].map((socket) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.once('close', () => resolve());
      socket.close(code);
      return promise;
    });
    await Promise.all(ends);
  }
}

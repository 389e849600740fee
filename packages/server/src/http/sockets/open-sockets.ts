/** All WebSockets of the service: how large their messages may be, how they are kept alive, how they end. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { ApiError } from '../../errors.ts';
import { refuseUpgrade } from '../wire/wire.ts';
import { closeReason } from './close-codes.ts';
import { watchPulse } from './heartbeat.ts';
import { type LargeMessages, largestMessage, readInPieces } from './large-messages.ts';
import { takeSocket } from './upgrade.ts';

/** Of a viewer, which sends little at a time. */
const largestOfPerson = 4 * 1024 ** 2;
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
    WebSocket: ExplainingSocket,
    ...patience,
  });
  server.on('wsClientError', (error, socket, request) => refuseUpgrade(request, socket, error));
  return server;
}

export class Sockets {
  readonly #servers: Record<'much' | 'little', WebSocketServer>;
  readonly #heartbeatMs: number;
  readonly #open = new Set<WebSocket>();
  #closing = false;

  constructor(options: { heartbeatMs?: number } = {}) {
    this.#heartbeatMs = options.heartbeatMs ?? heartbeatMs;
    this.#servers = { much: serverFor(largestMessage), little: serverFor(largestOfPerson) };
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
    options: { requestId: string; says?: 'much' | 'little'; onBeat(): void; large?: LargeMessages },
  ): WebSocket | undefined {
    const taken = takeSocket(request);
    const socket =
      taken && this.#shakeHands(request, taken, options.requestId, this.#servers[options.says ?? 'much']);
    if (!taken || !socket) return undefined;
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    // Errors of a socket (a broken frame, a reset) also close it, and the close is what counts.
    socket.on('error', () => undefined);
    if (options.large) readInPieces(socket, taken.socket, options.large);
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

  /** Sends a text; when too much waits for all clients together, the slowest is disconnected. */
  send(socket: WebSocket, text: Buffer): void {
    socket.send(text, { binary: false });
    if (socket.bufferedAmount < littleWaiting) return;
    const open = [...this.#open];
    const total = open.reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0);
    if (total <= mostWaitingBytes) return;
    const slowest = open.reduce((a, b) => (a.bufferedAmount > b.bufferedAmount ? a : b));
    slowest.close(4003);
  }

  /** From now on no socket is opened. Resolves when the last one has closed. */
  async close(code: 1001 | 1012 = 1001): Promise<void> {
    this.#closing = true;
    const ends = [...this.#open].map((socket) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.once('close', () => resolve());
      socket.close(code);
      return promise;
    });
    await Promise.all(ends);
  }
}

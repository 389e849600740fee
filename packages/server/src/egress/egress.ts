/**
 * The one exit of one browser: a forward proxy through which all of a Chromium's connections go.
 *
 *   Chromium ── CONNECT host:443 ──> tunnel ────┐
 *            ── GET http://host/ ──> forward ───┼──> policy ──> way (direct or upstream) ──> checked address
 *            ── GET … Upgrade ─────> webSocket ─┘
 *
 * Refuses everything until `allow` is called, and again everything the policy does not let through.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Network } from './dial.ts';
import { Exit, type News } from './exit.ts';
import { forward } from './forward.ts';
import { isWebSocket } from './headers.ts';
import { HostSet } from './host.ts';
import { claimExitPort, isOwnListener, isOwnPort, type Listener } from './own-listeners.ts';
import { type EgressPolicy, readPolicy } from './policy.ts';
import { Pool } from './pool.ts';
import { type Resolve, resolveBySystem } from './resolver.ts';
import { Traffic } from './traffic.ts';
import { tunnel } from './tunnel.ts';
import type { Upstream } from './upstream.ts';
import { webSocket } from './websocket.ts';

export type { Refusal } from './failures.ts';
export { createOutgoing, readPrivateAccess } from './outgoing.ts';
export { type EgressPolicy, normalizePolicy, PolicyError } from './policy.ts';
export { describeUpstream, parseUpstream, type Upstream } from './upstream.ts';

export interface Egress {
  /** http://127.0.0.1:PORT as Chromium sees it. */
  readonly url: string;
  /**
   * Refuses everything until first called. A live change also cuts open connections (tunnels, WebSockets, requests
   * under way) that the new settings no longer allow or would lead another way. Throws `PolicyError` on nonsense
   * and changes nothing then.
   */
  allow(policy: EgressPolicy, upstream?: Upstream): void;
  /** Serves a connection that came another way than over the listener, under the same rules. */
  accept(connection: Duplex): void;
  /** Bytes and refusals since the start, both counted towards the network; connections open now. */
  stats(): { bytesIn: number; bytesOut: number; connections: number; refused: number };
  /** Destroys all sockets; done when none is left. */
  close(): Promise<void>;
}

export interface EgressOptions extends News {
  /** Already listening, from inside a network namespace; taken over. Absent: listens on 127.0.0.1 itself. */
  listener?: NetServer;
  /** The service's own listeners, asked per connection; never reachable, whatever the policy says. */
  ownListeners: () => Listener[];
  /** Instead of the system's name resolution. */
  resolve?: Resolve;
}

const limits = {
  maxHeaderSize: 128 * 1024,
  headersTimeout: 60_000,
  // An upload may take as long as it takes.
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
} as const;
const maxConnections = 512;

export async function openEgress(options: EgressOptions): Promise<Egress> {
  const traffic = new Traffic();
  const pool = new Pool();
  const exit = new Exit(networkOf(options, traffic), options);
  const clients = new Set<Socket>();
  const server = serve(exit, pool, clients);
  await listen(server, options.listener);
  const { port } = server.address() as AddressInfo;
  const release = options.listener ? () => undefined : claimExitPort(port);
  let closed: Promise<void> | undefined;

  const shut = async (): Promise<void> => {
    exit.shut();
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    options.listener?.close();
    for (const client of clients) client.destroy();
    pool.destroy();
    await Promise.all([ended, traffic.end()]);
    release();
  };

  return {
    url: `http://127.0.0.1:${port}`,
    allow(policy, upstream) {
      exit.change({ rules: readPolicy(policy), upstream, bypass: new HostSet(upstream?.bypass ?? []) });
      pool.drop();
    },
    accept: (connection) => void server.emit('connection', likeSocket(connection)),
    stats: () => ({ ...traffic.count(), refused: exit.refused }),
    close: () => {
      closed ??= shut();
      return closed;
    },
  };
}

/** The handlers set time limits on their sockets; a connection of another kind gets the same ability. */
function likeSocket(connection: Duplex): Duplex {
  let timer: NodeJS.Timeout | undefined;
  const setLimit = (ms: number, late?: () => void): void => {
    clearTimeout(timer);
    const over = late ?? (() => connection.emit('timeout'));
    if (ms > 0) timer = setTimeout(over, ms).unref();
  };
  connection.once('close', () => clearTimeout(timer));
  return 'setTimeout' in connection ? connection : Object.assign(connection, { setTimeout: setLimit });
}

const networkOf = ({ ownListeners, resolve }: EgressOptions, traffic: Traffic): Network => ({
  resolve: resolve ?? resolveBySystem,
  isOwn: (address, port) => isOwnListener(address, port, ownListeners()),
  isOwnPort: (port) => isOwnPort(port, ownListeners()),
  track: (socket) => traffic.track(socket),
});

function serve(exit: Exit, pool: Pool, clients: Set<Socket>): Server {
  const server = createServer({ ...limits, shouldUpgradeCallback: isWebSocket });
  server.maxConnections = maxConnections;
  server.on('connection', (socket: Socket) => {
    clients.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => clients.delete(socket));
  });
  const raw =
    (handle: typeof tunnel) =>
    (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      if (isHttp1(request)) handle(exit, request, socket as Socket, head).catch(() => socket.destroy());
      else reject(socket, '400 Bad Request');
    };
  server.on('connect', raw(tunnel));
  server.on('upgrade', raw(webSocket));
  for (const event of ['request', 'checkContinue'] as const) {
    server.on(event, (request, response) => {
      if (isHttp1(request)) forward(exit, pool, request, response).catch(() => response.destroy());
      else reject(request.socket, '400 Bad Request');
    });
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    reject(socket, tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request');
  });
  return server;
}

/** Node's parser also takes HTTP/0.9, whose request line may end anywhere. */
const isHttp1 = (request: IncomingMessage): boolean => request.httpVersionMajor === 1;

function reject(socket: Duplex, status: string): void {
  if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, () => socket.destroy());
  else socket.destroy();
}

function listen(server: Server, listener: NetServer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const ready = (): void => {
      server.off('error', reject);
      server.on('error', () => undefined);
      resolve();
    };
    if (listener) server.listen(listener, ready);
    else server.listen({ host: '127.0.0.1', port: 0, backlog: 511 }, ready);
  });
}

/**
 * The one exit of one browser: a forward proxy through which all of a Chromium's connections go.
 *
 *   Chromium ── CONNECT host:443 ──> tunnel ────┐
 *            ── GET http://host/ ──> forward ───┼──> policy ──> way (direct or upstream) ──> checked address
 *            ── GET … Upgrade ─────> webSocket ─┘
 *
 * Refuses everything until `allow` is called, and from then on everything the policy does not allow.
 *
 * In a network namespace all of 127.0.0.0/8 leads to the one listener, and the address that was dialled identifies the
 * client: a browser context with another address for its proxy has a branch of the exit, with rules and sockets of its
 * own.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Share, shareOf } from '../kit/loop-share.ts';
import {
  claimExitPort,
  type EgressPolicy,
  HostSet,
  isOwnListener,
  isOwnPort,
  type Listener,
  type PrivateReach,
  readPolicy,
} from './policy/policy.ts';
import {
  Exit,
  type ExitObserver,
  forward,
  isWebSocket,
  KeptConnections,
  type Outcome,
  Traffic,
  tunnel,
  webSocket,
} from './serve/serve.ts';
import { Sites, type SiteTrust, type Voucher } from './vouch/vouch.ts';
import { type Gate, Names, type NamesOptions, type Network, type Resolve, type Upstream } from './way/way.ts';

export {
  type Ceiling,
  type EgressPolicy,
  entryAbove,
  isBackgroundHost,
  judgeByName,
  normalizeDomain,
  normalizePolicy,
  openCeiling,
  PolicyError,
} from './policy/policy.ts';
export type { ExitObserver, Outcome } from './serve/serve.ts';
export {
  type Authority,
  type CertificateFacts,
  type Identity,
  mostAuthorities,
  readAuthorities,
  readIdentities,
  type SiteTrust,
  Voucher,
} from './vouch/vouch.ts';
export {
  describeUpstream,
  Gate,
  openOutgoing,
  openOwnServices,
  parseUpstream,
  type Refusal,
  type Upstream,
} from './way/way.ts';

export interface Branch {
  /** http://127.0.0.1:PORT as Chromium sees it. */
  readonly url: string;
  /**
   * Refuses everything until first called. A live change also cuts open connections (tunnels, WebSockets, requests
   * under way) that the new settings no longer allow or would lead another way. Throws `PolicyError` on nonsense
   * and changes nothing then.
   */
  allow(policy: EgressPolicy, upstream?: Upstream, trust?: SiteTrust): void;
  /** Bytes and refusals since the start, both counted towards the network; connections open now. */
  stats(): { bytesIn: number; bytesOut: number; connections: number; refused: number };
  /** What became of the last connections to the place of this address. */
  outcome(url: string): Outcome | undefined;
  /** Destroys all sockets; done when none is left. */
  close(): Promise<void>;
}

export interface Egress extends Branch {
  /** Serves a connection that came another way than over the listener, under the same rules. */
  accept(connection: Duplex): void;
  /** For clients that dial this loopback address. Only where the listener is in a namespace of its own. */
  branch(address: string, observer: ExitObserver): Branch;
}

export interface EgressOptions extends ExitObserver {
  /** Already listening, from inside a network namespace; taken over. Absent: listens on 127.0.0.1 itself. */
  listener?: NetServer;
  /** The service's own listeners, asked per connection; never reachable, whatever the policy says. */
  ownListeners: () => Listener[];
  /** How far into private networks the operator lets any policy go. Absent: as far as the policy says. */
  ceiling?: (() => PrivateReach) | undefined;
  /** Whose loop time its traffic uses; absent: the service's own. */
  share?: (() => Share) | undefined;
  /**
   * Its Chromium calls the services of its vendor by itself: those are refused without a word. On a branch only pages ask.
   */
  callsItsVendor?: boolean | undefined;
  /** Whose word its Chromium takes for sites; absent: `trust` has no effect. */
  voucher?: Voucher | undefined;
  /** Keeps its bytes back while this node may not act; absent: it always may. */
  gate?: Gate | undefined;
  /** Where names are asked for. */
  names?: NamesOptions | undefined;
  /** Instead of a resolver. */
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
const loopback = '127.0.0.1';

export async function openEgress(options: EgressOptions): Promise<Egress> {
  const main = new Side(options, options);
  const branches = new Map<string, Side>();
  const server = serve((address) =>
    address === undefined || address === loopback ? main : branches.get(address),
  );
  await listen(server, options.listener);
  const { port } = server.address() as AddressInfo;
  const release = options.listener ? () => undefined : claimExitPort(port);
  let closed: Promise<void> | undefined;

  const shut = async (): Promise<void> => {
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    options.listener?.close();
    await Promise.all([ended, ...[main, ...branches.values()].map((side) => side.shut())]);
    release();
  };

  return {
    ...doorOf(main, `http://${loopback}:${port}`, options),
    accept(connection) {
      const client = likeSocket(connection);
      main.exit.otherClients.add(client);
      server.emit('connection', client);
    },
    branch(address, observer) {
      const side = new Side(options, observer);
      branches.set(address, side);
      const close = (): Promise<void> => {
        if (branches.get(address) === side) branches.delete(address);
        return side.shut();
      };
      return { ...doorOf(side, `http://${address}:${port}`, options), close };
    },
    close: () => {
      closed ??= shut();
      return closed;
    },
  };
}

/** One set of rules with its sockets: the exit itself, or a branch of it. */
class Side {
  readonly exit: Exit;
  readonly pool = new KeptConnections();
  readonly traffic = new Traffic();
  readonly clients = new Set<Socket>();

  readonly #names: Names;

  constructor(options: EgressOptions, observer: ExitObserver) {
    this.#names = new Names(options.names);
    const resolve = options.resolve ?? this.#names.resolve;
    const share = options.share ?? (() => shareOf(''));
    const silent = options.callsItsVendor === true && observer === options;
    const network = networkOf(options, this.traffic, resolve);
    this.exit = new Exit(network, observer, share, { silent, voucher: options.voucher });
  }

  async shut(): Promise<void> {
    this.exit.shut();
    this.#names[Symbol.dispose]();
    for (const client of this.clients) client.destroy();
    this.pool.destroy();
    await this.traffic.end();
  }
}

const doorOf = (side: Side, url: string, { ceiling }: EgressOptions): Omit<Branch, 'close'> => ({
  url,
  allow(policy, upstream, trust) {
    const rules = readPolicy(policy, ceiling?.());
    const sites = new Sites(trust);
    side.exit.change({ rules, upstream, bypass: new HostSet(upstream?.bypass ?? []), sites });
    side.pool.drop();
  },
  outcome: (url) => side.exit.outcomes.at(url),
  stats: () => ({ ...side.traffic.count(), refused: side.exit.refused }),
});

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

const networkOf = ({ ownListeners, gate }: EgressOptions, traffic: Traffic, resolve: Resolve): Network => ({
  resolve,
  isOwn: (address, port) => isOwnListener(address, port, ownListeners()),
  isOwnPort: (port) => isOwnPort(port, ownListeners()),
  track(socket) {
    traffic.track(socket);
    gate?.guard(socket);
  },
  gate,
});

function serve(sideAt: (address: string | undefined) => Side | undefined): Server {
  const server = createServer({ ...limits, shouldUpgradeCallback: isWebSocket });
  const sides = new WeakMap<Duplex, Side>();
  server.maxConnections = maxConnections;
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined);
    const side = sideAt(socket.localAddress);
    if (!side) {
      socket.destroy();
      return;
    }
    sides.set(socket, side);
    side.clients.add(socket);
    socket.once('close', () => side.clients.delete(socket));
  });
  const raw =
    (handle: typeof tunnel) =>
    (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      const side = sides.get(socket);
      if (side && isHttp1(request))
        handle(side.exit, request, socket as Socket, head).catch(() => socket.destroy());
      else reject(socket, '400 Bad Request');
    };
  server.on('connect', raw(tunnel));
  server.on('upgrade', raw(webSocket));
  for (const event of ['request', 'checkContinue'] as const) {
    server.on(event, (request, response) => {
      const side = sides.get(request.socket);
      if (side && isHttp1(request))
        forward(side.exit, side.pool, request, response).catch(() => response.destroy());
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
    else server.listen({ host: loopback, port: 0, backlog: 511 }, ready);
  });
}

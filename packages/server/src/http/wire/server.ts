/** The listener with its limits: what a client may send, how slowly, and how many may be connected. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { Config } from '../../config.ts';
import type { Log } from '../../kit/log.ts';
import { noteEarlyAnswer, refuseConnect, refuseExpectation, refuseRequest } from './broken-request.ts';
import { holdExpectations } from './expect-continue.ts';
import { oneAfterAnother } from './one-after-another.ts';
import { keepPlaces } from './places.ts';
import type { HttpObserver } from './request-log.ts';

const headerBytes = 16 * 1024;

/** Longer than the idle time-outs of common load balancers, so that the load balancer closes first. */
const keepAlive = 75_000;

/** Time for a connection to say what it wants. */
const silentMs = 10_000;

/** A connection without traffic for this long is dead; longer than the longest wait for an answer. */
const silence = 15 * 60_000;

/** Besides the headers of a caller, those that are added when its call is passed on. */
const addedBytes = 1024;

type Refuse = typeof refuseRequest;
type IsSocket = (request: IncomingMessage) => boolean;

export function createNodeServer(
  config: Config,
  log: Log,
  listener: RequestListener,
  isSocket: IsSocket,
  observer: HttpObserver = {},
): Server {
  const options = optionsOf(config, isSocket);
  const server = createServer(options, oneAfterAnother(listener, createRefuse(log, observer)));
  const dropped = (from: string | undefined): void => log.warn({ from }, 'connection.dropped');
  keepPlaces(server, config.maxConnections, dropped);
  server.on('drop', (connection) => dropped(connection?.remoteAddress));
  return obeyCommon(server);
}

/** For other nodes: the same limits on each request, and none on connections, which are made with the key of the cluster. */
export function createInnerServer(
  config: Config,
  log: Log,
  inner: { tls: TlsOptions; listener: RequestListener; isSocket: IsSocket; observer?: HttpObserver },
): Server {
  const options = { ...optionsOf(config, inner.isSocket), ...inner.tls };
  options.maxHeaderSize = headerBytes + addedBytes;
  return obeyCommon(
    createTlsServer(options, oneAfterAnother(inner.listener, createRefuse(log, inner.observer))),
  );
}

const createRefuse =
  (log: Log, observer: HttpObserver = {}): Refuse =>
  (request, response, error) => {
    observer.onError?.(error.code);
    log.info({ status: error.status, reason: error.message }, 'request.unreadable');
    refuseRequest(request, response, error);
  };

const optionsOf = ({ requestTimeout }: Config, isSocket: IsSocket): ServerOptions => ({
  maxHeaderSize: headerBytes,
  // Bodies have a limit of their own, which treats uploads differently; see sending-time.ts.
  requestTimeout: 0,
  headersTimeout: Math.min(requestTimeout, silentMs),
  connectionsCheckingInterval: Math.min(5000, Math.max(50, requestTimeout / 4)),
  keepAliveTimeout: keepAlive,
  // A request without Host is refused by the service, in the common shape, instead of by Node with an empty body.
  requireHostHeader: false,
  shouldUpgradeCallback: isSocket,
});

function obeyCommon<S extends Server>(server: S): S {
  server.timeout = silence;
  server.on('request', noteEarlyAnswer);
  holdExpectations(server);
  server.on('checkExpectation', refuseExpectation);
  server.on('connect', refuseConnect);
  return server;
}

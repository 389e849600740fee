/** The listener with its limits: what a client may send, how slowly, and how many may be connected. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
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

export function createNodeServer(
  config: Config,
  log: Log,
  listener: RequestListener,
  isSocket: (request: IncomingMessage) => boolean,
  observer: HttpObserver = {},
): Server {
  const refuse: typeof refuseRequest = (request, response, error) => {
    observer.onError?.(error.code);
    log.info({ status: error.status, reason: error.message }, 'request.unreadable');
    refuseRequest(request, response, error);
  };
  const server = createServer(
    {
      maxHeaderSize: headerBytes,
      // Bodies have a limit of their own, which treats uploads differently; see sending-time.ts.
      requestTimeout: 0,
      headersTimeout: Math.min(config.requestTimeout, silentMs),
      connectionsCheckingInterval: Math.min(5000, Math.max(50, config.requestTimeout / 4)),
      keepAliveTimeout: keepAlive,
      // A request without Host is refused by the service, in the common shape, instead of by Node with an empty body.
      requireHostHeader: false,
      shouldUpgradeCallback: isSocket,
    },
    oneAfterAnother(listener, refuse),
  );
  const dropped = (from: string | undefined): void => log.warn({ from }, 'connection.dropped');
  keepPlaces(server, config.maxConnections, dropped);
  server.timeout = silence;
  server.on('request', noteEarlyAnswer);
  holdExpectations(server);
  server.on('checkExpectation', refuseExpectation);
  server.on('connect', refuseConnect);
  server.on('drop', (connection) => dropped(connection?.remoteAddress));
  return server;
}

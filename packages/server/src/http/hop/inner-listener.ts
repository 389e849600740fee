/** Where other nodes reach this one. It takes what they pass on and nothing else: who has not the key of the cluster gets no
 * further than the handshake. */
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { answerReach, hopBoot, hopHeader, hopServerOptions } from '../../cluster/cluster.ts';
import type { Config } from '../../config.ts';
import type { Log } from '../../kit/log.ts';
import { routeUpgrades } from '../sockets/sockets.ts';
import {
  type App,
  createClientErrorHandler,
  createInnerServer,
  type HttpObserver,
  notePassedOn,
} from '../wire/wire.ts';
import { pulsePath } from './hops.ts';

export interface InnerParts {
  app: App;
  config: Config;
  log: Log;
  observer?: HttpObserver;
  isSocket(request: IncomingMessage): boolean;
}

export function createInnerListener(parts: InnerParts, secret: Uint8Array): Server {
  const { app, config, log, observer } = parts;
  const routing: RequestListener = (request, response) => {
    if (answerReach(request, response, secret)) return;
    const status = noted(request);
    if (status === undefined) app.routing(request, response);
    else response.writeHead(status).end();
  };
  const server = createInnerServer(config, log, {
    tls: hopServerOptions(secret),
    listener: routing,
    isSocket: parts.isSocket,
    observer,
  });
  server.on('clientError', createClientErrorHandler(log, observer));
  server.on('tlsClientError', (error) => log.debug({ err: error }, 'hop.handshake_failed'));
  routeUpgrades(server, { routing });
  return server;
}

/** A status to answer with at once; undefined for a call that was passed on. */
function noted(request: IncomingMessage): number | undefined {
  const { url = '', headers } = request;
  const bootId = hopBoot(headers[hopHeader]);
  // A version of this service that speaks of hops otherwise learns that it is not understood.
  if (bootId === undefined) return 421;
  if (url === pulsePath) return 204;
  if (!url.startsWith('/v1/')) return 404;
  notePassedOn(request, bootId);
  return undefined;
}

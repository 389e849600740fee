/** Where other nodes reach this one. It takes what they pass on and nothing else: who has not the key of the cluster gets no
 * further than the handshake. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
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

export interface InnerParts {
  app: App;
  config: Config;
  log: Log;
  observer?: HttpObserver;
  isSocket(request: IncomingMessage): boolean;
}

export function createInnerListener(parts: InnerParts, secret: Uint8Array): Server {
  const { app, config, log, observer } = parts;
  const listener: RequestListener = (request, response) => {
    if (answerReach(request, response, secret)) return;
    if (note(request, response)) app.routing(request, response);
  };
  const server = createInnerServer(config, log, {
    tls: hopServerOptions(secret),
    listener,
    isSocket: parts.isSocket,
    observer,
  });
  server.on('clientError', createClientErrorHandler(log, observer));
  server.on('tlsClientError', (error) => log.debug({ err: error }, 'hop.handshake_failed'));
  routeUpgrades(server, {
    routing: (request, response) => {
      if (note(request, response)) app.routing(request, response);
    },
  });
  return server;
}

/** A version of this service that speaks of hops otherwise is told that it is not understood. */
function note(request: IncomingMessage, response: ServerResponse): boolean {
  const bootId = hopBoot(request.headers[hopHeader]);
  if (bootId !== undefined) {
    notePassedOn(request, bootId);
    return true;
  }
  response.writeHead(421).end();
  return false;
}

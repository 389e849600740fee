/**
 * The entry point of HTTP. It knows paths, headers and JSON, and decides nothing:
 *
 *   socket → limits → id, log, drain → known path? → (under /v1) key, rate, role, Idempotency-Key, ids → body → schema → handler
 *                                                             another node's browser: passed on (hop) <──┘
 */
import { promisify } from 'node:util';
import { fastify } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Config } from '../config.ts';
import { describeApi } from './contract/contract.ts';
import { createLimit, createStrangers, faultIn } from './gate/gate.ts';
import { type OtherNodes, type OthersParts, openOtherNodes } from './hop/hop.ts';
import { acceptJsonOnly, parseQuery, validatorCompiler } from './in/in.ts';
import { collectRoutes } from './out/out.ts';
import { addRoutes, type RouteParts } from './routes/routes.ts';
import { collectSockets, routeUpgrades, Sockets } from './sockets/sockets.ts';
import {
  type App,
  askForBody,
  BrowserCalls,
  createClientErrorHandler,
  createErrorReply,
  createNodeServer,
  type HttpObserver,
  limitReadingTime,
  limitSendingTime,
  logRequests,
  requestCostMs,
  requestIdOf,
  strangers,
  Traffic,
} from './wire/wire.ts';

export { type Check, dashboardFolder, type MetricsPage, type Readiness } from './routes/routes.ts';

export interface HttpParts extends RouteParts {
  observer?: HttpObserver;
  /** Absent where this node works alone. */
  others?: OthersParts;
}

export interface HttpService {
  readonly app: App;
  listen(): Promise<{ host: string; port: number; url: string }>;
  /** For other nodes, at `BROWSERD_CLUSTER_ADDRESS`; nothing where this one works alone. */
  listenToNodes(): Promise<void>;
  /** Open connections of clients. */
  connections(): Promise<number>;
  /** Says that it will stop soon, so that a load balancer takes it away; it works on as before. */
  announceDrain(): void;
  /**
   * Holds calls on a browser back until the return value is called. Resolves when none is under way any more, or after the
   * grace time.
   */
  holdCalls(browserId: string, graceMs: number): Promise<() => void>;
  /** Takes no new work, lets the running calls finish within the grace time, then closes every connection. */
  drain(graceMs: number): Promise<void>;
  /** Closes every socket: their browsers live on another node from now on. */
  letGo(): Promise<void>;
}

export type { HttpObserver } from './wire/wire.ts';

type IsSocket = ReturnType<typeof collectSockets>;

/** Far more than any field but a script's `args` holds. */
const usualBody = 1024 ** 2;

const commonHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };

const neverBuilt = (): never => {
  throw new Error('The compilers of schemas are set when the app is created.');
};
/** Fastify loads compilers of its own, a third of all its code, unless it is told of others. */
const noOwnCompilers = { compilersFactory: { buildValidator: neverBuilt, buildSerializer: neverBuilt } };

function createApp({ config, log, observer }: HttpParts): { app: App; isSocket: IsSocket } {
  const replyError = createErrorReply(log, observer);
  const app = fastify({
    serverFactory: (listener) =>
      createNodeServer(config, log, listener, (request) => isSocket(request), observer),
    clientErrorHandler: createClientErrorHandler(log, observer),
    genReqId: requestIdOf,
    // A URL that the router cannot read reaches no hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...commonHeaders, 'x-request-id': request.id });
      log.info({ requestId: request.id, method: request.method, reason: error.code }, 'request.unreadable');
      void strangers.turn(requestCostMs).then(() => replyError(error, request, reply));
    },
    schemaController: noOwnCompilers,
    routerOptions: { querystringParser: parseQuery, maxParamLength: 16_384 },
    // Routes with a field that may be larger say so.
    bodyLimit: Math.min(config.bodyLimit, usualBody),
    forceCloseConnections: true,
    return503OnClosing: false,
  }).withTypeProvider<ZodTypeProvider>() as App;
  const isSocket = collectSockets(app);
  app.setErrorHandler(replyError);
  app.setValidatorCompiler(validatorCompiler);
  // Answers are plain data already; checking each against its schema would cost more than building it.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  return { app, isSocket };
}

export async function createHttp(parts: HttpParts): Promise<HttpService> {
  const { config, log, version } = parts;
  const { app, isSocket } = createApp(parts);
  const others = parts.others && (await openOtherNodes({ ...parts, ...parts.others, app, isSocket }));
  const traffic = new Traffic();
  const calls = new BrowserCalls();
  const sockets = new Sockets();
  const whyNotFound = collectRoutes(app);
  app.decorateRequest('principal');
  app.decorateRequest('grant');
  app.decorateRequest('idempotencyKey');
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...commonHeaders, 'x-request-id': request.id });
  });
  logRequests(app, log, parts.observer);
  traffic.watch(app);
  calls.watch(app);
  limitSendingTime(app, config.requestTimeout);
  limitReadingTime(app, config.requestTimeout);
  const limit = await createLimit(app, config.rateLimit, others?.count);
  const askers = createStrangers(limit);
  app.addHook('onRequest', async (request, reply) => {
    const fault = faultIn(request);
    if (!fault && !request.is404) return;
    await askers.enter(request, reply);
    throw fault ?? whyNotFound(request);
  });
  app.addHook('preParsing', async (request, reply) => {
    // the handler of an upload sends 100 Continue itself, once it has accepted the request
    if (!request.routeOptions.config.upload) askForBody(request, reply);
  });
  acceptJsonOnly(app);
  await describeApi(app, version);

  await addRoutes(app, parts, { limit, askers, traffic, calls, sockets, passing: others?.passing });
  await app.ready();
  routeUpgrades(app.server, app);
  return {
    app,
    listen: () => listen(app, config),
    listenToNodes: async () => others?.listen(),
    connections: () => promisify(app.server.getConnections).call(app.server),
    announceDrain: () => traffic.announceDrain(),
    holdCalls: (browserId, graceMs) => calls.hold(browserId, graceMs),
    drain: (graceMs) => drain({ app, traffic, sockets, others }, graceMs),
    letGo: () => sockets.close(1012),
  };
}

async function listen(
  app: App,
  { host, port }: Config,
): Promise<{ host: string; port: number; url: string }> {
  await app.listen({ host, port });
  const address = app.server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return { host, port: bound, url: `http://${name}:${bound}` };
}

interface Draining {
  app: App;
  traffic: Traffic;
  sockets: Sockets;
  others: OtherNodes | undefined;
}

async function drain({ app, traffic, sockets, others }: Draining, graceMs: number): Promise<void> {
  await Promise.all([sockets.close(), others?.splices.close(), traffic.drain(graceMs)]);
  await Promise.all([app.close(), others?.[Symbol.asyncDispose]()]);
}

import { promisify } from 'node:util';
import { fastify } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Access } from '../access/access.ts';
import type { Capabilities } from '../access/capabilities.ts';
import type { Idempotency } from '../access/idempotency.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import type {
  Browsers,
  Downloads,
  OwnerDialogs,
  OwnerPermissions,
  RecordingOrders,
} from '../browsers/browsers.ts';
import type { Config } from '../config.ts';
import type { Events } from '../events/events.ts';
import type { Webhooks } from '../events/webhooks.ts';
import type { Log } from '../kit/log.ts';
import type { Attachments } from '../page/attachments.ts';
import type { Captchas, Captures, LiveViews, Pages, TabScrapes } from '../page/page.ts';
import type { Quick } from '../quick/quick.ts';
import type { App } from './app.ts';
import { createAuth } from './auth.ts';
import { acceptJsonOnly } from './body.ts';
import { createClientErrorHandler } from './broken-request.ts';
import { Traffic } from './drain.ts';
import { askForBody } from './expect-continue.ts';
import { createOnce, readIdempotencyKey } from './idempotent.ts';
import { requireIds } from './ids.ts';
import { collectRoutes } from './not-found.ts';
import { describeApi } from './openapi.ts';
import { createPublicUrl } from './public-url.ts';
import { parseQuery } from './query.ts';
import { createLimit } from './rate-limit.ts';
import { referenceRoutes } from './reference.ts';
import { createErrorReply } from './reply-error.ts';
import { checkRequest } from './request-checks.ts';
import { requestIdOf } from './request-id.ts';
import { type HttpNews, logRequests } from './request-log.ts';
import { browserRoutes } from './routes/browsers.ts';
import { capabilityRoutes } from './routes/capabilities.ts';
import { captchaRoutes } from './routes/captcha.ts';
import { captureRoutes } from './routes/captures.ts';
import { cdpRoutes } from './routes/cdp.ts';
import { dashboardRoutes } from './routes/dashboard.ts';
import { dialogRoutes } from './routes/dialogs.ts';
import { downloadRoutes } from './routes/downloads.ts';
import { eventRoutes } from './routes/events.ts';
import { fileRoutes } from './routes/files.ts';
import { healthRoutes, type Readiness } from './routes/health.ts';
import { keyRoutes } from './routes/keys.ts';
import { liveRoutes } from './routes/live.ts';
import { livePageRoutes } from './routes/live-page.ts';
import { mcpRoutes } from './routes/mcp.ts';
import { type MetricsPage, metricsRoutes } from './routes/metrics.ts';
import { openapiRoutes } from './routes/openapi.ts';
import { permissionRoutes } from './routes/permissions.ts';
import { quickRoutes } from './routes/quick.ts';
import { recordingRoutes } from './routes/recordings.ts';
import { scrapeRoutes } from './routes/scrape.ts';
import { scriptRoutes } from './routes/scripts.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { limitReadingTime, limitSendingTime } from './sending-time.ts';
import { createNodeServer } from './server.ts';
import { Sockets } from './sockets.ts';
import { collectSockets, routeUpgrades } from './upgrade.ts';
import { validatorCompiler } from './validate.ts';

/**
 * The door to HTTP. It knows paths, headers and JSON, and decides nothing:
 *
 *   socket → limits → id, log, drain → known path? → (under /v1) key, rate, role, Idempotency-Key, ids → body → schema → handler
 */
export interface HttpParts {
  config: Config;
  log: Log;
  access: Access;
  capabilities: Capabilities;
  idempotency: Idempotency;
  browsers: Browsers;
  dialogs: OwnerDialogs;
  permissions: OwnerPermissions;
  artifacts: Artifacts;
  events: Events;
  webhooks: Webhooks;
  downloads: Downloads;
  recordings: RecordingOrders;
  pages: Pick<Pages, 'execute'>;
  captures: Pick<Captures, 'screenshot' | 'pdf'>;
  quick: Pick<Quick, 'scrape' | 'screenshot' | 'pdf'>;
  views: Pick<LiveViews, 'open' | 'handoff'>;
  captchas: Pick<Captchas, 'show' | 'resolve'>;
  attachments: Pick<Attachments, 'attach' | 'version' | 'checkIsolation'>;
  scrapes: Pick<TabScrapes, 'scrape'>;
  readiness: Readiness;
  metrics: MetricsPage;
  news?: HttpNews;
  /** Where the built dashboard lies, when it is not in the places where a build puts it. */
  dashboardDir?: string;
  version: string;
}

export interface HttpService {
  readonly app: App;
  listen(): Promise<{ host: string; port: number; url: string }>;
  /** Open connections of clients. */
  connections(): Promise<number>;
  /** Takes no new work, lets the running calls finish within the grace time, then closes every connection. */
  drain(graceMs: number): Promise<void>;
}

export type { HttpNews } from './request-log.ts';
export type { Check, Readiness } from './routes/health.ts';
export type { MetricsPage } from './routes/metrics.ts';

const commonHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };

function createApp({ config, log, news }: HttpParts): App {
  const replyError = createErrorReply(log, news);
  const app = fastify({
    serverFactory: (listener) =>
      createNodeServer(config, log, listener, (request) => isSocket(request), news),
    clientErrorHandler: createClientErrorHandler(log, news),
    genReqId: requestIdOf,
    // An address that the router cannot read reaches no hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...commonHeaders, 'x-request-id': request.id });
      log.info({ requestId: request.id, method: request.method, reason: error.code }, 'request.unreadable');
      replyError(error, request, reply);
    },
    routerOptions: { querystringParser: parseQuery, maxParamLength: 16_384 },
    bodyLimit: config.bodyLimit,
    forceCloseConnections: true,
    return503OnClosing: false,
  }).withTypeProvider<ZodTypeProvider>() as App;
  const isSocket = collectSockets(app);
  app.setErrorHandler(replyError);
  app.setValidatorCompiler(validatorCompiler);
  // Answers are plain data already; checking each against its schema would cost more than making it.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  return app;
}

export async function createHttp(parts: HttpParts): Promise<HttpService> {
  const { config, log, access, browsers, readiness, version } = parts;
  const app = createApp(parts);
  const traffic = new Traffic();
  const sockets = new Sockets();
  const whyNotFound = collectRoutes(app);
  app.decorateRequest('principal');
  app.decorateRequest('grant');
  app.decorateRequest('idempotencyKey');
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...commonHeaders, 'x-request-id': request.id });
  });
  logRequests(app, log, parts.news);
  traffic.watch(app);
  limitSendingTime(app, config.requestTimeout);
  limitReadingTime(app, config.requestTimeout);
  app.addHook('onRequest', async (request) => {
    checkRequest(request);
    if (request.is404) throw whyNotFound(request);
  });
  app.addHook('preParsing', async (request, reply) => {
    // an upload is asked for by its handler, once it knows that it wants it
    if (!request.routeOptions.config.upload) askForBody(request, reply);
  });
  acceptJsonOnly(app);
  const limit = await createLimit(app, config.rateLimit);
  await describeApi(app, version);

  healthRoutes(app, { readiness, version, isDraining: () => traffic.draining });
  await app.register(async (open: App) => {
    open.addHook('onRequest', limit);
    openapiRoutes(open);
    referenceRoutes(open);
    livePageRoutes(open);
    dashboardRoutes(open, parts.dashboardDir);
  });
  const auth = createAuth(access, parts.capabilities, limit);
  await app.register(async (scope: App) =>
    metricsRoutes(scope, { config, metrics: parts.metrics, auth, limit }),
  );
  const publicUrl = createPublicUrl(config.publicUrl);
  await app.register(async (scope: App) =>
    mcpRoutes(scope, { config, log, auth, publicUrl, stopping: traffic.stopping }),
  );
  await app.register(async (v1: App) => {
    v1.addHook('onRequest', auth);
    v1.addHook('onRequest', readIdempotencyKey);
    v1.addHook('onRequest', requireIds);
    v1.addHook('onRoute', ({ schema }) => {
      if (schema) schema.querystring ??= z.strictObject({});
    });
    browserRoutes(v1, { browsers, once: createOnce(parts.idempotency) });
    quickRoutes(v1, { quick: parts.quick });
    scriptRoutes(v1, { pages: parts.pages, heartbeatMs: config.eventHeartbeat });
    captureRoutes(v1, { captures: parts.captures });
    scrapeRoutes(v1, { scrapes: parts.scrapes });
    fileRoutes(v1, { browsers, artifacts: parts.artifacts, uploadLimit: config.uploadLimit });
    dialogRoutes(v1, { dialogs: parts.dialogs });
    permissionRoutes(v1, { permissions: parts.permissions });
    downloadRoutes(v1, { browsers, artifacts: parts.artifacts, downloads: parts.downloads });
    recordingRoutes(v1, { browsers, artifacts: parts.artifacts, recordings: parts.recordings });
    keyRoutes(v1, { access });
    capabilityRoutes(v1, { ...parts, publicUrl });
    captchaRoutes(v1, { ...parts, publicUrl });
    cdpRoutes(v1, { ...parts, sockets, publicUrl });
    liveRoutes(v1, { ...parts, sockets, publicUrl });
    eventRoutes(v1, {
      events: parts.events,
      browsers,
      access,
      heartbeatMs: config.eventHeartbeat,
      stopping: traffic.stopping,
    });
    webhookRoutes(v1, { webhooks: parts.webhooks, once: createOnce(parts.idempotency) });
  });
  await app.ready();
  routeUpgrades(app.server, app);
  return {
    app,
    listen: () => listen(app, config),
    connections: () => promisify(app.server.getConnections).call(app.server),
    drain: (graceMs) => drain(app, traffic, sockets, graceMs),
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

async function drain(app: App, traffic: Traffic, sockets: Sockets, graceMs: number): Promise<void> {
  await Promise.all([sockets.close(), traffic.drain(graceMs)]);
  await app.close();
}

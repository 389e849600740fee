/**
 * All paths of the service, in the order in which they are asked for a key:
 *
 *   /health, /docs, /openapi.json, dashboard, viewer page: none · /metrics, /mcp: their own rule · /v1: a key, always
 */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Access, Capabilities, Idempotency } from '../../access/access.ts';
import type { Artifacts } from '../../artifacts/artifacts.ts';
import type {
  Browsers,
  Downloads,
  OwnerDialogs,
  OwnerNetwork,
  OwnerPermissions,
  OwnerState,
  RecordingOrders,
} from '../../browsers/browsers.ts';
import type { Nodes } from '../../cluster/cluster.ts';
import type { Config } from '../../config.ts';
import type { Events, Webhooks } from '../../events/events.ts';
import type { Extensions } from '../../extensions/extensions.ts';
import type { ProjectFiles } from '../../files/files.ts';
import type { Fonts } from '../../fonts/fonts.ts';
import type { Log } from '../../kit/log.ts';
import type {
  Attachments,
  Captchas,
  Captures,
  Computers,
  Observations,
  Scripts,
  TabCalls,
  TabScrapes,
  Views,
} from '../../page/page.ts';
import type { Profiles } from '../../profiles/profiles.ts';
import type { Quick } from '../../quick/quick.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { alsoAnswers, referenceRoutes } from '../contract/contract.ts';
import {
  createAuth,
  createOnce,
  type Limit,
  readIdempotencyKey,
  requireIds,
  Shares,
  type Strangers,
  type WhileAnswered,
} from '../gate/gate.ts';
import { closeAnywhere, mayBeElsewhere, type PassingOnParts, passCallsOn } from '../hop/hop.ts';
import { createPublicUrl, limitUnreadAnswers, maskAnswers, writePages } from '../out/out.ts';
import type { Sockets } from '../sockets/sockets.ts';
import type { App, BrowserCalls, Traffic } from '../wire/wire.ts';
import { browserRoutes } from './browsers.ts';
import { capabilityRoutes } from './capabilities.ts';
import { captchaRoutes } from './captcha.ts';
import { captureRoutes } from './captures.ts';
import { cdpRoutes } from './cdp.ts';
import { cdpDiscoveryRoutes } from './cdp-discovery.ts';
import { closeBrowsersRoutes } from './close-browsers.ts';
import { computerRoutes } from './computer.ts';
import { dashboardRoutes } from './dashboard.ts';
import { dialogRoutes } from './dialogs.ts';
import { downloadRoutes } from './downloads.ts';
import { eventRoutes } from './events.ts';
import { extensionRoutes } from './extensions.ts';
import { fileRoutes } from './files.ts';
import { fontRoutes } from './fonts.ts';
import { healthRoutes, type Readiness } from './health.ts';
import { type JobCalls, jobRoutes } from './jobs.ts';
import { keyRoutes } from './keys.ts';
import { mcpRoutes } from './mcp.ts';
import { type MetricsPage, metricsRoutes } from './metrics.ts';
import { networkRoutes } from './network.ts';
import { nodeRoutes } from './nodes.ts';
import { observeRoutes } from './observe.ts';
import { openapiRoutes } from './openapi.ts';
import { permissionRoutes } from './permissions.ts';
import { profileSignInRoutes } from './profile-sign-in.ts';
import { profileRoutes } from './profiles.ts';
import { projectFileRoutes } from './project-files.ts';
import { quickRoutes } from './quick.ts';
import { recordingRoutes } from './recordings.ts';
import { scrapeRoutes } from './scrape.ts';
import { scriptRoutes } from './scripts.ts';
import { secretRoutes } from './secrets.ts';
import { tabRoutes } from './tabs.ts';
import { traceViewerRoutes } from './trace-viewer.ts';
import { viewRoutes } from './view.ts';
import { viewPageRoutes } from './view-page.ts';
import { webhookRoutes } from './webhooks.ts';

export { dashboardFolder } from './dashboard.ts';
export type { Check, Readiness } from './health.ts';
export type { MetricsPage } from './metrics.ts';

/** What the handlers call. */
export interface RouteParts {
  config: Config;
  log: Log;
  access: Access;
  capabilities: Capabilities;
  idempotency: Idempotency;
  browsers: Browsers;
  dialogs: OwnerDialogs;
  network: OwnerNetwork;
  permissions: OwnerPermissions;
  state: OwnerState;
  profiles: Profiles;
  extensions: Extensions;
  fonts: Fonts;
  artifacts: Artifacts;
  projectFiles: ProjectFiles;
  events: Events;
  webhooks: Webhooks;
  downloads: Downloads;
  recordings: RecordingOrders;
  secrets: Secrets;
  scripts: Pick<Scripts, 'execute'>;
  captures: Pick<Captures, 'screenshot' | 'pdf'>;
  computers: Pick<Computers, 'use'>;
  observations: Pick<Observations, 'observe'>;
  jobs: JobCalls;
  quick: Pick<Quick, 'scrape' | 'screenshot' | 'compare' | 'pictures' | 'pdf'>;
  views: Pick<Views, 'open' | 'handoff' | 'refuseAbsent'>;
  captchas: Pick<Captchas, 'show' | 'resolve'>;
  attachments: Pick<Attachments, 'attach' | 'version' | 'targets' | 'checkIsolation'>;
  scrapes: Pick<TabScrapes, 'scrape'>;
  tabs: Pick<TabCalls, 'list' | 'get' | 'open' | 'change' | 'close' | 'refuseUnknown'>;
  nodes: Nodes;
  readiness: Readiness;
  metrics: MetricsPage;
  whileAnswered?: WhileAnswered;
  /** Where the built dashboard lies, when it is not in the places where a build puts it. */
  dashboardDir?: string;
  /** Where Playwright's trace viewer lies; without it there is none. */
  traceViewerDir?: string;
  version: string;
}

/** What the parts of one server share. */
export interface ServerParts {
  limit: Limit;
  /** Who asks without a key. */
  askers: Strangers;
  traffic: Traffic;
  calls: BrowserCalls;
  sockets: Sockets;
  /** Absent where the node works alone. */
  passing?: PassingOnParts;
}

export async function addRoutes(app: App, parts: RouteParts, server: ServerParts): Promise<void> {
  const { config, log, access, readiness, version } = parts;
  const { limit, askers, traffic, calls } = server;
  const shares = new Shares(app, config);
  await app.register(async (scope: App) =>
    healthRoutes(scope, { access, readiness, version, askers, isDraining: () => traffic.willDrain }),
  );
  await app.register(async (open: App) => {
    open.addHook('onRequest', askers.enter);
    open.addHook('onRequest', async (request) => shares.refuseStranger(request));
    openapiRoutes(open);
    referenceRoutes(open);
    viewPageRoutes(open, parts.capabilities);
    if (parts.traceViewerDir) traceViewerRoutes(open, parts.traceViewerDir);
    dashboardRoutes(open, parts.dashboardDir);
  });
  const auth = createAuth(parts, limit, shares);
  const publicUrl = createPublicUrl(config.publicUrl);
  await app.register(async (scope: App) =>
    metricsRoutes(scope, { config, metrics: parts.metrics, auth, limit, askers }),
  );
  await app.register(async (scope: App) =>
    mcpRoutes(scope, { config, log, auth, publicUrl, stopping: traffic.stopping }),
  );
  await app.register(async (v1: App) => {
    v1.addHook('onRequest', auth);
    v1.addHook('onRequest', readIdempotencyKey);
    v1.addHook('onRequest', requireIds);
    v1.addHook('onRequest', (request, reply) => calls.admit(request, reply));
    writePages(v1);
    maskAnswers(v1, parts.secrets.masks);
    limitUnreadAnswers(v1);
    if (server.passing) passCallsOn(v1, server.passing);
    v1.addHook('onRoute', ({ schema, config, url }) => {
      if (!schema) return;
      schema.querystring ??= z.strictObject({});
      if (mayBeElsewhere({ url, config }))
        alsoAnswers(schema.response as Record<string, unknown>, 'NODE_LOST');
    });
    addKeyedRoutes(v1, parts, { ...server, publicUrl });
  });
}

function addKeyedRoutes(
  v1: App,
  parts: RouteParts,
  { traffic, sockets, passing, publicUrl }: ServerParts & { publicUrl: ReturnType<typeof createPublicUrl> },
): void {
  const { config, access, browsers, artifacts, projectFiles } = parts;
  const signing = { capabilities: parts.capabilities, events: parts.events, publicUrl };
  const once = createOnce(parts.idempotency);
  browserRoutes(v1, { browsers, once });
  const close: Browsers['close'] = (projectId, id) => browsers.close(projectId, id);
  const closeFor = passing && ((request: FastifyRequest) => closeAnywhere(passing, request, close));
  closeBrowsersRoutes(v1, { browsers, once, closeFor });
  profileRoutes(v1, { profiles: parts.profiles, state: parts.state, once, bodyLimit: config.bodyLimit });
  extensionRoutes(v1, { extensions: parts.extensions });
  fontRoutes(v1, { fonts: parts.fonts });
  profileSignInRoutes(v1, { ...parts, publicUrl });
  quickRoutes(v1, {
    quick: parts.quick,
    masks: parts.secrets.masks,
    bodyLimit: config.bodyLimit,
    projectFiles,
    signing,
    once,
  });
  jobRoutes(v1, {
    jobs: parts.jobs,
    once,
    access,
    masks: parts.secrets.masks,
    bodyLimit: config.bodyLimit,
    heartbeatMs: config.eventHeartbeat,
    stopping: traffic.stopping,
  });
  scriptRoutes(v1, {
    scripts: parts.scripts,
    heartbeatMs: config.eventHeartbeat,
    bodyLimit: config.bodyLimit,
  });
  computerRoutes(v1, { computers: parts.computers });
  observeRoutes(v1, { observations: parts.observations });
  captureRoutes(v1, { captures: parts.captures });
  scrapeRoutes(v1, { scrapes: parts.scrapes, bodyLimit: config.bodyLimit });
  tabRoutes(v1, { tabs: parts.tabs, once });
  projectFileRoutes(v1, { projectFiles, signing, uploadLimit: config.uploadLimit });
  fileRoutes(v1, { browsers, artifacts, signing, uploadLimit: config.uploadLimit });
  dialogRoutes(v1, { dialogs: parts.dialogs });
  networkRoutes(v1, { network: parts.network });
  permissionRoutes(v1, { permissions: parts.permissions });
  downloadRoutes(v1, { browsers, artifacts, signing, downloads: parts.downloads });
  recordingRoutes(v1, { browsers, artifacts, signing, recordings: parts.recordings });
  keyRoutes(v1, { access });
  nodeRoutes(v1, { access, nodes: parts.nodes });
  secretRoutes(v1, { secrets: parts.secrets, scripts: parts.scripts });
  capabilityRoutes(v1, { ...parts, publicUrl });
  captchaRoutes(v1, { ...parts, publicUrl });
  cdpRoutes(v1, { ...parts, sockets });
  cdpDiscoveryRoutes(v1, { ...parts, publicUrl });
  viewRoutes(v1, { ...parts, masks: parts.secrets.masks, sockets, publicUrl });
  eventRoutes(v1, {
    events: parts.events,
    browsers,
    access,
    heartbeatMs: config.eventHeartbeat,
    stopping: traffic.stopping,
  });
  webhookRoutes(v1, { webhooks: parts.webhooks, once });
}

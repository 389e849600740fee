/** The whole service, built in one place from bottom to top and closed in reverse. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Access } from './access/access.ts';
import { Capabilities } from './access/capabilities.ts';
import type { FirstKey } from './access/first-key.ts';
import { Idempotency } from './access/idempotency.ts';
import { Artifacts } from './artifacts/artifacts.ts';
import { openDiskBlobs } from './artifacts/disk-blobs.ts';
import { BrowsersOnNode, Guests, recordingOrders } from './browsers/browsers.ts';
import { openExchanges, openProfileFolders } from './browsers/disk/disk.ts';
import { Downloads } from './browsers/downloads/downloads.ts';
import { createWarmBrowsers } from './browsers/live/live.ts';
import { Capacity } from './browsers/record/record.ts';
import { createVideoMaker, Recordings } from './browsers/recordings/recordings.ts';
import { type Found, findChromium } from './chromium/start/start.ts';
import { type Config, ConfigError } from './config.ts';
import { createOutgoing, PolicyError, readPrivateAccess } from './egress/egress.ts';
import { ApiError } from './errors.ts';
import { createEvents } from './events/events.ts';
import { Webhooks } from './events/webhooks.ts';
import { createHttp } from './http/http.ts';
import { newId } from './kit/id.ts';
import type { Log } from './kit/log.ts';
import { askAtScrape, toldBy } from './measures.ts';
import { countEvents } from './metrics/counted-store.ts';
import { watchExits } from './metrics/exit-totals.ts';
import { createMetrics } from './metrics/metrics.ts';
import { measureProcess } from './metrics/process-metrics.ts';
import { Captchas, type CaptchasParts } from './page/captcha/captcha.ts';
import { Captures } from './page/capture/capture.ts';
import { Scripts, TabScrapes, Views } from './page/page.ts';
import { Attachments } from './page/reach/reach.ts';
import { type Isolation, IsolationError, probeIsolation } from './process/process.ts';
import { Quick } from './quick/quick.ts';
import { createReadiness } from './readiness.ts';
import { openRunners } from './runner/runner.ts';
import { lockFolder } from './store/folder-lock.ts';
import type { Store } from './store/records.ts';
import { openStore } from './store/store.ts';
import { startSweeper } from './sweeper.ts';

export const version = '0.1.0';

export interface Service {
  url: string;
  port: number;
  isolation: Isolation;
  engine: 'shell' | 'full';
  firstKey: FirstKey;
  /** Drains, stops every browser with its state saved, and leaves no process, timer or scratch file. */
  close(): Promise<void>;
}

const heartbeatMs = 10_000;
/** For what is to be sent to webhooks at the very end. */
const webhookFlushMs = 5000;

export async function startService(
  config: Config,
  log: Log,
  env: { PATH?: string; HOME?: string; [name: string]: string | undefined },
): Promise<Service> {
  await using undo = new AsyncDisposableStack();
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFolder(config.dataDir);
  undo.defer(() => lock.release());

  const isolation = await probeIsolation({
    wanted: config.isolation,
    path: env.PATH ?? '',
    runAs: userOf(config),
  });
  refuseOpenBind(config, isolation);
  const found = await findChromium({
    chromiumPath: config.chromiumPath,
    env,
    forAnotherUser: isolation.user !== undefined,
  });
  const engines = chooseEngines(config, found);

  const metrics = createMetrics();
  undo.defer(measureProcess(metrics));
  const told = toldBy(metrics);
  const opened = await openStore({ databaseUrl: config.databaseUrl, dataDir: config.dataDir });
  const store = countEvents(opened, metrics);
  undo.defer(() => store.close());
  const node = await registerNode(store, config.dataDir);
  const beat = setInterval(() => {
    store.nodes
      .heartbeat(node.id, node.bootId, Date.now())
      .catch((error) => log.warn({ err: error }, 'heartbeat.failed'));
  }, heartbeatMs).unref();
  undo.defer(() => clearInterval(beat));

  const access = new Access({ store, log });
  const firstKey = await access.ensureFirstKey({
    apiKey: config.apiKey,
    keyFile: join(config.dataDir, 'admin-key'),
  });
  const listeners: { host: string; port: number }[] = [];
  const outgoing = createOutgoing({
    privateAccess: readWebhookAccess(config),
    ownListeners: () => listeners,
  });
  const webhooks = new Webhooks({
    store,
    log,
    nodeId: node.id,
    bootId: node.bootId,
    post: outgoing.post,
    objection: outgoing.objection,
    retriesMs: config.webhookRetries,
    userAgent: `browserd/${version}`,
  });
  undo.defer(() => webhooks.close(Math.min(webhookFlushMs, config.shutdownGrace)));
  const events = createEvents({ store, log });
  undo.defer(() => events.close());
  const artifacts = new Artifacts({
    store,
    blobs: await openDiskBlobs({
      folder: join(config.dataDir, 'blobs'),
      reserveBytes: config.storageReserve,
    }),
    log,
    nodeId: node.id,
    bootId: node.bootId,
    quotaBytes: config.storageQuota,
    ...told.artifacts,
  });
  undo.defer(() => artifacts.close());
  const sweeper = startSweeper({ store, artifacts, config, log, ...told.sweeper });
  undo.defer(() => sweeper.stop());

  const profiles = await openProfileFolders({ ...config, user: isolation.user });
  const exchanges = await openExchanges(config.exchangeDir, isolation.user);
  undo.defer(() => exchanges.close());
  const downloads = new Downloads({
    artifacts,
    events,
    log,
    limitBytes: config.downloadLimit,
    reserveBytes: config.storageReserve,
    folder: exchanges.folder,
  });
  const unfinished = Map.groupBy(await artifacts.inherit(), ({ kind }) => kind);
  await downloads.giveUp(unfinished.get('download') ?? []);

  const live = {
    profiles,
    exchanges,
    reserveBytes: config.storageReserve,
    isolation,
    binaries: { shell: found.shell?.path, full: found.full?.path },
    sandbox: config.sandbox === 'on',
    launchTimeoutMs: config.launchTimeout,
    cdpTimeoutMs: config.cdpTimeout,
    dialogTimeoutMs: config.dialogTimeout,
    consoleEvents: config.consoleEvents === 'on',
    ownListeners: () => listeners,
    watchExit: watchExits(metrics),
  };
  const pool = createWarmBrowsers({ parts: live, engine: engines.default, size: config.poolSize, log });
  const capacity = new Capacity({
    max: config.maxBrowsers,
    maxPerProject: config.maxBrowsersPerProject,
    queueLimit: config.queueLimit,
  });
  const recordings = new Recordings({
    artifacts,
    events,
    log,
    maker: createVideoMaker({ live, engines: [...new Set([engines.default, ...engines.found])] }),
    folder: join(config.dataDir, 'recordings'),
    maxDurationMs: config.recordingMaxDuration,
    maxBytes: config.recordingMaxSize,
    reserveBytes: config.storageReserve,
  });
  await recordings.inherit(unfinished.get('recording') ?? []);
  const browsers = new BrowsersOnNode({
    store,
    events,
    log,
    pool,
    profiles,
    live,
    downloads,
    recordings,
    capacity,
    engines,
    nodeId: node.id,
    bootId: node.bootId,
    checkpointIntervalMs: config.checkpointInterval,
    defaultMaxDurationMs: config.maxDuration,
    ...told.browsers,
  });
  undo.defer(() => browsers.shutdown());
  await browsers.start();
  undo.defer(() => recordings.close());
  recordings.start();

  const runnersDir = `${config.scratchDir}-runners`;
  await rm(runnersDir, { recursive: true, force: true });
  await mkdir(runnersDir, { recursive: true, mode: 0o711 });
  undo.defer(() => rm(runnersDir, { recursive: true, force: true }));
  const runners = openRunners({
    isolation,
    folder: runnersDir,
    cache: config.cacheDir,
    size: config.runnerPoolSize,
    log,
  });
  undo.defer(() => runners.close());
  runners.start();
  const checkIsolation = async (): Promise<void> => {
    if (isolation.mode === 'strict' || (await store.projects.count()) < 2) return;
    throw new ApiError(
      'ISOLATION_UNAVAILABLE',
      `Code of several projects is run only in strict isolation, which this machine lacks: ${isolation.detail}.`,
    );
  };
  const captures = new Captures({ browsers, artifacts });
  const captchas = new Captchas({
    browsers,
    events,
    solvers: config.captchaSolvers,
    provider: captchaProvider(config, outgoing.post),
  });
  undo.defer(() => captchas.close());
  const scripts = new Scripts({
    browsers,
    runners,
    artifacts,
    captures,
    captchas,
    events,
    log,
    checkIsolation,
    ...told.scripts,
  });
  undo.defer(() => scripts.close());
  const guests = new Guests({ pool, capacity, engine: engines.default, log });
  undo.defer(() => guests.close());
  const quick = new Quick({ guests, captchas, events });
  const views = new Views({
    browsers,
    events,
    log,
    hold: (running) => scripts.hold(running),
    downloads: async (projectId, browserId) => {
      const { items } = await artifacts.list({ projectId, browserId, kind: 'download' }, { limit: 10 });
      return items.map((record) => {
        const { id, suggestedFilename, state, receivedBytes, totalBytes } = downloads.view(record);
        return { id, suggestedFilename, state, receivedBytes, totalBytes };
      });
    },
  });
  const attachments = new Attachments({
    browsers,
    log,
    checkIsolation: () => {
      if (isolation.mode === 'strict') return;
      throw new ApiError(
        'ISOLATION_UNAVAILABLE',
        `CDP clients are let in only in strict isolation, which this machine lacks: ${isolation.detail}.`,
      );
    },
  });

  const readiness = createReadiness({
    store,
    pool,
    capacity,
    isolation,
    sandbox: config.sandbox === 'on',
    folders: [config.dataDir, config.scratchDir, config.exchangeDir],
    leastFreeBytes: config.storageReserve,
    chromium: `${engines.default}: ${live.binaries[engines.default]}`,
  });
  const idempotency = new Idempotency({ store, bootId: node.bootId, log });
  const http = await createHttp({
    config,
    log,
    access,
    idempotency,
    browsers,
    dialogs: browsers.dialogs,
    permissions: browsers.permissions,
    artifacts,
    events,
    webhooks,
    downloads,
    recordings: recordingOrders({ browsers, recordings, artifacts }),
    scripts,
    captures,
    scrapes: new TabScrapes({ browsers }),
    quick,
    views,
    captchas,
    attachments,
    capabilities: new Capabilities({ store }),
    readiness,
    metrics,
    news: told.http,
    version,
  });
  askAtScrape(metrics, {
    store,
    nodeId: node.id,
    capacity,
    pool,
    runners,
    scripts,
    http,
    folders: { data: config.dataDir, scratch: config.scratchDir },
    build: {
      version,
      node: process.version,
      engine: engines.default,
      isolation: isolation.mode,
      database: store.kind,
    },
  });
  undo.defer(() => http.drain(config.shutdownGrace));
  const { host, port, url } = await http.listen();
  listeners.push({ host, port });
  // Not before it is known which addresses are our own.
  await webhooks.start();

  const closing = undo.move();
  let closed: Promise<void> | undefined;
  return {
    url,
    port,
    isolation,
    engine: engines.default,
    firstKey,
    close: () => {
      closed ??= closing.disposeAsync();
      return closed;
    },
  };
}

/** The user that Chromium runs as when the service was started as root. */
export function userOf({ runAs }: Config): { uid: number; gid: number } {
  const [uid = 65534, gid = 65534] = runAs.split(':').map(Number);
  return { uid, gid };
}

const loopback = /^(127\.|localhost$|::1$|\[::1\]$)/;

export function refuseOpenBind(config: Config, isolation: Isolation): void {
  if (isolation.mode === 'strict' || loopback.test(config.host)) return;
  throw new IsolationError(
    `BROWSERD_HOST is ${config.host}, which others can reach, but browsers cannot be isolated strictly here: ` +
      `${isolation.detail}. Mend that (see SECURITY.md), or listen on 127.0.0.1.`,
  );
}

function readWebhookAccess(config: Config): ReturnType<typeof readPrivateAccess> {
  try {
    return readPrivateAccess(config.webhookPrivateAccess);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new ConfigError(`BROWSERD_WEBHOOK_PRIVATE_ACCESS is wrong: ${error.reason}.`);
  }
}

function captchaProvider(
  { captchaProviderUrl: url, captchaProviderKey: key }: Config,
  post: ReturnType<typeof createOutgoing>['post'],
): CaptchasParts['provider'] {
  if (url === null && key === null) return undefined;
  if (url !== null && key !== null) return { url, key, post };
  throw new ConfigError(
    'BROWSERD_CAPTCHA_PROVIDER_URL and BROWSERD_CAPTCHA_PROVIDER_KEY belong together: give both or neither.',
  );
}

export class NoChromiumError extends Error {}

export function chooseEngines(
  config: Config,
  found: Found,
): { default: 'shell' | 'full'; found: ('shell' | 'full')[] } {
  const engines = (['shell', 'full'] as const).filter((engine) => found[engine]);
  const wanted = config.engine === 'auto' ? engines[0] : config.engine;
  if (wanted && engines.includes(wanted)) return { default: wanted, found: engines };
  const what = wanted ? `BROWSERD_ENGINE is ${wanted}, but no such Chromium` : 'No Chromium';
  throw new NoChromiumError(
    `${what} was found on this machine. Install one (Debian: apt-get install chromium-headless-shell), ` +
      `or name one with BROWSERD_CHROMIUM_PATH. Searched:\n  ${found.searched.join('\n  ')}`,
  );
}

/** The node keeps its id over restarts, so that it finds its browsers again; the boot id tells the runs apart. */
async function registerNode(store: Store, dataDir: string): Promise<{ id: string; bootId: string }> {
  const file = join(dataDir, 'node-id');
  const known = await readFile(file, 'utf8').catch(() => '');
  const id = known.trim() || newId('node');
  if (!known) await writeFile(file, `${id}\n`, { mode: 0o600 });
  const bootId = newId('node');
  const now = Date.now();
  await store.nodes.boot({ id, bootId, startedAt: now, heartbeatAt: now });
  return { id, bootId };
}

/** The whole service on one page: every room is opened from bottom to top, and closed in reverse. */
import { join } from 'node:path';
import { type FirstKey, openAccess } from './access/access.ts';
import { openBorders } from './borders.ts';
import { openBrowsers } from './browsers/browsers.ts';
import { startChores } from './chores.ts';
import { findEngines } from './chromium/chromium.ts';
import { Nodes } from './cluster/cluster.ts';
import type { Config } from './config.ts';
import { openEvents } from './events/events.ts';
import { createHttp } from './http/http.ts';
import { openJobs } from './jobs/jobs.ts';
import { type JoiningParts, joinNodes, othersOf, reportLoad } from './joining.ts';
import { openKeeping } from './keeping.ts';
import type { Engine } from './kit/engine.ts';
import { type Log, maskLog } from './kit/log.ts';
import { letGoWhenReplaced, prepareLeaving } from './leaving.ts';
import { metricsObservers, readAtScrape } from './measures.ts';
import { openMetrics, watchExits } from './metrics/metrics.ts';
import { openPages } from './page/page.ts';
import {
  emptyFolder,
  type Isolation,
  openPauses,
  probeIsolation,
  refuseOpenBind,
  refuseUnboxed,
} from './process/process.ts';
import { Quick } from './quick/quick.ts';
import { createReadiness } from './readiness.ts';
import { startResealing } from './resealing.ts';
import { startRunners, traceViewerFolder } from './runner/runner.ts';
import { openSealing } from './sealing/sealing.ts';
import { Masks, maskingEvents, Secrets } from './secrets/secrets.ts';
import { lockFolder, openStore } from './store/store.ts';

export const version = '0.1.0';

export interface Service {
  url: string;
  port: number;
  isolation: Isolation;
  engine: Engine;
  firstKey: FirstKey;
  /**
   * Why it must be closed: another service has taken its place in the database. Its Chromiums are being ended then. Never
   * settles otherwise.
   */
  replaced: Promise<string>;
  /** The operator asked that it hands its browsers over and ends: it is to be closed. Never settles otherwise. */
  drainAsked: Promise<void>;
  /** Drains, hands every browser over or stops it with its state saved, and leaves no process, timer or scratch file. */
  close(): Promise<void>;
}

export async function startService(
  config: Config,
  log: Log,
  env: { PATH?: string; HOME?: string; [name: string]: string | undefined },
  { onJoined }: Pick<JoiningParts, 'onJoined'> = {},
): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  opened.use(lockFolder(config.dataDir));
  const isolation = await probeIsolation({
    wanted: config.isolation,
    path: env.PATH ?? '',
    runAs: config.runAs,
  });
  refuseOpenBind(config.host, isolation);
  refuseUnboxed(config.clusterAddress, isolation);
  const engines = await findEngines({ ...config, env, isolation });
  const { metrics } = opened.use(openMetrics());
  const observers = metricsObservers(metrics);

  const sealing = openSealing(config);
  const masks = new Masks();
  opened.defer(maskLog((text) => masks.everywhere(text)));
  const store = maskingEvents(await openStore({ ...config, ...observers.store, sealing }), masks);
  opened.defer(() => store.close());
  const { node, turn } = opened.use(await joinNodes({ config, store, log, version, onJoined }));
  const here = { config, log, node, turn, isolation };
  opened.use(startResealing({ store, log, turn }));
  const secrets = new Secrets({ store, masks });
  await secrets.maskUsed();
  if (!node.alone) opened.use(secrets.keepMasking(log));
  const { bootId } = node;
  const { oneProject } = isolation;
  const access = await openAccess({ ...config, store, log, bootId, oneProject });

  const borders = opened.use(
    await openBorders({ config, store, node, projectName: (id) => access.access.projectName(id) }),
  );
  const { ceiling, outgoing, gate, ownListeners, countProjects } = borders;
  const {
    events,
    webhooks,
    store: ordered,
  } = opened.use(openEvents({ ...here, ...outgoing, store, userAgent: `browserd/${version}` }));
  const keeping = opened.use(await openKeeping({ ...here, store, ordered, sealing, observers, version }));
  const { artifacts, profiles, extensions, projectFiles, answers, dependsOn } = keeping;

  const pauses = opened.use(openPauses(isolation));
  const { browsers, downloads, recordings, cuts, guests, capacity, pool, endLostWork } = opened.use(
    await openBrowsers({
      ...here,
      store: ordered,
      events,
      artifacts,
      saved: profiles,
      sealing,
      extensions,
      fonts: keeping.fontSets,
      pauses,
      engines,
      ownListeners,
      gate,
      ceiling,
      masks,
      ...(!node.alone && { beforeReturn: () => secrets.maskUsed() }),
      watchExit: watchExits(metrics),
      ...observers.browsers,
    }),
  );
  reportLoad(node, { capacity, pool });
  opened.use(startChores({ ...here, store, browsers, profiles, endLostWork }));
  const runners = opened.use(await startRunners({ config, isolation, pauses, log }));
  const evidenceDir = opened.use(await emptyFolder(join(config.dataDir, 'evidence'), 0o700));
  const used = { browsers, downloads, cuts, secrets, runners, artifacts, projectFiles, events };
  const pages = opened.use(
    openPages({
      ...here,
      ...used,
      evidenceDir: evidenceDir.path,
      post: outgoing.post,
      countProjects,
      ...observers.scripts,
    }),
  );
  const { captchas, pixels, scripts } = pages;
  const quick = new Quick({ guests, captchas, pixels, events, files: projectFiles, answers, dependsOn });
  const worked = { quick, capacity, webhooks, masks, artifacts, files: projectFiles, past: keeping.past };
  const jobs = openJobs({ ...here, ...worked, store: ordered, ...observers.jobs });

  const chromium = `${engines.default}: ${engines.binaries[engines.default]}`;
  const served = { browsers, events, webhooks, downloads, recordings, secrets, quick, jobs };
  const http = await createHttp({
    ...here,
    ...access,
    ...pages,
    ...keeping,
    ...served,
    others: othersOf(node, config, browsers),
    dialogs: browsers.dialogs,
    network: browsers.network,
    permissions: browsers.permissions,
    state: browsers.state,
    nodes: new Nodes({ store, cluster: node, log }),
    readiness: createReadiness({ config, store, pool, capacity, isolation, chromium, node }),
    metrics,
    observer: observers.http,
    traceViewerDir: traceViewerFolder,
    whileAnswered: (projectId) => pauses.during(projectId),
    version,
  });
  const running = { version, engine: engines.default };
  readAtScrape(metrics, { ...here, ...running, store, capacity, pool, runners, scripts, jobs, http });
  opened.defer(() => http.drain(config.shutdownGrace));
  await http.listenToNodes();
  const { host, port, url } = await http.listen();
  borders.listensAt({ host, port });
  // Not before it is known which addresses are the service's own.
  await webhooks.start();
  opened.use(prepareLeaving({ node, browsers, http, graceMs: config.shutdownGrace, log }));
  // Closed before anything else is drained: its pages go back in line while callers get their answers.
  opened.use(jobs.start());

  const replaced = letGoWhenReplaced({ node, browsers, http });
  const closing = opened.move();
  let closed: Promise<void> | undefined;
  return {
    url,
    port,
    isolation,
    engine: engines.default,
    firstKey: access.firstKey,
    replaced,
    drainAsked: node.drainAsked,
    close: () => {
      closed ??= closing.disposeAsync();
      return closed;
    },
  };
}

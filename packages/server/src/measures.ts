/** Joins the metrics with what they measure: the rooms know nothing of metrics; they have callbacks, or are read. */
import { statfs } from 'node:fs/promises';
import { type Capacity, statuses, type WarmBrowsers } from './browsers/browsers.ts';
import type { Cluster } from './cluster/cluster.ts';
import { errorTable } from './errors.ts';
import type { HttpObserver, HttpService } from './http/http.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Scripts } from './page/page.ts';
import type { RunnerHost } from './runner/runner.ts';
import type { Store } from './store/records.ts';

/** What each room is given to report to, by its name. */
export const metricsObservers = (metrics: Metrics) => ({
  store: {
    onEvents: (events: readonly { type: string }[]) => {
      for (const { type } of events) metrics.count('browserd_events_total', { type });
    },
  },
  browsers: {
    onStarted: ({ how, warm, ms }: { how: string; warm: boolean; ms: number }) =>
      metrics.observe('browserd_browser_start_seconds', { how, chromium: warm ? 'warm' : 'cold' }, ms / 1000),
  },
  scripts: {
    onExecuted: (code: string | undefined, ms: number) => {
      // what a runner sends is untrusted: only known codes become labels
      const outcome = code === undefined ? 'ok' : code in errorTable ? code : 'other';
      metrics.count('browserd_scripts_total', { outcome });
      metrics.observe('browserd_script_seconds', {}, ms / 1000);
    },
  },
  jobs: {
    onPage: (outcome: string) => metrics.count('browserd_job_pages_total', { outcome }),
  },
  artifacts: {
    onAdded: ({ kind, size }: { kind: string; size: number }) => {
      metrics.count('browserd_artifacts_total', { kind });
      metrics.count('browserd_artifact_bytes_total', { kind }, size);
    },
    onRefused: (code: string) => metrics.count('browserd_artifacts_refused_total', { code }),
  },
  sweeper: {
    onSwept: (what: string, count: number) => metrics.count('browserd_swept_total', { what }, count),
  },
  http: {
    onAnswered: ({ method, route = 'none', status, ms }) => {
      metrics.count('browserd_http_requests_total', { method, route, status: String(status) });
      metrics.observe('browserd_http_request_seconds', { method, route }, ms / 1000);
    },
    onError: (code) => metrics.count('browserd_errors_total', { code }),
  } satisfies HttpObserver,
});

export interface Measured {
  store: Store;
  node: Pick<Cluster, 'id' | 'alone' | 'lease' | 'members'>;
  capacity: Capacity;
  pool: WarmBrowsers;
  runners: RunnerHost;
  scripts: Scripts;
  jobs: Pick<Jobs, 'running'>;
  http: HttpService;
  config: { dataDir: string; scratchDir: string };
  version: string;
  engine: string;
  isolation: { mode: string };
}

/** There from the start, so that the first of each is seen as a change from none to one. */
const usualEvents = [
  ...['created', 'ready', 'stopped', 'resuming', 'recovering', 'recovered', 'closed', 'failed'].map(
    (what) => `browser.${what}`,
  ),
];

/** `closed` ones are as many as were ever made, and only a counter may grow like that. */
const counted = statuses.filter((status) => status !== 'closed');

const activeJobs = ['queued', 'running'];

export function readAtScrape(metrics: Metrics, parts: Measured): void {
  const { store, capacity, pool, runners } = parts;
  const folders = { data: parts.config.dataDir, scratch: parts.config.scratchDir };
  for (const type of usualEvents) metrics.count('browserd_events_total', { type }, 0);
  const { version, engine, isolation } = parts;
  const build = { version, node: process.version, engine, isolation: isolation.mode, database: store.kind };
  metrics.readFrom('browserd_build_info', () => [{ ...build, value: 1 }]);
  metrics.readFrom('browserd_browsers', async () => {
    const found = await store.browsers.countOfNode(parts.node.id, counted);
    const counts = new Map(found.map(({ status, count }) => [status, count]));
    return counted.map((status) => ({ status, value: counts.get(status) ?? 0 }));
  });
  metrics.readFrom('browserd_jobs', async () => {
    const found = await store.jobs.countByStatus(activeJobs);
    const counts = new Map(found.map(({ status, count }) => [status, count]));
    return activeJobs.map((status) => ({ status, value: counts.get(status) ?? 0 }));
  });
  metrics.readFrom('browserd_job_pages_running', () => parts.jobs.running());
  metrics.readFrom('browserd_capacity_used', () => capacity.usage().used);
  metrics.readFrom('browserd_capacity_limit', () => capacity.usage().max);
  metrics.readFrom('browserd_capacity_share', () => {
    const { used, max } = capacity.usage();
    return max === 0 ? 1 : used / max;
  });
  metrics.readFrom('browserd_capacity_queue', () => capacity.usage().waiting);
  const pools = { chromium: pool, runner: runners };
  const ofPools = (what: 'warm' | 'wanted') => () =>
    Object.entries(pools).map(([process, each]) => ({ process, value: each.size()[what] }));
  metrics.readFrom('browserd_pool_warm', ofPools('warm'));
  metrics.readFrom('browserd_pool_wanted', ofPools('wanted'));
  metrics.readFrom('browserd_script_queue', () => parts.scripts.waiting());
  metrics.readFrom('browserd_artifacts_stored_bytes', () => store.artifacts.totalUsage());
  metrics.readFrom('browserd_disk_free_bytes', () =>
    Promise.all(
      Object.entries(folders).map(async ([folder, path]) => {
        const { bavail, bsize } = await statfs(path);
        return { folder, value: bavail * bsize };
      }),
    ),
  );
  metrics.readFrom('browserd_http_connections', () => parts.http.connections());
  readNodes(metrics, parts.node);
  metrics.readFrom('browserd_cluster_queue', () => (parts.node.alone ? 0 : store.placement.homeless()));
}

const nodeStates = ['up', 'draining'];

/** Of the last look that this node took at the others: a scrape asks the database for nothing more. */
function readNodes(metrics: Metrics, node: Measured['node']): void {
  const members = () => node.members();
  metrics.readFrom('browserd_nodes', () =>
    nodeStates.map((state) => ({ state, value: members().filter((each) => each.state === state).length })),
  );
  metrics.readFrom('browserd_node_versions', () => new Set(members().map(({ version }) => version)).size);
  metrics.readFrom(
    'browserd_node_silence_seconds',
    () => Math.max(0, ...members().map(({ silentMs }) => silentMs)) / 1000,
  );
  metrics.readFrom('browserd_lease_held', () => Number(node.lease.held()));
  metrics.count('browserd_lease_lost_total', {}, 0);
  node.lease.onChange((held) => {
    if (!held) metrics.count('browserd_lease_lost_total', {});
  });
}

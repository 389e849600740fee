/**
 * Every number that `GET /metrics` shows, one row each; docs/metrics.md is generated from these rows. No label may
 * take values that callers choose (ids, addresses, names): each combination of values is kept for as long as the
 * process lives.
 */
interface Definition {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  labels: readonly string[];
  buckets?: readonly number[];
}

const counter = <const L extends string = never>(help: string, ...labels: L[]) =>
  ({ type: 'counter', help, labels }) as const;
const gauge = <const L extends string = never>(help: string, ...labels: L[]) =>
  ({ type: 'gauge', help, labels }) as const;
const seconds = <const L extends string = never>(help: string, buckets: readonly number[], ...labels: L[]) =>
  ({ type: 'histogram', help, labels, buckets }) as const;

/** From a warm Chromium to one that hardly came up. */
const startBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Scripts may run for two minutes, and wait before that. */
const scriptBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const httpBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

export const definitions = {
  browserd_build_info: gauge(
    'Always 1; the labels say what is running.',
    'version',
    'node',
    'engine',
    'isolation',
    'database',
  ),
  browserd_browsers: gauge('Browsers of this node by status; closed ones are not counted.', 'status'),
  browserd_browser_start_seconds: seconds(
    'Time from having room for a browser to its being ready: for a new one (create), a stopped one (resume) or a crashed one (recovery), on a Chromium that was up already (warm) or not (cold).',
    startBuckets,
    'how',
    'chromium',
  ),
  browserd_events_total: counter(
    'Events written, by type: what browsers, tabs and scripts went through.',
    'type',
  ),
  browserd_script_seconds: seconds(
    'Time from the request to run code to its answer, waiting in line included.',
    scriptBuckets,
  ),
  browserd_jobs: gauge('Jobs of the database that are not over, by status.', 'status'),
  browserd_job_pages_running: gauge('Pages of jobs that this node works on.'),
  browserd_job_pages_total: counter('Pages of jobs that this node finished, by outcome.', 'outcome'),
  browserd_scripts_total: counter(
    'Requests to run code, by outcome: ok, the code of the error, or other.',
    'outcome',
  ),
  browserd_script_queue: gauge('Requests to run code that run or wait, over all browsers.'),
  browserd_capacity_used: gauge('Browsers with a running Chromium, or about to have one.'),
  browserd_capacity_limit: gauge('How many there may be at once (BROWSERD_MAX_BROWSERS).'),
  browserd_capacity_share: gauge('The share of that limit in use, from 0 to 1: what to scale nodes by.'),
  browserd_capacity_queue: gauge('Creates, resumes and quick actions that wait for room on this node.'),
  browserd_cluster_queue: gauge(
    'Browsers that wait for any node with room. Every node says the same, so take the largest, not the sum.',
  ),
  browserd_pool_warm: gauge(
    'Warm processes that belong to nobody yet: chromium for browsers, runner for their code.',
    'process',
  ),
  browserd_pool_wanted: gauge('How many of them are to be kept.', 'process'),
  browserd_egress_bytes_total: counter(
    'Bytes between browsers and the network, by direction: in is what they received.',
    'direction',
  ),
  browserd_egress_connections: gauge('Open connections of browsers towards the network.'),
  browserd_egress_refused_total: counter('Connections of browsers that a policy refused.'),
  browserd_artifacts_total: counter(
    'Artifacts that were kept, by kind: file, download or recording.',
    'kind',
  ),
  browserd_artifact_bytes_total: counter('Their bytes.', 'kind'),
  browserd_artifacts_refused_total: counter(
    'Artifacts that were not kept, by the code of the error: QUOTA_EXCEEDED, STORAGE_FULL and others.',
    'code',
  ),
  browserd_artifacts_stored_bytes: gauge('Bytes of all artifacts that are kept now, on all nodes.'),
  browserd_disk_free_bytes: gauge('Free bytes on the disk of a folder: data or scratch.', 'folder'),
  browserd_swept_total: counter(
    'What was removed because its time was over: browsers with their records, and blobs, the bytes of artifacts.',
    'what',
  ),
  browserd_nodes: gauge('Nodes that this one knows of, itself included, by state: up or draining.', 'state'),
  browserd_node_versions: gauge(
    'Different versions of browserd among them; 1 unless an upgrade is under way.',
  ),
  browserd_node_silence_seconds: gauge('The longest time since one of them gave a sign of life.'),
  browserd_lease_held: gauge(
    'Whether this node may let bytes of its browsers out: 1, or 0 while it cannot renew its lease. Always 1 for one that works alone.',
  ),
  browserd_lease_lost_total: counter('How often this node lost its lease.'),
  browserd_http_requests_total: counter(
    'Answered requests by method, route and status; the route is `none` where there is no such path.',
    'method',
    'route',
    'status',
  ),
  browserd_http_request_seconds: seconds(
    'Time from the head of a request to the last byte of its answer.',
    httpBuckets,
    'method',
    'route',
  ),
  browserd_http_connections: gauge('Open connections of clients.'),
  browserd_errors_total: counter('Refused or failed requests, by the code of the error.', 'code'),
  browserd_event_loop_delay_seconds: gauge(
    'How late the event loop was since the last scrape: p50, p99 and max.',
    'quantile',
  ),
  browserd_metrics_failed: gauge('Numbers that could not be found out for this scrape, and are left out.'),
  process_cpu_seconds_total: counter('CPU time of the service, without its browsers.'),
  process_resident_memory_bytes: gauge('Memory of the service, without its browsers.'),
  process_heap_bytes: gauge(
    'Heap of the service: used by objects, or total, what is set aside for them.',
    'what',
  ),
  process_open_fds: gauge('Open file descriptors of the service.'),
  process_start_time_seconds: gauge('When the service was started, in seconds since 1970.'),
} as const satisfies Record<string, Definition>;

type Definitions = typeof definitions;
export type MetricName = keyof Definitions;
export type NameOf<Type extends Definition['type']> = {
  [Name in MetricName]: Definitions[Name]['type'] extends Type ? Name : never;
}[MetricName];
/** The labels of a metric, each with its value; an empty object for those without. */
export type LabelsOf<Name extends MetricName> = Record<Definitions[Name]['labels'][number], string>;

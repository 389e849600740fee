/**
 * Each setting is one row: how it is read, what it is when absent, and what to tell the operator.
 * `docs/configuration.md` is generated from the same rows.
 */
import { availableParallelism, totalmem } from 'node:os';
import { z } from 'zod';
import { clusterSettings } from './cluster-settings.ts';
import { type Setting, setting } from './setting.ts';
import { apiKey, count, duration, list, nameServers, path, publicUrl, secretKeys, size } from './values.ts';

/** Memory that one more browser should find. */
export const memoryOfBrowser = 256 * 1024 ** 2;
const defaultMaxBrowsers = String(Math.max(4, Math.floor(totalmem() / memoryOfBrowser)));
const machineMemoryMb = Math.floor(totalmem() / 1024 ** 2);
const defaultBrowserMemoryMb = String(Math.min(2048, Math.max(256, Math.floor(machineMemoryMb / 2))));
const defaultMaxBrowserMemoryMb = String(Math.max(256, Math.floor(machineMemoryMb / 2)));
const defaultPoolSize = String(availableParallelism() < 2 ? 2 : 5);

export const settings = {
  host: setting(
    z.string().min(1),
    '127.0.0.1',
    'Address to listen on. Anything but loopback needs strict isolation.',
  ),
  port: setting(count(0, 65_535), '8787', 'Port to listen on; 0 takes a free one.'),
  publicUrl: setting(
    publicUrl,
    null,
    'What addresses that are handed out begin with, when a proxy or TLS terminator stands in front: `https://browsers.example.com`, or with a path.',
    'the host that the caller used',
  ),
  dataDir: setting(
    path,
    '.browserd',
    'Folder for the database, the first key, the files and the state of stopped browsers.',
  ),
  scratchDir: setting(
    path,
    null,
    'Folder for the profiles of running browsers; a fast local disk or tmpfs. Emptied on start.',
    'a folder of its own in memory (/dev/shm) where 2 GiB are free there, else in the temporary folder',
  ),
  exchangeDir: setting(
    path,
    null,
    'Folder for downloads under way and for files that pages may read; on a disk, since one file may be larger than the memory. Emptied on start.',
    '`exchange` in the data folder; when started as root, a folder of its own in /var/tmp, which the user that Chromium runs as can reach',
  ),
  cacheDir: setting(
    path,
    null,
    'Folder for what the service prepares once and finds again at later starts: a copy of Playwright, compiled. Services of one user share it; it holds at most a few copies of about 15 MB and may be deleted at any time. It is left unused when other users can write to it.',
    '/var/cache/browserd when started as root (macOS: /Library/Caches/browserd), else `browserd` in the user’s cache folder; where there is none, nothing is kept',
  ),
  apiKey: setting(apiKey, null, 'The first admin key, instead of one made on first start.'),
  secretKey: setting(
    secretKeys,
    null,
    'The key that seals what is stored (checkpoints, proxy passwords, secrets): 32 bytes as base64 or hex. Of several, separated by commas, the first seals and all open; see docs/secrets.md.',
    'a key file, `secret-key` in the data folder, made at the first start',
  ),
  databaseUrl: setting(
    z.string().regex(/^(sqlite:|postgres(ql)?:\/\/)/, 'expected postgres://… or sqlite:PATH'),
    null,
    'Where records live.',
    'SQLite in the data folder',
  ),
  ...clusterSettings,
  chromiumPath: setting(
    path,
    null,
    'The Chromium to run, instead of the ones found on the machine.',
    'searched',
  ),
  engine: setting(
    z.enum(['auto', 'shell', 'full']),
    'auto',
    'Engine of a browser that does not ask for one: `shell` (headless shell), `full` (whole Chromium), or `auto`: shell where found.',
  ),
  poolSize: setting(
    count(0, 100),
    defaultPoolSize,
    'Warm Chromium processes kept ready, so that a create takes milliseconds. 0 turns the pool off.',
    '5, or 2 on a single core',
  ),
  runnerPoolSize: setting(
    count(0, 100),
    '2',
    'Warm processes kept ready to run browser code, so that a first call takes milliseconds.',
  ),
  maxBrowsers: setting(
    count(1, 10_000),
    defaultMaxBrowsers,
    'Browsers with a running Chromium at the same time.',
    'one per 256 MiB of memory, at least 4',
  ),
  maxBrowsersPerProject: setting(
    count(1, 10_000),
    null,
    'The same limit for each project; in a cluster over all nodes, for browsers, while quick actions count on their own node.',
    'all of them for a project that is alone; three quarters where there are several, also of the queue',
  ),
  maxTabs: setting(
    count(1, 10_000),
    '100',
    'Tabs that one browser may have. What its pages open beyond is closed at once; callers get the error `TOO_MANY_TABS`.',
  ),
  browserMemoryMb: setting(
    count(256, 1_048_576),
    defaultBrowserMemoryMb,
    'Memory, in MiB, that a browser may use whose create names none (`memoryMb`): all its processes together. Above it the page that uses the most is ended, then the whole Chromium.',
    '2048, or half of the memory of the machine where that is less',
  ),
  maxBrowserMemoryMb: setting(
    count(256, 1_048_576),
    defaultMaxBrowserMemoryMb,
    'The most that `memoryMb` of a create may be.',
    'half of the memory of the machine',
  ),
  jobsReserve: setting(
    count(0, 10_000),
    null,
    'Browsers that pages of jobs leave free for callers who wait for an answer: of all, and of the limit of a project. A limit always leaves jobs one.',
    'a quarter of BROWSERD_MAX_BROWSERS, at most 8',
  ),
  maxJobsPerProject: setting(
    count(1, 100_000),
    '1000',
    'Jobs of a project that are not over. Beyond them a new one is 429 `TOO_MANY_JOBS`.',
  ),
  queueLimit: setting(
    count(0, 100_000),
    '100',
    'Creates that may wait for capacity at the same time; in a cluster each node adds so many to the one line.',
  ),
  isolation: setting(
    z.enum(['auto', 'strict', 'process', 'one-project']),
    'auto',
    '`strict` boxes every Chromium (bubblewrap); `process` relies on Chromium’s own sandbox; `auto` takes strict where it works. `one-project` is `auto` for platforms that allow no boxes: it may listen on all addresses even so, and takes keys of the project `default` alone. That is weaker; see SECURITY.md.',
  ),
  sandbox: setting(
    z.enum(['on', 'off']),
    'on',
    'Chromium’s own sandbox. `off` is an explicit, dangerous override for machines that cannot have it.',
  ),
  runAs: setting(
    z.string().regex(/^\d+:\d+$/, 'expected uid:gid in numbers'),
    '65534:65534',
    'When started as root: the user that Chromium runs as, as uid:gid.',
  ),
  maxDuration: setting(duration, '24h', 'Age at which a browser is closed when its create names none.'),
  retention: setting(duration, '7d', 'How long the records and artifacts of closed browsers are kept.'),
  idempotencyRetention: setting(duration, '24h', 'How long an Idempotency-Key is remembered.'),
  idempotencySize: setting(
    size,
    '512MiB',
    'Bytes that the answers which are kept for an Idempotency-Key may have together, for each project. Beyond it the oldest refusals that changed nothing (400, 404) go first; when there are none left, calls with a new key are 429 `RATE_LIMITED`, except those that delete.',
  ),
  checkpointInterval: setting(
    duration,
    '2s',
    'Shortest time between two saved states of a browser that changes.',
  ),
  profileVersions: setting(
    count(1, 100),
    '5',
    'Versions that are kept of each saved profile; the oldest goes when one more is saved.',
  ),
  profileInterval: setting(
    duration,
    '30s',
    'Shortest time between two versions that a running browser with `save: always` makes of its profile.',
  ),
  answerCache: setting(
    size,
    '256MiB',
    'Bytes that the kept answers of quick actions with `maxAgeMs` may have together, for each project. Those that were not used for the longest go first; they do not count into its quota. `0`: none is kept.',
  ),
  answerCacheTime: setting(
    duration,
    '24h',
    'How long such an answer is kept after it was made, or after its site said that the page is still the same.',
  ),
  launchTimeout: setting(duration, '30s', 'Time for a Chromium to come up.'),
  cdpTimeout: setting(duration, '10s', 'Time for Chromium to answer one command of the service.'),
  chromiumMessageLimit: setting(
    size,
    '72MiB',
    'Largest message that a Chromium may send to the service. Pages decide how long some of them are; a Chromium that sends a larger one is ended, and its browser recovered. What the log of requests would hear is left out instead.',
  ),
  dialogTimeout: setting(
    duration,
    '5m',
    'Time after which a dialog of a page that nobody answered is dismissed.',
  ),
  shutdownGrace: setting(duration, '15s', 'Time for running calls to finish after SIGTERM.'),
  rateLimit: setting(count(1, 100_000_000), '60000', 'Requests a minute for each key.'),
  bodyLimit: setting(
    size,
    '10MiB',
    'Largest JSON body of a script call or of a page that is sent as `html`; other calls take 1 MiB of it at most.',
  ),
  uploadLimit: setting(size, '1GiB', 'Largest file that can be uploaded to a browser or to the project.'),
  downloadLimit: setting(size, '1GiB', 'Largest file that a browser can download.'),
  storageQuota: setting(
    size,
    null,
    'Bytes that the files of a project may have together, with those of all its browsers; also what its jobs hold, with their pages and results.',
    'half of the disk that has them; none in a bucket',
  ),
  storageReserve: setting(
    size,
    '256MiB',
    'Room on the disk of the data folder that files never take, so that everything else goes on when it fills.',
  ),
  browserDisk: setting(
    size,
    '2GiB',
    'Bytes that one running browser may have on the disk: its profile (site data, caches) and the files that are handed to and from it. A browser that has more is ended as `failed`.',
  ),
  projectDisk: setting(
    size,
    null,
    'The same for all running browsers of a project together; the one that has the most is ended.',
    'none',
  ),
  eventHeartbeat: setting(
    duration,
    '15s',
    'How often a live stream of events says that it is alive, and looks whether its key still is.',
  ),
  consoleEvents: setting(
    z.enum(['on', 'off']),
    'on',
    'Events of the type `console.error`. `off` where pages must find no trace of being listened to.',
  ),
  networkLog: setting(
    z.enum(['on', 'off']),
    'on',
    'The log of what pages asked of the network (`GET …/network`, HARs). `off`: it stays empty.',
  ),
  webhookRetries: setting(
    list.pipe(z.array(duration)),
    '5s,1m,5m,30m,2h,5h,10h,14h,20h',
    'Pauses between the attempts to deliver to a webhook, separated by commas; after the last one it is given up.',
  ),
  webhookPrivateAccess: setting(
    list,
    '',
    'Private targets that webhooks may have: hosts, address ranges such as `10.0.0.0/8`, or `localhost`, separated by commas.',
    'none: public addresses only',
  ),
  dnsServers: setting(
    nameServers,
    '',
    'Name servers that browsers and webhooks ask, such as `10.0.0.53` or `127.0.0.1:5353`, separated by commas.',
    'those of the machine',
  ),
  extensions: setting(
    z.enum(['off', 'admin', 'all']),
    'admin',
    'Who may upload extensions for Chromium: keys of the role `admin`, `all` keys, or with `off` no key; then no browser starts with one either. Every key of a project may use what was uploaded to it. See docs/extensions.md.',
  ),
  filterLists: setting(
    list,
    '',
    'Filter lists such as EasyList that callers may name in `policy.lists`: files or folders with `.txt` files, separated by commas. `ads.txt` is the list `ads`. They are read at start; see docs/rules.md.',
    'none',
  ),
  privateAccess: setting(
    list,
    null,
    'The most that `privateAccess` of a policy may open, and a `proxy` may be: hosts, address ranges such as `10.0.0.0/8`, or `localhost`, separated by commas; empty for nothing. `PROJECT=ENTRY` is for one project, which then has its own entries only (`shop=10.1.0.0/16,guests=`). The service, its database and metadata addresses stay closed whatever it says.',
    '`localhost` where the service listens on loopback and has one project, otherwise nothing',
  ),
  mcpPrivateAccess: setting(
    z.enum(['on', 'off']),
    'off',
    'Whether models may choose private addresses (`privateAccess`) and a `proxy` for their browsers at `/mcp`. A page that talks a model into it gets as far.',
  ),
  recordingMaxDuration: setting(
    duration,
    '2h',
    'Longest single recording; a browser that is recorded for longer gets another one right behind it.',
  ),
  recordingMaxSize: setting(
    size,
    '1GiB',
    'Most bytes of pictures that one recording may gather on the disk before its video is made.',
  ),
  traceLimit: setting(
    size,
    '100MiB',
    'How much the trace of one script call may record, before it is packed. Above it the call goes on, and its answer says why there is no trace.',
  ),
  captchaSolvers: setting(
    list.pipe(z.array(z.enum(['wait', 'widget', 'image', 'provider', 'human']))),
    'wait,widget,image,provider,human',
    'Solvers of captchas in the order in which they are tried, separated by commas.',
  ),
  captchaProviderUrl: setting(
    publicUrl,
    null,
    'A service that solves captchas by the createTask/getTaskResult protocol, such as `https://api.2captcha.com`. A private address must be named in `BROWSERD_WEBHOOK_PRIVATE_ACCESS`.',
  ),
  captchaProviderKey: setting(z.string().min(1).max(256), null, 'The key of the account there.'),
  maxConnections: setting(
    count(1, 100_000),
    '2048',
    'Open client connections at the same time. Beyond it, connections without a request or a key are closed, those of the address with most first; a sixteenth more is kept for health checks and admin keys.',
  ),
  maxRequestsPerProject: setting(
    count(1, 100_000),
    null,
    'Requests, sockets and event streams of one project that are under way at the same time; one key may have three quarters of them.',
    'half of BROWSERD_MAX_CONNECTIONS',
  ),
  maxSocketsPerProject: setting(
    count(1, 100_000),
    null,
    'CDP sockets, live views and event streams of one project at the same time; one key may have three quarters of them.',
    'a quarter of BROWSERD_MAX_CONNECTIONS',
  ),
  requestTimeout: setting(
    duration,
    '30s',
    'Time for a client to send its whole request; an upload may take longer while its bytes come on.',
  ),
  metrics: setting(
    z.enum(['protected', 'open', 'off']),
    'protected',
    '`GET /metrics`: for admin keys and the metrics token (`protected`), for everybody (`open`), or not there (`off`).',
  ),
  metricsToken: setting(
    apiKey,
    null,
    'A bearer token that may read `GET /metrics` and nothing else, for the collector of metrics.',
  ),
  logLevel: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
    'Least severe log lines to write.',
  ),
} satisfies Record<string, Setting<unknown>>;

export type Settings = {
  [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};

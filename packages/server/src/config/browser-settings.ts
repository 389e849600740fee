/** Settings of Chromium: which it is, how many there are, what one may use and how long it may take. */
import { availableParallelism, totalmem } from 'node:os';
import { z } from 'zod';
import { setting } from './setting.ts';
import { count, duration, path, size } from './values.ts';

/** Memory that one more browser should find. */
export const memoryOfBrowser = 256 * 1024 ** 2;
const defaultMaxBrowsers = String(Math.max(4, Math.floor(totalmem() / memoryOfBrowser)));
const machineMemoryMb = Math.floor(totalmem() / 1024 ** 2);
const defaultBrowserMemoryMb = String(Math.min(2048, Math.max(256, Math.floor(machineMemoryMb / 2))));
const defaultMaxBrowserMemoryMb = String(Math.max(256, Math.floor(machineMemoryMb / 2)));
const defaultPoolSize = String(availableParallelism() < 2 ? 2 : 5);

export const browserSettings = {
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
};

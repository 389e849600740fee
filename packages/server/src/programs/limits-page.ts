/**
 * docs/limits.md: every limit with the setting that moves it. The settings come from the table of `config`; what no
 * setting moves is written here. A setting that is in no group fails the generation, so that none is forgotten.
 */
import { settings, variableOf } from '../config.ts';

type Name = keyof typeof settings;

const groups: Record<string, { about?: string; names: Name[] }> = {
  'Browsers of a service': {
    about:
      'Beyond these a create or a resume waits in the queue when it asked to (`Prefer: wait=N`), and is 429 `CAPACITY_EXHAUSTED` otherwise.',
    names: [
      'maxBrowsers',
      'maxBrowsersPerProject',
      'queueLimit',
      'jobsReserve',
      'maxJobsPerProject',
      'poolSize',
      'runnerPoolSize',
    ],
  },
  'One browser': {
    names: ['browserMemoryMb', 'maxBrowserMemoryMb', 'browserDisk', 'projectDisk', 'maxTabs', 'maxDuration'],
  },
  'Files, downloads, recordings': {
    names: [
      ...(['uploadLimit', 'downloadLimit', 'storageQuota', 'storageReserve'] as const),
      ...(['recordingMaxDuration', 'recordingMaxSize', 'traceLimit', 'retention'] as const),
    ],
  },
  'Saved profiles': { names: ['profileVersions', 'profileInterval'] },
  'Kept answers of quick actions': { names: ['answerCache', 'answerCacheTime'] },
  'Requests and connections': {
    about: 'A key that is too fast is 429 `RATE_LIMITED`; `RateLimit-*` headers tell how much is left.',
    names: [
      ...(['rateLimit', 'bodyLimit', 'requestTimeout', 'maxConnections'] as const),
      ...([
        'maxRequestsPerProject',
        'maxSocketsPerProject',
        'idempotencyRetention',
        'idempotencySize',
        'webhookRetries',
      ] as const),
    ],
  },
  Times: {
    names: [
      'launchTimeout',
      'cdpTimeout',
      'dialogTimeout',
      'shutdownGrace',
      'checkpointInterval',
      'eventHeartbeat',
    ],
  },
  'Several nodes': { names: ['lease', 'vaultInterval'] },
  'Messages of Chromium': { names: ['chromiumMessageLimit'] },
};

/** Settings that bound nothing: where things are, what is on, who may do what. */
const noLimits: Name[] = [
  ...(['host', 'port', 'publicUrl', 'dataDir', 'scratchDir', 'exchangeDir', 'cacheDir', 'apiKey'] as const),
  ...([
    'databaseUrl',
    'chromiumPath',
    'engine',
    'isolation',
    'sandbox',
    'runAs',
    'consoleEvents',
    'networkLog',
  ] as const),
  ...([
    'webhookPrivateAccess',
    'dnsServers',
    'extensions',
    'filterLists',
    'privateAccess',
    'mcpPrivateAccess',
    'captchaSolvers',
  ] as const),
  ...([
    'captchaProviderUrl',
    'captchaProviderKey',
    'secretKey',
    'metrics',
    'metricsToken',
    'logLevel',
  ] as const),
  ...(['clusterAddress', 'zone', 'drain', 'blobs'] as const),
  ...(['s3AccessKeyId', 's3SecretAccessKey', 's3SessionToken'] as const),
];

/** What no setting moves, with what happens beyond it. */
const fixed: [what: string, limit: string, beyond: string][] = [
  ['code of a script call', '262,144 bytes of UTF-8', '400 `VALIDATION_FAILED`'],
  [
    'time of a script call',
    '30 s unless given, at most 120 s (`timeoutMs`)',
    '`SCRIPT_TIMEOUT`; the page stays',
  ],
  ['result of a script call', '8 MiB of JSON', '`RESULT_TOO_LARGE`'],
  ['time of a quick action', '30 s unless given, at most 120 s (`timeoutMs`)', '504 `QUICK_ACTION_TIMEOUT`'],
  ['items of a batch, pages of a crawl', '10,000', '400 `VALIDATION_FAILED`; a remark of the job'],
  ['result of one page of a job', '32 MiB of JSON', 'the page is `failed` with `PAYLOAD_TOO_LARGE`'],
  ['links of one page of a crawl or a map', '10,000', 'the rest is left, with a remark of the job'],
  ['robots.txt of a host', '500 KiB', 'what is behind that is not read'],
  ['`Crawl-delay` of a robots.txt', '60 s', 'as if it were that'],
  ['`Retry-After` of a host, in a crawl', '10 min', 'as if it were that'],
  ['one sitemap', '50 MiB unpacked, 50,000 addresses', 'the rest is left, with a remark of the job'],
  ['sitemaps of a job', '100', 'the rest is left, with a remark of the job'],
  ['address in a crawl', '2,048 characters', 'it is no page of the crawl'],
  ['addresses of one calendar in a crawl', '200', 'the rest is left, with a remark of the job'],
  ['content of a scrape', '20,000 characters unless given (`maxChars`)', 'cut, with `nextStart`'],
  [
    '`schema` of a scrape',
    '500 schemas, 8 within each other',
    '400 `VALIDATION_FAILED`, with the place of the fault',
  ],
  [
    'attributes and addresses in the lists and the metadata of a scrape',
    '1,000 characters; 16,384 of an address',
    'cut; a longer address is left out',
  ],
  ['lists in the data of a scrape', '5,000 items', 'cut'],
  ['an answer that is kept (`maxAgeMs`)', '32 MiB', 'given, but not kept'],
  ['JSON body of other calls', '1 MiB', '413 `PAYLOAD_TOO_LARGE`'],
  [
    'secrets of a project',
    '1000, and 1 MiB for all forms in which their values are masked',
    '429 `TOO_MANY_SECRETS`',
  ],
  ['metadata of a browser', '50 keys of 64 characters, values of 512', '400 `VALIDATION_FAILED`'],
  ['windows that pages of a browser open', '10 a second', 'closed at once; `browser.limited`'],
  ['files of a profile', '50,000', 'the browser is `failed` with the reason'],
  [
    'profile that is saved while its browser runs, in a cluster',
    '64 MiB',
    'saved only when it stops; `browser.limited`',
  ],
  ['CDP clients of a browser', '32', '429 `TOO_MANY_CLIENTS`'],
  ['a CDP message', '96 MiB, and 2 million values', 'an error; the connection is closed beyond 100 MiB'],
  [
    'what the filter reads of the parameters of a CDP message above 256 KiB',
    '2 MiB with an address, 8 MiB of what is dragged, otherwise 512 KiB; 20,000 values; bodies and headers of requests are not read',
    'an error',
  ],
  ['a message of a viewer', '1,000,000 characters of text, otherwise 64 KiB', 'refused'],
  ['what a viewer may say before the page has taken it', '8 MiB', 'refused'],
  [
    'what a CDP client may leave unread',
    '128 MiB, where a message counts 512 bytes more than it has',
    'the connection is closed',
  ],
  ['what a viewer may leave unread', '8 MiB, counted in the same way', 'the connection is closed'],
  ['address of a tab', '8,192 characters in answers, 2,048 in events', 'cut'],
  ['events of one kind of a browser', '50 in ten seconds', 'counted in one event, as `suppressed`'],
  [
    'deliveries that wait for the receivers of a project',
    '10,000, and 2,000 of one webhook; each webhook has room for 100 in any case',
    'events are left out, and counted as `dropped` of the webhook; of a job, a remark',
  ],
  ['deliveries that are over', '10,000 of a project', 'the oldest are removed'],
  ['wait in the queue', '600 s (`Prefer: wait=N`)', '429 `CAPACITY_EXHAUSTED`'],
  ['time of a signed address', '10 s to 86,400 s (`ttlSeconds`)', '401 `UNAUTHENTICATED`'],
  [
    'time of a signed address of content',
    '1 s to 604,800 s (`ttlSeconds`), and no longer than the file is kept',
    '401 `UNAUTHENTICATED`',
  ],
  [
    'files beside a page that is sent',
    '200; by `fileId` 10.5 MB each and 50 MB together',
    '400 `VALIDATION_FAILED`, 413 `PAYLOAD_TOO_LARGE`',
  ],
  ['fonts of a project', '50, of 32 MiB each', '413 `QUOTA_EXCEEDED` or `PAYLOAD_TOO_LARGE`'],
  [
    'pictures that are compared',
    '16,777,216 pixels, and 32 MiB of baseline',
    '`CAPTURE_TOO_LARGE`, 413 `PAYLOAD_TOO_LARGE`',
  ],
  ['templates of a PDF with their files', '16,777,216 characters', '400 `VALIDATION_FAILED`'],
  ['items of a list', '100 a page, and 4 MiB of what is kept of them', 'pages by `nextCursor`'],
  [
    'answers of a project that are sent and not read yet',
    '64 MiB',
    'its next calls wait for 5 s, then 429 `RATE_LIMITED`',
  ],
];

export const unplaced = (): string[] => {
  const placed = [...Object.values(groups).flatMap(({ names }) => names), ...noLimits];
  return Object.keys(settings).filter((name) => placed.filter((each) => each === name).length !== 1);
};

function settingTable(names: Name[], table: Table): string {
  const rows = names.map((name) => {
    const { fallback, fallbackNote, about } = settings[name];
    return [
      about,
      fallbackNote ?? (fallback === null ? 'none' : `\`${fallback}\``),
      `\`${variableOf(name)}\``,
    ];
  });
  return table(['Limit', 'Default', 'Setting'], rows);
}

type Table = (head: string[], rows: string[][]) => string;

export function limitsPage(note: string, table: Table): string {
  const forgotten = unplaced();
  if (forgotten.length > 0)
    throw new Error(`Place these settings in limits-page.ts, once each: ${forgotten.join(', ')}`);
  const sections = Object.entries(groups).map(
    ([title, { about, names }]) =>
      `## ${title}\n\n${about ? `${about}\n\n` : ''}${settingTable(names, table)}`,
  );
  return `${note}

# Limits

Everything is bounded, so that one page, script, client or project cannot take the service from the others. Most limits are settings
([configuration.md](configuration.md) says how they are written); the last table has those that are not. What happens at a limit is an
error with its code ([errors.md](errors.md)) or an event (\`browser.limited\`), never silence.

${sections.join('\n\n')}

## What no setting moves

${table(['What', 'Limit', 'Beyond it'], fixed)}
`;
}

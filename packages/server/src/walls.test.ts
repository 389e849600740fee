/**
 * The walls of the server's house (ARCHITECTURE.md), and which npm package may be used where. How walls work is in
 * scripts/lib/walls.ts; when a test here fails, it says which rule was broken and how to mend it.
 */
import { describe, expect, test } from 'vitest';
import {
  brokenWalls,
  circles,
  filesWithoutReason,
  type Import,
  type Plan,
  readHouse,
  testCodeInService,
  vagueNames,
  withoutRow,
} from '../../../scripts/lib/walls.ts';

const plan: Plan = {
  http: {
    may: [
      ...['browsers', 'page', 'quick', 'jobs', 'profiles', 'extensions', 'fonts', 'artifacts', 'access'],
      'events',
      ...['files', 'secrets', 'config', 'cluster'],
    ],
    rooms: {
      wire: [],
      in: ['wire'],
      gate: ['wire', 'in'],
      out: ['wire'],
      sockets: ['wire', 'out'],
      hop: ['wire', 'sockets'],
      contract: ['wire', 'out'],
      routes: ['wire', 'in', 'gate', 'out', 'sockets', 'hop', 'contract'],
    },
  },
  jobs: {
    may: ['quick', 'files', 'browsers', 'artifacts', 'events', 'store'],
    rooms: { crawl: ['kind'] },
  },
  quick: ['page', 'browsers', 'events', 'files', 'cache'],
  page: {
    may: ['browsers', 'artifacts', 'files', 'events', 'runner', 'secrets'],
    rooms: {
      inside: {
        may: [],
        rooms: {
          captcha: ['inside', 'pristine'],
          controls: ['inside'],
          observe: ['inside', 'pristine'],
          data: ['data-schema', 'extract', 'plain-document', 'pristine'],
        },
      },
      reach: ['inside'],
      visit: ['reach', 'inside'],
      ready: ['reach', 'visit', 'inside'],
      observe: { may: ['reach', 'inside'], rooms: { write: [] } },
      pixels: [],
      capture: ['reach', 'visit', 'ready', 'pixels', 'inside'],
      captcha: { may: ['reach', 'inside'], rooms: { solvers: ['mouse', 'task', 'sight'] } },
      secret: ['reach', 'inside'],
      evidence: [],
      script: ['reach', 'observe', 'capture', 'captcha', 'secret', 'evidence', 'inside'],
      read: ['reach', 'script', 'visit', 'captcha', 'inside'],
      tabs: ['reach', 'script', 'visit'],
      view: ['reach', 'inside'],
      computer: ['reach', 'observe', 'capture', 'script', 'view', 'inside'],
    },
  },
  browsers: {
    may: [
      ...['profiles', 'extensions', 'fonts', 'artifacts', 'events', 'chromium', 'egress', 'process', 'store'],
      ...['video', 'cluster'],
    ],
    rooms: {
      record: [],
      disk: ['record'],
      network: [],
      interception: ['record'],
      consent: { may: [], rooms: { inside: [] } },
      live: ['record', 'disk', 'network', 'interception', 'consent'],
      running: { may: ['record', 'live'], rooms: { inside: [] } },
      profile: ['record', 'disk', 'live', 'running'],
      vault: ['record', 'disk', 'running'],
      guests: ['record', 'interception', 'live', 'profile'],
      downloads: ['record', 'live'],
      recordings: ['record', 'live', 'running'],
      life: [
        'record',
        'disk',
        'network',
        'interception',
        'live',
        'running',
        'profile',
        'vault',
        'downloads',
        'recordings',
      ],
      owner: ['record', 'disk', 'network', 'live', 'running', 'profile', 'vault', 'life'],
    },
  },
  profiles: {
    may: ['artifacts', 'events', 'process', 'store'],
    rooms: { 'local-storage': [], archive: ['local-storage'] },
  },
  extensions: ['artifacts', 'store'],
  files: ['artifacts', 'store'],
  cache: ['artifacts', 'store'],
  fonts: ['artifacts', 'process', 'store'],
  sealing: [],
  cluster: ['store'],
  artifacts: { may: ['store'], rooms: { s3: ['blobs', 'local-room'] } },
  access: ['store'],
  events: ['store'],
  secrets: ['store'],
  metrics: [],
  chromium: {
    may: ['process'],
    rooms: {
      filter: [],
      pipe: ['filter'],
      pictures: { may: ['pipe'], rooms: { inside: [] } },
      start: ['pipe'],
    },
  },
  runner: {
    may: ['process'],
    rooms: { wire: [], box: ['wire'], child: ['wire'], toolbox: ['wire', 'box', 'child'] },
  },
  egress: {
    may: [],
    rooms: {
      policy: [],
      vouch: ['policy'],
      way: ['policy', 'vouch'],
      serve: ['policy', 'vouch', 'way'],
    },
  },
  store: {
    may: ['sealing'],
    rooms: {
      records: [],
      databases: ['records'],
      tables: ['databases', 'records'],
      migrations: ['databases'],
    },
  },
  video: [],
  process: [],
  kit: [],
  config: [],
  errors: [],
  programs: {
    may: [
      ...['service', 'config', 'access', 'artifacts', 'browsers', 'chromium', 'cluster', 'events', 'http'],
      'metrics',
      ...['extensions', 'files', 'fonts', 'jobs', 'page', 'process', 'profiles', 'quick', 'sealing'],
      ...['secrets', 'store'],
    ],
    rooms: {
      // It looks at what the service would find, also where the service could not start.
      doctor: {
        may: [],
        rooms: { inside: [] },
        outside: ['config', 'artifacts', 'chromium', 'cluster', 'http', 'process', 'sealing', 'store'],
      },
    },
  },

  // The service on one page, and the pages beside it that each put a part of it together.
  service: [
    ...['access', 'borders', 'browsers', 'chores', 'chromium', 'cluster', 'config', 'events', 'http', 'jobs'],
    ...['joining', 'keeping', 'leaving', 'measures', 'metrics', 'page', 'process', 'quick', 'readiness'],
    ...['resealing', 'runner', 'sealing', 'secrets', 'store'],
  ],
  borders: ['artifacts', 'cluster', 'config', 'egress'],
  chores: [],
  joining: ['browsers', 'cluster', 'config', 'http'],
  keeping: [
    ...['artifacts', 'browsers', 'cache', 'config', 'extensions', 'files', 'fonts', 'jobs', 'measures'],
    ...['process', 'profiles', 'quick', 'sealing', 'sweeper'],
  ],
  leaving: ['browsers', 'cluster', 'http'],
  measures: ['browsers', 'cluster', 'http', 'jobs', 'metrics', 'page', 'runner'],
  readiness: ['browsers', 'cluster', 'http', 'process'],
  resealing: [],
  sweeper: ['artifacts', 'cache', 'config', 'events', 'files', 'jobs', 'profiles'],
};

const rules = {
  plan,
  openToAll: ['errors', 'kit'],
  secondDoors: {
    'store/records.ts': {
      for: [
        ...['access', 'artifacts', 'browsers', 'cluster', 'events', 'extensions', 'profiles', 'secrets'],
        ...[
          'cache',
          'files',
          'fonts',
          'jobs',
          'borders',
          'chores',
          'joining',
          'keeping',
          'measures',
          'readiness',
          'resealing',
          'sweeper',
        ],
      ],
      typesOnly: true,
    },
    // For their threads, which load nothing else of that room.
    'process/priority.ts': { for: ['page/captcha/solvers', 'page/evidence', 'page/pixels'] },
    'runner/child/compile-ahead.ts': { for: ['runner/toolbox'] },
    'runner/wire/trace-records.ts': { for: ['page'] },
  },
};

/** The programs hand the environment to the configuration. */
const readersOfEnvironment = [
  'config.ts',
  'programs/main.ts',
  'programs/start.ts',
  'programs/keys.ts',
  'programs/doctor/doctor.ts',
];

/** Packages and modules of Node that only some rooms (or files) may import. `*` stands for any rest of the name. */
const packages: Record<string, { for: string[]; typesOnly?: boolean }> = {
  fastify: { for: ['http'] },
  'fastify-*': { for: ['http'] },
  '@fastify/*': { for: ['http'] },
  '@scalar/*': { for: ['http'] },
  ws: { for: ['http'] },
  // a client of the public API, mounted here: it comes back in over loopback, and this room only passes requests on
  '@browserd/mcp': { for: ['http'] },
  zod: {
    for: [
      'config',
      'http',
      'browsers',
      'page',
      'artifacts',
      'access',
      'events',
      'quick',
      'jobs',
      'profiles',
      'extensions',
      'files',
      'fonts',
      'secrets',
      'cluster',
    ],
  },
  '@prometheus-io/client': { for: ['metrics'] },
  aws4fetch: { for: ['artifacts/s3/requests.ts'] },
  kysely: { for: ['store'] },
  pg: { for: ['store'] },
  pino: { for: ['kit/log.ts'] },
  tokenx: { for: ['page/observe/write/tokens.ts'] },
  tldts: { for: ['page', 'profiles', 'browsers', 'jobs'] },
  'robots-parser': { for: ['jobs/crawl/robots.ts'] },
  saxes: { for: ['jobs/crawl/sitemap-parsers.ts'] },
  '@duckduckgo/autoconsent': {
    for: ['browsers/consent/banner-library.ts', 'browsers/consent/inside/decline.ts'],
  },
  '@ghostery/adblocker': { for: ['browsers/interception/filter-lists.ts'] },
  'ipaddr.js': { for: ['egress'] },
  'playwright-core': { for: ['runner'] },
  'devtools-protocol': { for: ['chromium', 'browsers', 'page'], typesOnly: true },
  pixelmatch: { for: ['page/pixels/pixel-worker.ts'] },
  pngjs: { for: ['page/pixels/pixel-worker.ts'] },
  '@jsquash/oxipng': { for: ['page/pixels/pixel-worker.ts'] },
  'tesseract.js': { for: ['page/captcha/solvers/ocr-worker.ts'] },
  'node:child_process': { for: ['process', 'chromium', 'runner', 'programs/witness.ts'] },
  'node:sqlite': { for: ['store'] },
};

const house = readHouse(import.meta.dirname);
const roomOf = (file: string): string => file.split('/')[0]?.replace(/\.ts$/, '') ?? '';

/** The row of a package: `pg` also for `pg/lib/x`, `@fastify/*` for all of that scope. */
const rowOf = (name: string) =>
  Object.entries(packages).find(([pattern]) =>
    pattern.endsWith('*')
      ? name.startsWith(pattern.slice(0, -1))
      : name === pattern || name.startsWith(`${pattern}/`),
  )?.[1];

function packageProblem({ from, to, typesOnly }: Import): string[] {
  const row = rowOf(to);
  if (!row && to.startsWith('node:')) return [];
  if (!row)
    return [
      `${from} imports ${to}, which has no row in \`packages\`: use what is there, or add a row with its rooms`,
    ];
  if (!row.for.includes(roomOf(from)) && !row.for.includes(from))
    return [
      `${from} imports ${to}, which belongs to ${row.for.join(', ')} alone: ask that room for what you need`,
    ];
  if (row.typesOnly && !typesOnly) return [`${from} imports ${to} at run time: write \`import type\``];
  return [];
}

describe('the walls between the rooms', () => {
  test('every folder, and every file at the top, has a row in the plan', () => {
    expect(
      withoutRow(house, plan),
      'Give it a row in `plan` (and its name in ARCHITECTURE.md), or move it into a room',
    ).toEqual([]);
  });

  test('a room imports only the neighbours of its row, and enters them by their doors', () => {
    expect(
      brokenWalls(house, rules),
      'Take it as a parameter or a callback, or let a room above join the two',
    ).toEqual([]);
  });

  test('hardly a room has a second door', () => {
    expect(Object.keys(rules.secondDoors).length).toBeLessThanOrEqual(5);
  });

  test('packages stay in their rooms', () => {
    expect(house.imports.filter(({ relative }) => !relative).flatMap(packageProblem)).toEqual([]);
  });

  test('only programs and config.ts touch the environment', () => {
    const readers = [...house.sources]
      .filter(([file]) => !readersOfEnvironment.includes(file))
      .filter(([, source]) => /^(?!\s*(?:\*|\/\/|\/\*)).*\bprocess\.env\b/m.test(source))
      .map(([file]) => file);
    expect(readers, 'Add a setting to config.ts and take its value as a parameter').toEqual([]);
  });

  test('what is written for tests stays out of the service', () => {
    expect(testCodeInService(house), 'Move what the service needs into a file of its own').toEqual([]);
  });

  test('no file imports itself by a detour', () => {
    expect(circles(house), 'Move what both need into a third file below them').toEqual([]);
  });

  test('every file is named for what it does', () => {
    expect(
      vagueNames(house),
      'Name the file after what it holds; export it from where it belongs instead of a barrel',
    ).toEqual([]);
  });

  test('every file begins with the reason why it is there', () => {
    expect(
      filesWithoutReason(house),
      'Open the file with a comment, above its imports, that says why it is so',
    ).toEqual([]);
  });
});

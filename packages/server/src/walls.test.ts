import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * The walls of the house as data (ARCHITECTURE.md): which room may import which. Rooms are the folders beside this file
 * and the files beside it; a room is entered by its door, the file named after it. Tests, and what is written for them
 * (`x.fixture.ts`, `test-x.ts`), are free to import anything.
 */
const rooms: Record<string, string[]> = {
  http: ['browsers', 'page', 'quick', 'artifacts', 'access', 'events', 'config'],
  quick: ['page', 'browsers', 'events'],
  page: ['browsers', 'artifacts', 'events', 'runner'],
  browsers: ['artifacts', 'events', 'cluster', 'chromium', 'egress', 'store', 'video'],
  artifacts: ['store'],
  access: ['store'],
  events: ['store'],
  cluster: ['store'],
  metrics: ['store'],
  chromium: [],
  runner: [],
  egress: [],
  store: [],
  video: [],
  kit: [],
  config: [],
  errors: [],
};
const openToAll = ['errors', 'kit'];
/** These put the rooms together, so they may open all of them by any file. Nothing imports them but each other. */
const assembly = [
  'main.ts',
  'service.ts',
  'readiness.ts',
  'measures.ts',
  'sweeper.ts',
  'generate.ts',
  'access/keys-cli.ts',
  'doctor.ts',
  'doctor/database.ts',
  'doctor/engines.ts',
  'doctor/finding.ts',
  'doctor/folders.ts',
  'doctor/isolation.ts',
  'doctor/machine.ts',
  'doctor/port.ts',
];
/** The programs among them hand the environment to the configuration. */
const readersOfEnvironment = ['config.ts', 'main.ts', 'doctor.ts', 'access/keys-cli.ts'];
const forTests = /(\.test|\.fixture)\.ts$|(^|\/)test-[^/]+\.ts$/;

/** Doors beside the one named after the folder, and who may use them. Every file of `kit` is a tool of its own. */
const secondDoors: Record<string, { for: string[]; typesOnly?: boolean }> = {
  'browsers/schema.ts': { for: ['http', 'page', 'quick'] },
  'quick/schema.ts': { for: ['http'] },
  'browsers/dialog-schema.ts': { for: ['http', 'page'] },
  'browsers/permission-schema.ts': { for: ['http'] },
  'browsers/download-schema.ts': { for: ['http'] },
  'browsers/recording-schema.ts': { for: ['http'] },
  'page/schema.ts': { for: ['http'] },
  'page/captcha-schema.ts': { for: ['http', 'quick'] },
  'page/captcha/captcha.ts': { for: ['quick'] },
  'page/capture-schema.ts': { for: ['http', 'quick'] },
  'page/scrape-schema.ts': { for: ['http', 'quick'] },
  'browsers/lifecycle.ts': { for: ['http'] },
  'artifacts/schema.ts': { for: ['http'] },
  'events/schema.ts': { for: ['http'] },
  'events/webhook-schema.ts': { for: ['http'] },
  'events/webhooks.ts': { for: ['http'] },
  'access/schema.ts': { for: ['http'] },
  'access/idempotency.ts': { for: ['http'] },
  'access/capabilities.ts': { for: ['http'] },
  'page/attachments.ts': { for: ['http'] },
  'page/live-schema.ts': { for: ['http'] },
  'store/records.ts': {
    for: ['browsers', 'artifacts', 'access', 'events', 'cluster', 'metrics'],
    typesOnly: true,
  },
};

/** Packages and modules of Node that only some rooms (or files) may import. `*` stands for any rest of the name. */
const packages: Record<string, { for: string[]; typesOnly?: boolean }> = {
  fastify: { for: ['http'] },
  'fastify-*': { for: ['http'] },
  '@fastify/*': { for: ['http'] },
  '@scalar/*': { for: ['http'] },
  ws: { for: ['http'] },
  // a client of the public API, mounted here: it comes back in over loopback, and this room only passes requests on
  '@browserd/mcp': { for: ['http'] },
  zod: { for: ['config', 'http', 'browsers', 'page', 'artifacts', 'access', 'events', 'quick'] },
  '@prometheus-io/client': { for: ['metrics'] },
  kysely: { for: ['store'] },
  pg: { for: ['store'] },
  pino: { for: ['kit/log.ts'] },
  tldts: { for: ['browsers', 'page'] },
  'ipaddr.js': { for: ['egress'] },
  'playwright-core': { for: ['runner'] },
  'devtools-protocol': { for: ['chromium', 'browsers', 'page'], typesOnly: true },
  'tesseract.js': { for: ['page/captcha/solvers/ocr-worker.ts'] },
  'node:child_process': { for: ['chromium', 'runner'] },
  'node:sqlite': { for: ['store'] },
};
const namesThatSayNothing = ['utils', 'types', 'helpers', 'index'];

interface Import {
  from: string;
  to: string;
  relative: boolean;
  typesOnly: boolean;
}

/** Finds `import … from`, `export … from`, `import '…'` and `import('…')`, also over several lines. */
function importsIn(source: string): { to: string; typesOnly: boolean }[] {
  const statement = /(?:^|;)[ \t]*(?:import|export)\s+(type\s)?([^'"`;=]*?\bfrom\s*)?['"]([^'"]+)['"]/gm;
  const names = (clause = '') =>
    /\{([^}]*)\}/
      .exec(clause)?.[1]
      ?.split(',')
      .filter((name) => name.trim()) ?? [];
  const allTypes = (clause: string | undefined) =>
    /^\s*\{/.test(clause ?? '') && names(clause).every((name) => /^\s*type\s/.test(name));
  const written = [...source.matchAll(statement)].map(([, type, clause, to = '']) => ({
    to,
    typesOnly: Boolean(type) || allTypes(clause),
  }));
  const called = [...source.matchAll(/\b(?:import|require)\(\s*['"]([^'"]+)['"]/g)];
  return [...written, ...called.map(([, to = '']) => ({ to, typesOnly: false }))];
}

const here = import.meta.dirname;
const files = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const sources = new Map(
  files.filter((file) => !forTests.test(file)).map((file) => [file, readFileSync(join(here, file), 'utf8')]),
);
const imports: Import[] = [...sources].flatMap(([from, source]) =>
  importsIn(source).map(({ to, typesOnly }) => ({
    from,
    to: to.startsWith('.') ? normalize(join(dirname(from), to)) : to,
    relative: to.startsWith('.'),
    typesOnly,
  })),
);
const inside = imports.filter(({ to }) => sources.has(to));
const outside = imports.filter(({ relative }) => !relative);

const roomOf = (file: string): string =>
  file.includes('/') ? file.slice(0, file.indexOf('/')) : basename(file, '.ts');
const crossing = inside.filter(({ from, to }) => roomOf(from) !== roomOf(to) && !assembly.includes(from));

function entersByDoor({ from, to, typesOnly }: Import): boolean {
  const room = roomOf(to);
  if (to === `${room}.ts` || to === `${room}/${room}.ts` || room === 'kit') return true;
  const door = secondDoors[to];
  return door?.for.includes(roomOf(from)) === true && (typesOnly || !door.typesOnly);
}

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

function findCycles(): string[] {
  const cycles = new Set<string>();
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) cycles.add([...trail.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    for (const { from, to } of inside) if (from === file) visit(to, [...trail, file]);
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return [...cycles];
}

describe('the walls between the rooms', () => {
  test('every folder is a room of the table', () => {
    const unknown = [...sources.keys()].filter(
      (file) => !(roomOf(file) in rooms) && !assembly.includes(file),
    );
    expect(
      unknown,
      'Give the folder a row in `rooms` (and in ARCHITECTURE.md), or move the file into a room',
    ).toEqual([]);
  });

  test('a room imports only the rooms of its row', () => {
    const broken = crossing
      .filter(({ from, to }) => ![...openToAll, ...(rooms[roomOf(from)] ?? [])].includes(roomOf(to)))
      .map(
        ({ from, to }) =>
          `${from} imports ${to}: ${roomOf(from)} may import ${rooms[roomOf(from)]?.join(', ') || 'no room'}`,
      );
    expect(broken, 'Take it as a parameter or a callback, or let a room above join the two').toEqual([]);
  });

  test('a room is entered by its door', () => {
    const broken = crossing
      .filter((each) => !entersByDoor(each))
      .map(({ from, to }) => `${from} imports ${to}`);
    expect(broken, 'Import the file named after the folder, and let it export what is needed').toEqual([]);
  });

  test('packages stay in their rooms', () => {
    expect(outside.flatMap(packageProblem)).toEqual([]);
  });

  test('only programs and config.ts touch the environment', () => {
    const readers = [...sources]
      .filter(([file]) => !readersOfEnvironment.includes(file))
      .filter(([, source]) => /^(?!\s*(?:\*|\/\/|\/\*)).*\bprocess\.env\b/m.test(source))
      .map(([file]) => file);
    expect(readers, 'Add a setting to config.ts and take its value as a parameter').toEqual([]);
  });

  test('what is written for tests stays out of the service', () => {
    const broken = imports
      .filter(({ to }) => forTests.test(to))
      .map(({ from, to }) => `${from} imports ${to}`);
    expect(broken, 'Move what the service needs into a file of its own').toEqual([]);
  });

  test('no file imports itself by a detour', () => {
    expect(findCycles(), 'Move what both need into a third file below them').toEqual([]);
  });

  test('every file is named for what it does', () => {
    const vague = files.filter((file) => namesThatSayNothing.includes(basename(file).split('.')[0] ?? ''));
    expect(
      vague,
      'Name the file after what it holds; export it from where it belongs instead of a barrel',
    ).toEqual([]);
  });
});

test('imports are recognised in every way they can be written', () => {
  const source = [
    "import a, { b } from './a.ts';",
    "import type { T } from './b.ts';",
    "import {\n  type U,\n  type V,\n} from './c.ts';",
    "import { type W, w } from './d.ts';",
    "import './e.ts';",
    "export * from './f.ts';",
    "export type { X } from './g.ts';",
    "const lazy = await import('./h.ts');",
    "import * as i from './i.ts';",
    "export const from = 'nothing';",
    " * import { no } from './comment.ts';",
  ].join('\n');
  expect(importsIn(source).map(({ to, typesOnly }) => `${to}${typesOnly ? ' types' : ''}`)).toEqual([
    './a.ts',
    './b.ts types',
    './c.ts types',
    './d.ts',
    './e.ts',
    './f.ts',
    './g.ts types',
    './i.ts',
    './h.ts',
  ]);
});

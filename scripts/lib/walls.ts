/**
 * The walls of a house as data. A folder is a room; the file named after it is its door; a room may hold rooms, which
 * follow the same rules inside it. Each package says in its own `walls.test.ts` who may import whom; this file reads the
 * imports and says which of them go through a wall.
 *
 *   plan: { browsers: { may: ['store'], rooms: { record: [], live: ['record'] } } }
 *
 * Files that lie beside the rooms of a room put them together and may open all of its doors; those at the top of the house have
 * rows of their own. Tests, and what is written for them (`x.fixture.ts`, `test-x.ts`), may import anything.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

/** `outside`: of what the room around it may import, no more than this. */
interface Within {
  may: string[];
  rooms: Plan;
  outside?: string[];
}
/** A row: the neighbours that a room may import, and the rooms inside it. A plain list is a room without any. */
export type Row = string[] | Within;
export interface Plan {
  [room: string]: Row;
}

export interface Import {
  from: string;
  /** A file of the house, or the name of a package. */
  to: string;
  relative: boolean;
  typesOnly: boolean;
}

export interface House {
  files: string[];
  sources: Map<string, string>;
  imports: Import[];
}

export interface Rules {
  plan: Plan;
  /** Rooms that every other may import, by any file: tools without an inside. */
  openToAll?: string[];
  /** Doors beside the one named after the folder, by path, and for whom: these may enter there, whatever their rows say. */
  secondDoors?: Record<string, { for: string[]; typesOnly?: boolean }>;
}

const forTests = /(\.test|\.fixture)\.tsx?$|(^|\/)test-[^/]+\.ts$/;
/** The words of a room as data: a neighbour that may import the room may import its schemas, wherever in it they lie. */
const schema = /(^|[/-])schema\.ts$/;

/** Finds `import … from`, `export … from`, `import '…'` and `import('…')`, also over several lines. */
export function importsIn(source: string): { to: string; typesOnly: boolean }[] {
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

export function readHouse(folder: string): House {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const sources = new Map(
    files
      .filter((file) => !forTests.test(file))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
  const imports = [...sources].flatMap(([from, source]) =>
    importsIn(source).map(({ to, typesOnly }) => ({
      from,
      to: to.startsWith('.') ? normalize(join(dirname(from), to)) : to,
      relative: to.startsWith('.'),
      typesOnly,
    })),
  );
  return { files, sources, imports };
}

/** The name of a room beside another: a folder, or a file without its ending. */
const nameOf = (part: string): string => basename(part).replace(/\.tsx?$/, '');
const isDoor = (file: string, room: string): boolean =>
  [`${room}/${basename(room)}.ts`, `${room}/${basename(room)}.tsx`].includes(file);

/** Every folder with files in it must be a room of the plan, and every file at the top have a row there: no other holds it. */
export function withoutRow({ sources }: House, plan: Plan): string[] {
  const rooms = new Set<string>();
  for (const file of sources.keys()) {
    if (!file.includes('/')) rooms.add(file);
    for (let at = dirname(file); at !== '.'; at = dirname(at)) rooms.add(at);
  }
  return [...rooms].filter((room) => !hasRow(plan, room.split('/').map(nameOf))).toSorted();
}

function hasRow(plan: Plan, [room = '', ...inside]: string[]): boolean {
  const row = plan[room];
  if (!row) return false;
  return inside.length === 0 || (!Array.isArray(row) && hasRow(row.rooms, inside));
}

/** What two files have in common, and the rooms below it in which they differ. */
function split(from: string, to: string): { around: string; ours: string; theirs: string } {
  const [a, b] = [from.split('/'), to.split('/')];
  let depth = 0;
  while (depth < a.length - 1 && depth < b.length - 1 && a[depth] === b[depth]) depth++;
  return { around: a.slice(0, depth).join('/'), ours: a[depth] ?? '', theirs: b[depth] ?? '' };
}

function planOf(plan: Plan, around: string): Plan {
  if (around === '') return plan;
  const [room = '', ...rest] = around.split('/');
  const row = plan[room];
  return row && !Array.isArray(row) ? planOf(row.rooms, rest.join('/')) : {};
}

/** What holds an import within `around`: the row of its room there, and rooms inside that may import less of the outside. */
function limitsOf(from: string, around: string, plan: Plan): { room: string; may: string[] }[] {
  const [first = '', ...inside] = from.slice(around === '' ? 0 : around.length + 1).split('/');
  const limits: { room: string; may: string[] }[] = [];
  let row = planOf(plan, around)[nameOf(first)];
  let room = [around, nameOf(first)].filter(Boolean).join('/');
  if (row) limits.push({ room, may: Array.isArray(row) ? row : row.may });
  for (const part of inside) {
    row = row && !Array.isArray(row) ? row.rooms[part] : undefined;
    room += `/${part}`;
    if (row && !Array.isArray(row) && row.outside) limits.push({ room, may: row.outside });
  }
  return limits;
}

const isIn = (file: string, room: string): boolean =>
  file.startsWith(`${room}/`) || file.replace(/\.tsx?$/, '') === room;

/** Why this import goes through a wall; undefined when it does not. */
function objection({ from, to, typesOnly }: Import, rules: Rules): string | undefined {
  const { around, ours, theirs } = split(from, to);
  if (nameOf(ours) === nameOf(theirs)) return undefined;
  const second = rules.secondDoors?.[to];
  if (second?.for.some((room) => isIn(from, room)))
    return second.typesOnly && !typesOnly
      ? `${from} imports ${to} at run time: write \`import type\``
      : undefined;
  const open = rules.openToAll?.includes(nameOf(theirs)) === true && around === '';
  const isSchema = schema.test(to);
  const limit = limitsOf(from, around, rules.plan).find(({ may }) => !may.includes(nameOf(theirs)));
  if (limit && !open && !(isSchema && around !== ''))
    return `${from} imports ${to}: ${limit.room} may import ${limit.may.join(', ') || 'no neighbour'}`;
  const entersFolder = to.split('/').length > (around === '' ? 1 : around.split('/').length + 1);
  if (!entersFolder || open || isSchema) return undefined;
  const room = around === '' ? theirs : `${around}/${theirs}`;
  if (isDoor(to, room)) return undefined;
  return `${from} imports ${to}: enter by ${room}/${basename(room)}.ts, and let it export what is needed`;
}

export const brokenWalls = ({ sources, imports }: House, rules: Rules): string[] =>
  imports.filter(({ to }) => sources.has(to)).flatMap((each) => objection(each, rules) ?? []);

/** Files that import themselves by a detour. */
export function circles({ sources, imports }: House): string[] {
  const found = new Set<string>();
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) found.add([...trail.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    for (const { from, to } of imports) if (from === file && sources.has(to)) visit(to, [...trail, file]);
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return [...found];
}

const namesThatSayNothing = ['utils', 'types', 'helpers', 'index'];

export const vagueNames = ({ files }: House): string[] =>
  files.filter((file) => namesThatSayNothing.includes(basename(file).split('.')[0] ?? ''));

export const testCodeInService = ({ imports }: House): string[] =>
  imports.filter(({ to }) => forTests.test(to)).map(({ from, to }) => `${from} imports ${to}`);

/** A reader meets the reason for a file before its imports; only the first line of a program stands above it. */
export const filesWithoutReason = ({ sources }: House): string[] =>
  [...sources].filter(([, source]) => !/^(?:#!.*\n)?\s*(\/\*\*|\/\/)/.test(source)).map(([file]) => file);

const noActor = /\b(?:(?:some|no|any|every)body|(?:some|any|every)one|no one|whoever)\b/i;
const comment = /^\s*(?:\*|\/\/|\/\*\*)/;

/** Words that leave open who is meant, in a text. */
export const vagueActors = (text: string): string[] => text.match(new RegExp(noActor, 'gi')) ?? [];

/** A comment with such a subject leaves open whether it means the caller, the page or the operator. */
export const commentsWithoutActor = ({ sources }: House): { file: string; comment: string }[] =>
  [...sources]
    .filter(([, source]) => noActor.test(source))
    .flatMap(([file, source]) =>
      source
        .split('\n')
        .filter((line) => comment.test(line) && noActor.test(line))
        .map((line) => ({ file, comment: line.trim() })),
    );

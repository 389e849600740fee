/** Keys for the operator: works on the store itself, with or without a running service, over all projects. */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { Access } from '../access/access.ts';
import type { Key } from '../access/schema.ts';
import { readConfig } from '../config.ts';
import { ApiError } from '../errors.ts';
import { createLog } from '../kit/log.ts';
import { SetupError } from '../kit/setup-error.ts';
import { openStore } from '../store/store.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import { runningServices } from './running-services.ts';
import { type Surroundings, whichData } from './which-data.ts';

const usage = `Usage: npm run keys -- <command>

  create [--name NAME] [--role admin|member] [--project PROJECT] [--expires 30d]
  list
  revoke KEY_ID
  rotate-secrets [--new-key]

A key belongs to a project (\`default\` unless named; made when it does not exist) and sees only its records.
The secret of a key is shown once, by create.

rotate-secrets seals what is stored with the first key of BROWSERD_SECRET_KEY (NEW,OLD), so that the others can go; give it
the same variables as the service, also BROWSERD_BLOBS. With a key file: stop the service, then --new-key.

The keys are those of the service that runs on this machine, or of the data in this folder; BROWSERD_DATA_DIR or
BROWSERD_DATABASE_URL names another.
`;

interface Terminal extends Omit<Surroundings, 'tell'> {
  out: (text: string) => void;
  err: (text: string) => void;
}

/** The operator's mistake, shown without a stack; exit code 2. */
class UsageError extends Error {}

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function expiry(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const match = /^([1-9]\d{0,5})([mhd])$/.exec(text);
  if (!match) throw new UsageError(`--expires ${text}: expected a duration such as 90m, 12h or 30d.`);
  return now + Number(match[1]) * (units[match[2] ?? ''] ?? 0);
}

function roleOf(text: string): 'admin' | 'member' {
  if (text === 'admin' || text === 'member') return text;
  throw new UsageError(`--role ${text}: expected admin or member.`);
}

async function create(access: Access, args: string[], terminal: Terminal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      name: { type: 'string', default: 'made by the operator' },
      role: { type: 'string', default: 'member' },
      project: { type: 'string', default: 'default' },
      expires: { type: 'string' },
    },
  });
  const [role, expiresAt] = [roleOf(values.role), expiry(values.expires, Date.now())];
  if (!/^[\w.-]{1,64}$/.test(values.project))
    throw new UsageError('--project: expected 1 to 64 letters, digits, dots, dashes or underscores.');
  if (values.name.length < 1 || values.name.length > 200)
    throw new UsageError('--name: expected 1 to 200 characters.');
  const project = await access.ensureProject(values.project);
  const made = await access.createKey(project.id, { name: values.name, role, expiresAt });
  const until = made.expiresAt === undefined ? '' : `, until ${made.expiresAt}`;
  terminal.out(
    `Made ${made.id}: ${role} of project ${project.name}${until}. Its secret is shown only now:\n\n${made.key}\n`,
  );
}

async function list(access: Access, args: string[], terminal: Terminal): Promise<void> {
  parseArgs({ args, options: {} });
  const keys: Key[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await access.listKeys(undefined, { limit: 100, cursor });
    keys.push(...page.items);
    [cursor, more] = [page.nextCursor, page.hasMore];
  }
  const projects = new Map<string, string>();
  for (const { projectId } of keys)
    if (!projects.has(projectId)) projects.set(projectId, await access.projectName(projectId));
  const head = ['ID', 'ROLE', 'PROJECT', 'CREATED', 'LAST USED', 'EXPIRES', 'NAME'];
  const rows = keys.map((key) => [
    key.id,
    key.role,
    projects.get(key.projectId) ?? key.projectId,
    key.createdAt,
    key.lastUsedAt ?? 'never',
    key.expiresAt ?? 'never',
    // A name may hold what a terminal would take for commands.
    key.name.replace(/\p{Cc}/gu, '?'),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  for (const row of [head, ...rows])
    terminal.out(
      `${row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
}

async function revoke(access: Access, args: string[], terminal: Terminal): Promise<void> {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true });
  const [id, ...rest] = positionals;
  if (id === undefined || rest.length > 0)
    throw new UsageError('revoke: expected one key id; `list` shows them.');
  const { revokedAt } = await access.revokeKey(undefined, id);
  terminal.out(`Revoked ${id} at ${revokedAt}. It is refused from now on.\n`);
}

const commands: Record<string, (access: Access, args: string[], terminal: Terminal) => Promise<void>> = {
  create,
  list,
  revoke,
};

/** Returns the exit code: 0 done, 1 failed, 2 wrong arguments. */
export async function keysCli([name, ...args]: string[], terminal: Terminal): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h') {
    terminal.out(usage);
    return 0;
  }
  const rotates = name === 'rotate-secrets';
  const command = Object.hasOwn(commands, name ?? '') ? commands[name ?? ''] : undefined;
  if (command === undefined && !rotates) {
    terminal.err(
      `${name === undefined ? 'No command was given.' : `There is no command ${name}.`}\n\n${usage}`,
    );
    return 2;
  }
  try {
    const data = await whichData({ ...terminal, tell: terminal.err });
    if (command === undefined) {
      await rotateSecrets(args, { data, config: readConfig(terminal.env), out: terminal.out });
      return 0;
    }
    const store = await openStore(data);
    try {
      await command(new Access({ store, log: createLog('silent') }), args, terminal);
    } finally {
      await store.close();
    }
    return 0;
  } catch (error) {
    return explain(error, terminal);
  }
}

function explain(error: unknown, terminal: Terminal): number {
  const code = (error as { code?: unknown }).code;
  const misused =
    error instanceof UsageError || (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS_'));
  const expected = misused || error instanceof ApiError || error instanceof SetupError;
  const { message, stack } = error as Error;
  terminal.err(`${expected ? message : (stack ?? message)}\n`);
  return misused ? 2 : 1;
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return await lines.question(question).finally(() => lines.close());
}

if (import.meta.main)
  process.exitCode = await keysCli(process.argv.slice(2), {
    env: process.env,
    services: runningServices,
    ...(process.stdin.isTTY && { ask }),
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });

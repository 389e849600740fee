import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type Owner, postgresBinaries } from './postgres-binaries.ts';

/**
 * A real PostgreSQL for the tests, in a temporary folder, reached by a unix socket.
 *
 *   tests ──pipe──> sh ──> postgres      the pipe ends with the tests, however they end;
 *                                        then sh stops the server and removes the folder
 */
export interface TestPostgres {
  url: string;
  newDatabase(): Promise<string>;
  stop(): Promise<void>;
  /** Without a word, as when its machine is lost. */
  kill(): Promise<void>;
}

const run = promisify(execFile);
const readyWithinMs = 60_000;

/** PostgreSQL refuses to run as root, so root runs it as the unprivileged user of the system. */
const nobody = 65_534;
export const user: Owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** QUIT instead of INT: nothing has to be put in order that is removed at once. */
const keeper = `
  folder=$1; shift
  exec 3<&0
  "$@" 3<&- &
  server=$!
  { cat <&3 >/dev/null; kill -QUIT $server; } &
  wait $server
  code=$?
  rm -rf "$folder"
  exit $code`;

/** With the programs in `programs`, where a test needs others that fit them; with `settings` besides the usual ones. */
export async function startPostgres({
  programs,
  settings,
}: {
  programs?: string;
  settings?: Record<string, string>;
} = {}): Promise<TestPostgres> {
  const place = makePlace(programs);
  try {
    await makeCluster(place.bin, place.data);
    return await startIn(place, settings);
  } catch (error) {
    rmSync(place.folder, { recursive: true, force: true });
    throw error;
  }
}

/** Folders of one server, and its programs. */
export interface Place {
  folder: string;
  bin: string;
  data: string;
  socket: string;
}

export function makePlace(programs?: string): Place {
  const folder = mkdtempSync(join(tmpdir(), 'browserd-pg-'));
  try {
    chmodSync(folder, 0o755);
    const bin = programs ?? postgresBinaries(folder, user);
    const data = join(folder, 'data');
    const socket = join(folder, 'socket');
    for (const own of [data, socket]) mkdirSync(own, { mode: 0o700 });
    if (user.uid !== undefined) for (const own of [folder, data, socket]) chownSync(own, user.uid, user.gid);
    return { folder, bin, data, socket };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

export async function startIn(
  { folder, bin, data, socket }: Place,
  settings: Record<string, string> = {},
): Promise<TestPostgres> {
  const server = launch(bin, folder, { data, socket, settings });
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(socket)}`;
  await ready(url, server);
  return {
    url,
    newDatabase: () => createDatabase(url),
    stop: () => stop(server.process),
    async kill() {
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
      await stop(server.process);
    },
  };
}

/** A new empty database on the server of `url`. */
export async function createDatabase(url: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(url), { pathname: `/${name}` }).toString();
}

export async function makeCluster(bin: string, data: string): Promise<void> {
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  try {
    await run(join(bin, 'initdb'), args, { ...user, cwd: data });
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(`The tests need a real PostgreSQL, but ${bin}/initdb failed: ${stderr || message}`);
  }
}

interface Server {
  process: ChildProcess;
  /** What the server has said so far. */
  said: () => string;
}

function launch(
  bin: string,
  folder: string,
  { data, socket, settings }: { data: string; socket: string; settings: Record<string, string> },
): Server {
  const all = {
    listen_addresses: '',
    unix_socket_directories: socket,
    max_connections: '200',
    // a crash of the test machine may lose the test data
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    ...settings,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn('sh', ['-c', keeper, 'sh', folder, join(bin, 'postgres'), '-D', data, ...options], {
    ...user,
    cwd: '/',
    // its own process group: Ctrl-C is for the tests, which then let the server go in order
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  child.stdin.on('error', () => undefined);
  return { process: child, said: () => said };
}

async function ready(url: string, server: Server): Promise<void> {
  const giveUpAt = performance.now() + readyWithinMs;
  for (;;) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      const over = server.process.exitCode !== null || performance.now() > giveUpAt;
      if (over) {
        await stop(server.process);
        throw new Error(
          `PostgreSQL did not come up (${(error as Error).message}). It said: ${server.said()}`,
        );
      }
      await sleep(25);
    }
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
  child.stdin?.destroy();
  await ended;
}

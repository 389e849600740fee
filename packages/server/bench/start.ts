/**
 * The second `npm start` of an installed clone, as an operator types it: until /health answers, and until the first create,
 * sent at once after that, is answered with a browser from the warm pool.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { processTree } from '../src/process/process-tree.ts';
import { cpuOf, pause } from './cpu.ts';
import { type Row, summarize, timed } from './measure.ts';
import { rawLaunch } from './rivals.ts';

const rounds = 7;
const askEveryMs = 5;
const clone = new URL('../../..', import.meta.url).pathname;

/** As it is in a shell: the bench itself is run by npm, which puts the packages' programs first. */
const shellPath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const answersHealth = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/health', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });

/** 201 means that the browser is ready. */
async function create(port: number, key: string, agent: Agent): Promise<void> {
  const headers = {
    authorization: `Bearer ${key}`,
    'idempotency-key': crypto.randomUUID(),
    'content-type': 'application/json',
  };
  const path = '/v1/browsers';
  const asked = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent });
  asked.end('{}');
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await text(response);
  if (response.statusCode !== 201) throw new Error(`the create was answered ${response.statusCode}: ${body}`);
}

/** CPU time that npm, the launcher and the service took so far; not that of browsers and runners, which go on. */
async function cpuOfStart(npm: ChildProcess): Promise<number> {
  const tree = await processTree(npm.pid ?? 0);
  const isPartOfStart = (pid: number): boolean => {
    if (pid === npm.pid) return true;
    try {
      return /scripts\/start\.mjs|programs\/main\.ts|browserd-service\/main/.test(
        readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
      );
    } catch {
      return false;
    }
  };
  return tree.filter(({ pid }) => isPartOfStart(pid)).reduce((sum, { pid }) => sum + cpuOf(pid), 0);
}

interface Start {
  healthMs: number;
  createMs: number;
  cpuMs: number;
}

async function start(folder: string): Promise<Start> {
  const port = await freePort();
  const agent = new Agent();
  const began = performance.now();
  const npm = spawn('npm', ['start'], {
    cwd: clone,
    env: {
      PATH: shellPath,
      HOME: process.env.HOME,
      BROWSERD_PORT: String(port),
      BROWSERD_DATA_DIR: join(folder, 'data'),
      BROWSERD_CACHE_DIR: join(folder, 'cache'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  npm.stderr?.on('data', (chunk: Buffer) => {
    log += chunk;
  });
  const exited = once(npm, 'exit');
  try {
    while (!(await answersHealth(port))) {
      if (npm.exitCode !== null) throw new Error(`the service did not start:\n${log}`);
      await pause(askEveryMs);
    }
    const healthMs = performance.now() - began;
    const cpuMs = await cpuOfStart(npm);
    const key = await readFile(join(folder, 'data/admin-key'), 'utf8');
    await create(port, key.trim(), agent);
    return { healthMs, createMs: performance.now() - began, cpuMs };
  } finally {
    agent.destroy();
    // npm passes it on and ends after the service, which takes all its processes along.
    npm.kill('SIGTERM');
    await exited;
  }
}

async function rawStart(): Promise<() => Promise<void>> {
  await once(spawn(process.execPath, ['-e', ''], { stdio: 'ignore' }), 'exit');
  return rawLaunch();
}

export async function benchStart(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'browserd-bench-start-'));
  // Where the service is started as root, its runners have another user.
  await chmod(folder, 0o711);
  const starts: Start[] = [];
  const raw: number[] = [];
  try {
    // The first one installs, builds and fills the caches.
    await start(folder);
    for (let round = 0; round < rounds; round++) {
      starts.push(await start(folder));
      const bare = await timed(rawStart);
      await bare.value();
      raw.push(bare.ms);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const rival = { 'node -e "" and a raw Chromium launch': raw };
  return [
    ...summarize('start', { 'npm start → /health': starts.map((one) => one.healthMs), ...rival }).slice(0, 1),
    ...summarize('start', { 'npm start → first create': starts.map((one) => one.createMs), ...rival }),
    ...summarize(
      'start',
      { 'CPU of npm, launcher and service → /health': starts.map((one) => one.cpuMs) },
      'ms CPU',
    ),
  ];
}

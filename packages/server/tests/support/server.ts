import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { inject } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/kit/log.ts';
import { type Service, startService } from '../../src/service.ts';
import { type Api, createApi } from './client.ts';

/** Real servers for the specs: one in this process, or one of its own that can be killed. */
export interface TestServer extends AsyncDisposable {
  api: Api;
  dataDir: string;
  scratchDir: string;
  exchangeDir: string;
  env: Record<string, string>;
  service: Service;
}

/** Undefined: the default of the service, where the specs have another. */
export type Settings = Record<string, string | undefined>;

export interface Folders extends AsyncDisposable {
  env: Record<string, string>;
  dataDir: string;
  scratchDir: string;
  exchangeDir: string;
}

const given = (settings: Settings): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

export async function makeFolders(settings: Settings = {}): Promise<Folders> {
  const root = await mkdtemp(join(tmpdir(), 'browserd-test-'));
  const dataDir = join(root, 'data');
  const scratchDir = join(root, 'scratch');
  const exchangeDir = join(root, 'exchange');
  // The browsers of a service that was started as root run as another user, which must be able to enter.
  await chmod(root, 0o711);
  return {
    dataDir,
    scratchDir,
    exchangeDir,
    env: given({
      BROWSERD_PORT: '0',
      BROWSERD_DATA_DIR: dataDir,
      BROWSERD_SCRATCH_DIR: scratchDir,
      BROWSERD_EXCHANGE_DIR: exchangeDir,
      BROWSERD_CACHE_DIR: inject('cacheDir'),
      // one that is kept warm is one that most specs never use
      BROWSERD_POOL_SIZE: '0',
      BROWSERD_RUNNER_POOL_SIZE: '0',
      // how long a start takes is the machine's affair
      BROWSERD_LAUNCH_TIMEOUT: '2m',
      BROWSERD_PRIVATE_ACCESS: 'localhost',
      BROWSERD_LOG_LEVEL: 'warn',
      ...settings,
    }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export async function startServer(settings: Settings = {}): Promise<TestServer> {
  const folders = await makeFolders(settings);
  const { env } = folders;
  const config = readConfig(env);
  const service = await startService(config, createLog(config.logLevel), process.env);
  const key = config.apiKey ?? (await readFile(join(config.dataDir, 'admin-key'), 'utf8')).trim();
  return {
    api: createApi(service.url, key),
    dataDir: config.dataDir,
    scratchDir: config.scratchDir,
    exchangeDir: config.exchangeDir,
    env,
    service,
    async [Symbol.asyncDispose]() {
      await service.close();
      await folders[Symbol.asyncDispose]();
    },
  };
}

export interface ServerProcess {
  api: Api;
  child: ChildProcess;
  /** Everything it wrote so far. */
  output(): string;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const main = new URL('../../src/programs/main.ts', import.meta.url).pathname;
const start = new URL('../../src/programs/start.ts', import.meta.url).pathname;
const bundler = new URL('../../../../scripts/lib/service-bundle.mjs', import.meta.url).href;

/** What `npm start` runs: the service in one file, which the first server of a run may have to make. */
async function program(): Promise<string> {
  const { ensureBundle } = await import(/* @vite-ignore */ bundler);
  return (await ensureBundle(process.execPath)) ?? main;
}

/** Stripping and compiling the service anew is half the cost of starting it; what one process has done serves the next. */
export const compiledBefore = {
  NODE_COMPILE_CACHE: new URL('../../../../node_modules/.cache/browserd-tests', import.meta.url).pathname,
};

export interface HowStarted {
  /** Below one, as an operator starts a node of a cluster. */
  witness?: boolean | undefined;
  /** Another build of the service than that of these sources. */
  service?: string | undefined;
}

/**
 * Its key and port come from its own log line and data folder, as an operator would find them. The signal of a test
 * ends it when that test takes too long, which would never come to end it by itself.
 */
export async function spawnServer(
  env: Record<string, string>,
  signal?: AbortSignal,
  { witness = false, service }: HowStarted = {},
): Promise<ServerProcess> {
  const file = service ?? (await program());
  const args = witness ? [start, `--service=${file}`] : [file];
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...compiledBefore,
      ...env,
      BROWSERD_LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  });
  let output = '';
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const ready = /"url":"([^"]+)"[^\n]*service\.ready/.exec(output);
      if (ready?.[1]) resolve(ready[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    // It could not be started at all, or was not to be.
    child.on('error', reject);
    void exited.then(() => reject(new Error(`the server did not start:\n${output}`)));
  });
  const key =
    env.BROWSERD_API_KEY ?? (await readFile(join(env.BROWSERD_DATA_DIR ?? '', 'admin-key'), 'utf8')).trim();
  return { api: createApi(url, key), child, output: () => output, exited };
}

/** Shortly before the suite's own time limit, which would end the wait without a word on what was seen last. */
const longestWaitMs = 150_000;

/**
 * Asks until the answer fits. The longer it takes, the more seldom it asks: what is waited for needs the processor more.
 */
export async function eventually<T>(ask: () => Promise<T>, fits: (value: T) => boolean): Promise<T> {
  const until = performance.now() + longestWaitMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.2, 150)) {
    const value = await ask();
    if (fits(value)) return value;
    if (performance.now() > until)
      throw new Error(`what was waited for did not come; the last answer: ${inspect(value).slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

export const untilStatus = (api: Api, id: string, status: string) =>
  eventually(
    () => api.get(id),
    ({ body }) => body.status === status,
  );

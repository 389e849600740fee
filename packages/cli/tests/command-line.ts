import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { compiledBefore } from '../../server/tests/support/server.ts';
import type { Order } from './host-process.ts';

/** The program in a folder of its own, without the settings of this machine's user. */
const program = new URL('../src/browserd.ts', import.meta.url).pathname;
const hostProgram = new URL('./host-process.ts', import.meta.url).pathname;

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  /** Resolves once what was printed so far fits. */
  printed(fits: RegExp): Promise<string>;
  ended: Promise<Outcome>;
}

export interface RunOptions {
  stdin?: string;
  /** More may be written to stdin. */
  open?: boolean;
  env?: Record<string, string | undefined>;
}

export interface CommandLine extends AsyncDisposable {
  folder: string;
  /** As a person starts it, in a process of its own: for signals, pipes, and what only a process has. */
  start(args: string[], options?: RunOptions): Running;
  /** For the output and the exit code, in a process that is started once for all of these. */
  run(...args: string[]): Promise<Outcome>;
  runWith(options: RunOptions, ...args: string[]): Promise<Outcome>;
  /** What a command that must not fail prints with `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: the contract test of the server holds the shapes
  json(...args: string[]): Promise<any>;
}

export async function commandLine(env: Record<string, string>): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), 'browserd-cli-'));
  const own = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    ...compiledBefore,
    ...env,
  };
  const start = (args: string[], options: RunOptions = {}): Running => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: { ...own, ...options.env },
    });
    if (!options.open) child.stdin.end(options.stdin ?? '');
    return { child, ...watch(child) };
  };
  let host: Host | undefined;
  const runWith = ({ stdin = '', env: more }: RunOptions, ...args: string[]): Promise<Outcome> => {
    host ??= startHost(folder, own);
    return host.run({ args, env: { ...own, ...more }, stdin });
  };
  return {
    folder,
    start,
    runWith,
    run: (...args) => runWith({}, ...args),
    async json(...args) {
      const { code, stdout, stderr } = await runWith({}, ...args, '--json');
      if (code !== 0) throw new Error(`browserd ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    async [Symbol.asyncDispose]() {
      await host?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Host extends AsyncDisposable {
  run(order: Omit<Order, 'id'>): Promise<Outcome>;
}

function startHost(cwd: string, env: Record<string, string | undefined>): Host {
  const child = fork(hostProgram, { cwd, env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map<number, { resolve(outcome: Outcome): void; reject(error: Error): void }>();
  let lastId = 0;
  child.on('message', ({ id, outcome }: { id: number; outcome: Outcome }) => {
    waiting.get(id)?.resolve(outcome);
    waiting.delete(id);
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code) => {
      for (const { reject } of waiting.values())
        reject(new Error(`the host of the program ended with ${code}`));
      resolve();
    });
  });
  return {
    run(order) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        child.send({ id, ...order } satisfies Order);
      });
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}

function watch(child: ChildProcess): Omit<Running, 'child'> {
  let seen = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      for (const look of waiting) look();
    });
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  const output = Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream ? text(stream).catch(() => '') : '')),
  );
  return {
    printed: (fits) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (fits.test(seen)) resolve(seen);
        };
        waiting.add(look);
        look();
        void closed.then(() => reject(new Error(`it ended without printing ${fits}:\n${seen}`)));
      }),
    ended: Promise.all([closed, output]).then(([code, [stdout = '', stderr = '']]) => ({
      code,
      stdout,
      stderr,
    })),
  };
}

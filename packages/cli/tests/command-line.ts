import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { compiledBefore } from '../../server/tests/support/server.ts';

/** The program as a person starts it: a process of its own, in a folder of its own, with nobody's settings. */
const program = new URL('../src/browserd.ts', import.meta.url).pathname;

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
  start(args: string[], options?: RunOptions): Running;
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
  const runWith = (options: RunOptions, ...args: string[]): Promise<Outcome> => start(args, options).ended;
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
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
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

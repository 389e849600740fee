/**
 * Runs user code: in a process of its own, in a box, with Playwright on one browser.
 *
 *   attach(port) ─> Runner ─ run(call) ─> outcome        a runner belongs to one browser until it ends
 */
import type { Duplex } from 'node:stream';
import type { Log } from '../kit/log.ts';
import { createWarmPool, emptyFolder, type Isolation, type Pauses } from '../process/process.ts';
import type { RunnerLimits } from './box/box.ts';
import type { CdpPort } from './cdp-relay.ts';
import { type AttachOptions, OneRunner, type RunnerEnd } from './one-runner.ts';
import type { LogEntry, RunOutcome } from './running-call.ts';
import { openToolbox, type Toolbox } from './toolbox/toolbox.ts';
import type { TraceAsked } from './wire/wire.ts';

export type { CdpPort } from './cdp-relay.ts';
export type { FilesHandler } from './files-answers.ts';
export type { AttachOptions, RunnerEnd } from './one-runner.ts';
export type { LogEntry, RunOutcome } from './running-call.ts';
export { traceViewerFolder } from './toolbox/toolbox.ts';

export interface RunnerHost {
  /** Begins to start warm ones. */
  start(): void;
  /** A runner for one browser: a warm one, the one just starting, or a new one. */
  attach(port: CdpPort, options?: AttachOptions): Promise<Runner>;
  size(): { warm: number; wanted: number };
  /** Why the last one could not be started, for the readiness check. */
  problem(): string | undefined;
  /**
   * Ends the warm ones and removes what was laid out, unless that is kept in the cache. Attached ones are closed by the
   * rooms that attached them.
   */
  close(): Promise<void>;
}

export interface Runner {
  /** False: it has ended or is ending; attach another. */
  readonly alive: boolean;
  /** How many calls it has had, and its memory after the last: an owner may replace one that has grown. */
  readonly calls: number;
  readonly memoryBytes: number;
  readonly exited: Promise<RunnerEnd>;
  /** One at a time: the caller queues. Never throws for what the code does. */
  run(call: RunCall, signal?: AbortSignal): Promise<RunOutcome>;
  /** Stops it while it is idle; messages of the browser still wake it for a moment, and `run` for good. */
  freeze(): void;
  thaw(): void;
  /** Ends it at once; resolves when nothing of it is left. */
  close(): Promise<void>;
}

export interface RunCall {
  /** The body of an async function, JavaScript or TypeScript. */
  code: string;
  /** Any JSON value, in scope as `args`. */
  args?: unknown;
  /** The CDP target of the tab that is `page`. */
  targetId: string;
  timeoutMs: number;
  /** Hears of each log entry as it comes; all of them are in the outcome too. */
  onLog?(entry: LogEntry): void;
  /** Record what Playwright does: as records (trace-records.ts), while it happens, so that a call that is ended has one, too. */
  trace?: TraceAsked & { onStream(stream: Duplex): void };
}

export interface RunnersOptions {
  isolation: Isolation;
  /** An existing folder of the service that the runners' user can enter; what is made in it is removed again. */
  folder: string;
  /** Where what runners are made of is kept for later starts; without it, it is laid out anew in `folder`. */
  cache?: string | null;
  /** How many are kept warm. */
  size: number;
  limits?: RunnerLimits;
  /** Where busy boxes pause for the calls of others. */
  pauses?: Pauses;
  startTimeoutMs?: number;
  log?: Log;
}

/** Builds this room; `config` holds what the operator decides. The first runners begin to start at once. */
export async function startRunners({
  config,
  ...options
}: Pick<RunnersOptions, 'isolation' | 'pauses' | 'log'> & {
  config: { scratchDir: string; cacheDir: string | null; runnerPoolSize: number };
}): Promise<RunnerHost & AsyncDisposable> {
  const folder = await emptyFolder(`${config.scratchDir}-runners`, 0o711);
  const { cacheDir: cache, runnerPoolSize: size } = config;
  const runners = openRunners({ ...options, folder: folder.path, cache, size });
  runners.start();
  return {
    ...runners,
    async [Symbol.asyncDispose]() {
      await runners.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export const usualLimits: RunnerLimits = { heapMb: 384, memoryMb: 1024 };

export function openRunners(options: RunnersOptions): RunnerHost {
  const { isolation, folder, log, limits = usualLimits, startTimeoutMs: timeoutMs = 30_000 } = options;
  const toolbox = keptToolbox((signal) =>
    openToolbox({
      limits,
      cache: options.cache ?? null,
      parent: folder,
      forAnotherUser: isolation.user !== undefined,
      log,
      signal,
    }),
  );
  const pool = createWarmPool<OneRunner>({
    name: 'runners',
    refillPauseMs: 200,
    size: options.size,
    log,
    start: async (how) =>
      OneRunner.start({
        toolbox: await toolbox.get(how.signal),
        isolation,
        limits,
        folder,
        timeoutMs,
        pauses: options.pauses,
        ...how,
      }),
  });
  return {
    start: pool.fill,
    async attach(port, attachOptions = {}) {
      let runner = await pool.take();
      // A warm one may have died in the very moment it was taken.
      if (!runner.alive) runner = await pool.take();
      options.pauses?.add(runner, attachOptions.projectId ?? '');
      await runner.attach(port, attachOptions);
      return asRunner(runner);
    },
    size: pool.size,
    problem: pool.problem,
    async close() {
      await pool.close();
      await toolbox.close();
    },
  };
}

/** Opened for the first runner, and again when it could not be, or when it is no longer there. */
function keptToolbox(open: (signal: AbortSignal) => Promise<Toolbox>): {
  get(signal: AbortSignal): Promise<Toolbox>;
  close(): Promise<void>;
} {
  let current: Promise<Toolbox | undefined> = Promise.resolve(undefined);
  const next = async (signal: AbortSignal): Promise<Toolbox> => {
    const known = await current.catch(() => undefined);
    if (known?.isThere()) return known;
    await known?.close();
    return open(signal);
  };
  return {
    get(signal) {
      const toolbox = next(signal);
      current = toolbox;
      return toolbox;
    },
    async close() {
      await (await current.catch(() => undefined))?.close();
    },
  };
}

function asRunner(runner: OneRunner): Runner {
  let call = 0;
  return {
    get alive() {
      return runner.alive;
    },
    get calls() {
      return runner.calls;
    },
    get memoryBytes() {
      return runner.memoryBytes;
    },
    exited: runner.exited,
    run: ({ code, args, targetId, timeoutMs, onLog, trace }, signal) => {
      const message = { type: 'run', call: ++call, code, args, targetId, timeoutMs } as const;
      if (!trace) return runner.run(message, signal, { onLog });
      const { onStream: onTrace, ...asked } = trace;
      return runner.run({ ...message, trace: asked }, signal, { onLog, onTrace });
    },
    freeze: () => runner.freeze(),
    thaw: () => runner.thaw(),
    close: () => runner.close(),
  };
}

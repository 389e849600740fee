/** The one place that starts Chromium, and the one owner of every process that comes of it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Server } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { ApiError } from '../../errors.ts';
import type { Engine } from '../../kit/engine.ts';
import { orAborted } from '../../kit/or-aborted.ts';
import {
  beginStart,
  belowService,
  endAll,
  endOf,
  type Isolation,
  type ProcessEnd,
  type ProcessRef,
  processTree,
  type StartOptions,
  whileFrozen,
} from '../../process/process.ts';
import { Cdp } from '../pipe/pipe.ts';
import {
  boxCommand,
  boxDescriptors,
  boxedProfileDir,
  boxedProxyPort,
  type FontsForChromium,
  filterDescriptor,
} from './box.ts';
import { chromiumFlags } from './flags.ts';
import { onlineFilter } from './online.ts';

export interface LaunchOptions {
  engine: Engine;
  binary: string;
  /** Exists, belongs to the user Chromium runs as, and is removed by its maker. */
  profileDir: string;
  /** Folders like it: files for its pages, which it may read, and where its downloads go. */
  exchange?: { uploads: string; downloads: string };
  /** Fonts beside those of the machine; the folder stays until Chromium has ended. */
  fonts?: FontsForChromium | undefined;
  /** Address of the egress proxy; in a box it is opened by the launch itself. */
  proxyUrl?: string;
  /** Of a key, SHA-256 in base64: it takes certificates for this key as good, whatever else they say. */
  trustedKeyHash?: string;
  /** Whether extensions are loaded over the pipe. */
  extensions?: boolean;
  isolation: Isolation;
  sandbox: boolean;
  launchTimeoutMs: number;
  cdpTimeoutMs: number;
  /** The largest message that Chromium may send over its pipe. */
  messageLimitBytes?: number;
  /** Low priority, so that running pages go first: until it is up, or for its whole life. */
  inBackground?: boolean | 'always';
  /** Called once the process runs, with the switch that ends its low priority. */
  onSpawn?(hurry: () => void): void;
  /** Where it is known what else runs. */
  pauses?: StartOptions['pauses'];
  /** Called with the first process, before it has started another. */
  onProcess?(pid: number): void;
  /** When it is aborted, what has started is ended. */
  signal?: AbortSignal;
  /** First commands, sent before Chromium listens, so that it finds them when it does; up is when they are done. */
  prepare?(cdp: Cdp): Promise<unknown>;
}

export interface Chromium {
  readonly engine: Engine;
  readonly pid: number;
  readonly cdp: Cdp;
  /** The box's exit, listening; the egress proxy takes it over. */
  readonly exitListener: Server | undefined;
  readonly exited: Promise<ProcessEnd>;
  /** Why the service ended it by itself: what it sent could not be handled, or it took more than it may. */
  readonly fault: string | undefined;
  /** Ends it for a reason that its owner is told; the first one counts. */
  endFor(reason: string): void;
  /** Whether it stands still, and must be left so. */
  readonly isAsleep: boolean;
  /** Stops all of its processes for the work, and at most for this long. Only in a box, which ends with the service. */
  standStill<T>(mostMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Asks Chromium to save its profile and end, then ends what is left. */
  quit(deadlineMs: number): Promise<{ processesEnded: number }>;
  /** Ends every process at once; resolves when none is left. */
  kill(): Promise<{ processesEnded: number }>;
}

export async function launchChromium(options: LaunchOptions): Promise<Chromium> {
  const boxed = options.isolation.mode === 'strict';
  const flags = chromiumFlags({
    engine: options.engine,
    profileDir: boxed ? boxedProfileDir : options.profileDir,
    proxyUrl: boxed ? `http://127.0.0.1:${boxedProxyPort}` : (options.proxyUrl ?? ''),
    boxed,
    sandbox: options.sandbox,
    trustedKeyHash: options.trustedKeyHash,
    extensions: options.extensions,
  });
  const child = boxed ? spawnBoxed(options, flags) : spawnPlain(options, flags);
  const chromium = own(child, options);
  if (chromium.pid > 0) options.onProcess?.(chromium.pid);
  using start = beginStart(chromium.pid, options);
  options.onSpawn?.(start.hurry);
  try {
    await comeUp(child, chromium, options, boxed);
  } catch (error) {
    await chromium.kill();
    throw error;
  }
  return chromium;
}

function spawnBoxed(options: LaunchOptions, flags: string[]): ChildProcess {
  const { binary, profileDir, exchange, fonts, isolation } = options;
  const filter = onlineFilter();
  const box = {
    bwrap: isolation.bwrap ?? 'bwrap',
    binary,
    profileDir,
    exchange,
    fonts,
    filtered: filter !== undefined,
  };
  const [command = '', ...args] = belowService(boxCommand(box, flags));
  const node = openSync(process.execPath, 'r');
  try {
    const stdio: ('ignore' | 'pipe' | 'ipc' | number)[] = ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'];
    stdio[boxDescriptors.channel] = 'ipc';
    stdio[boxDescriptors.node] = node;
    if (filter) stdio[filterDescriptor] = 'pipe';
    const child = spawn(command, args, { stdio, detached: true, env: {}, cwd: '/', ...isolation.user });
    const pipes: readonly unknown[] = child.stdio;
    if (filter) give(pipes[filterDescriptor] as Writable, filter);
    return child;
  } finally {
    closeSync(node);
  }
}

/** A box that ends before it has read is reported by its exit. */
const give = (pipe: Writable, bytes: Buffer): void =>
  void pipe.on('error', () => undefined).end(bytes, () => pipe.destroy());

function spawnPlain(options: LaunchOptions, flags: string[]): ChildProcess {
  const { fonts } = options;
  const script = 'ulimit -c 0; exec "$@"';
  const [command = '', ...args] = belowService([
    '/bin/sh',
    '-c',
    script,
    'chromium',
    options.binary,
    ...flags,
  ]);
  return spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    cwd: '/',
    env: {
      ...{ HOME: options.profileDir, TMPDIR: options.profileDir, LANG: 'C.UTF-8', PATH: '/usr/bin:/bin' },
      ...(fonts && { FONTCONFIG_FILE: join(fonts.folder, fonts.configuration) }),
    },
    ...options.isolation.user,
  });
}

/** Takes possession of the child: its pipes, its exit, its whole tree. */
function own(child: ChildProcess, options: LaunchOptions): Chromium & { listener(server: Server): void } {
  let fault: string | undefined;
  let exitListener: Server | undefined;
  let ended: Promise<{ processesEnded: number }> | undefined;
  const cdp = new Cdp({
    input: child.stdio[3] as Writable,
    output: child.stdio[4] as Readable,
    timeoutMs: options.launchTimeoutMs * (options.inBackground ? 10 : 1),
    messageLimitBytes: options.messageLimitBytes,
    onFault: (error) => endFor(error.message),
  });
  const endFor = (reason: string): void => {
    fault ??= reason;
    ended ??= end();
  };
  let hasExited = false;
  const exited = endOf(child).then((end) => {
    hasExited = true;
    cdp.end(new ApiError('BROWSER_CRASHED', 'Chromium ended while the call was running.'));
    return end;
  });
  const pid = child.pid ?? 0;
  let asleep = 0;
  const members = new Map<number, ProcessRef>();
  const lookAround = async () => {
    if (pid > 0) for (const ref of await processTree(pid)) members.set(ref.pid, ref);
  };
  const end = async (): Promise<{ processesEnded: number }> => {
    await lookAround();
    const tree = [...members.values()];
    await endAll(tree);
    if (pid > 0) await exited;
    for (const stream of child.stdio) stream?.destroy();
    return { processesEnded: tree.length };
  };
  return {
    engine: options.engine,
    pid,
    get fault() {
      return fault;
    },
    endFor,
    cdp,
    get exitListener() {
      return exitListener;
    },
    exited,
    listener: (server) => {
      exitListener = server;
    },
    get isAsleep() {
      return asleep > 0;
    },
    async standStill(mostMs, work) {
      if (options.isolation.mode !== 'strict')
        throw new Error('A Chromium outside of a box is not stopped: it would outlive the service.');
      // Its number may be another's by now.
      if (hasExited) throw new Error('Chromium has ended.');
      asleep++;
      try {
        return await whileFrozen(pid, mostMs, work);
      } finally {
        asleep--;
      }
    },
    kill: () => {
      ended ??= end();
      return ended;
    },
    async quit(deadlineMs) {
      await lookAround();
      const deadline = new Promise((resolve) => setTimeout(resolve, deadlineMs).unref());
      cdp.send('Browser.close', undefined, { timeoutMs: deadlineMs }).catch(() => undefined);
      await Promise.race([exited, deadline]);
      ended ??= end();
      return ended;
    },
  };
}

/** Up means: Chromium answers and is prepared, and in a box its exit is open. */
async function comeUp(
  child: ChildProcess,
  chromium: Chromium & { listener(server: Server): void },
  options: LaunchOptions,
  boxed: boolean,
): Promise<void> {
  const failed = (why: string): ApiError =>
    new ApiError('BROWSER_START_FAILED', `Chromium could not be started: ${why}`, {
      details: { engine: options.engine },
    });
  let timer: NodeJS.Timeout | undefined;
  // A Chromium of low priority may rightly take long.
  const patienceMs = options.launchTimeoutMs * (options.inBackground ? 10 : 1);
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failed(`it was not up within ${patienceMs} ms`)), patienceMs);
  });
  const died = chromium.exited.then((exit) => {
    throw failed(explain(exit));
  });
  const exitOpen = boxed
    ? new Promise<void>((resolve) => {
        child.once('message', (_, server) => {
          chromium.listener(server as Server);
          child.disconnect();
          resolve();
        });
      })
    : undefined;
  const answers = Promise.all([chromium.cdp.send('Browser.getVersion'), options.prepare?.(chromium.cdp)]);
  try {
    await orAborted(Promise.race([Promise.all([answers, exitOpen]), died, late]), options.signal);
    chromium.cdp.timeoutMs = options.cdpTimeoutMs;
  } finally {
    clearTimeout(timer);
    for (const loser of [died, answers]) loser.catch(() => undefined);
  }
}

function explain(end: ProcessEnd): string {
  const words = end.lastWords.trim().split('\n').slice(-3).join(' | ');
  if (/no usable sandbox|Failed to move to new namespace/i.test(end.lastWords))
    return 'its own sandbox cannot work on this machine; allow user namespaces (see SECURITY.md)';
  return `it ended at once (${end.signal ?? `exit code ${end.code}`})${words ? `: ${words}` : ''}`;
}

/** Starts the process of a runner and owns it: its three sockets, its signals, its end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  belowService,
  childrenOf,
  endOf,
  type Isolation,
  type Pauses,
  type ProcessEnd,
  removeTree,
} from '../process/process.ts';
import { type RunnerLimits, runnerCommand, runnerEnvironment } from './box/box.ts';
import type { Toolbox } from './toolbox/toolbox.ts';
import { descriptors } from './wire/wire.ts';

export interface StartOptions {
  toolbox: Toolbox;
  isolation: Isolation;
  limits: RunnerLimits;
  /** Where a runner without a box has its folder. */
  folder: string;
  inBackground: boolean;
  /** Where it is known what else runs. */
  pauses?: Pauses | undefined;
}

/** How long to wait for the last output of a process that has ended. */
const lastWordsMs = 100;
const patienceMs = 500;

export class RunnerProcess {
  readonly exited: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  readonly #boxed: boolean;
  readonly #folder: string | undefined;
  #ended: Promise<void> | undefined;

  constructor(options: StartOptions) {
    const { isolation, toolbox, limits } = options;
    this.#boxed = isolation.mode === 'strict';
    this.#folder = this.#boxed ? undefined : ownFolder(options);
    const bwrap = this.#boxed ? (isolation.bwrap ?? 'bwrap') : undefined;
    const command = runnerCommand({
      bwrap,
      toolbox: toolbox.folder,
      folder: this.#folder ?? '',
      limits,
      fromSnapshot: toolbox.hasSnapshot,
    });
    this.#child = start(command, options, this.#folder);
    this.exited = watch(this.#child);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  socket(name: 'cdp' | 'control' | 'streams'): Socket {
    return (this.#child.stdio as unknown as Socket[])[descriptors[name]] as Socket;
  }

  /** Only a boxed one: outside a box a stopped process would outlive a service that is killed. */
  freeze(frozen: boolean): void {
    if (this.#boxed) this.#signal(-this.pid, frozen ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Ends it at once; resolves when nothing of it is left. */
  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    if (this.pid > 0) {
      // The process inside first: bubblewrap then reaps it and ends by itself.
      const inside = this.#boxed ? childrenOf(this.pid) : [];
      for (const pid of inside) this.#signal(pid, 'SIGKILL');
      if (inside.length > 0) this.#signal(-this.pid, 'SIGCONT');
      else this.#signal(-this.pid, 'SIGKILL');
      if (!(await Promise.race([this.exited, sleep(patienceMs, undefined, { ref: false })])))
        this.#signal(-this.pid, 'SIGKILL');
      await this.exited;
    }
    for (const stream of this.#child.stdio) stream?.destroy();
    if (this.#folder) await removeTree(this.#folder);
  }

  #signal(pid: number, signal: NodeJS.Signals): void {
    try {
      if (Math.abs(pid) > 1) process.kill(pid, signal);
    } catch {
      // gone already
    }
  }
}

function ownFolder({ folder, isolation }: StartOptions): string {
  const own = mkdtempSync(join(folder, 'runner-'));
  if (isolation.user) chownSync(own, isolation.user.uid, isolation.user.gid);
  return own;
}

function start(command: string[], options: StartOptions, folder: string | undefined): ChildProcess {
  const [program = '', ...args] = belowService(command);
  const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'];
  const node = openSync(process.execPath, 'r');
  const seccomp = openSync(options.toolbox.seccomp, 'r');
  try {
    stdio[descriptors.node] = node;
    if (!folder) stdio[descriptors.seccomp] = seccomp;
    const where = folder ? { cwd: folder, env: runnerEnvironment(folder) } : { cwd: '/', env: {} };
    return spawn(program, args, { ...where, stdio, detached: true, ...options.isolation.user });
  } finally {
    closeSync(node);
    closeSync(seccomp);
  }
}

function watch(child: ChildProcess): Promise<ProcessEnd> {
  // A broken pipe shows up as the exit of the process.
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  return endOf(child, lastWordsMs);
}

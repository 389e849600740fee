/**
 * One runner, from its start to its end, seen from the service:
 *
 *   starting ─ ready ─> warm ─ attach() ─> attaching ─> idle <─ run() ─> running        any ─> gone
 *
 * In each state only the messages that belong to it are accepted. Anything else, and any frame that breaks the
 * protocol, ends the runner: its process is no longer trusted.
 */

import type { Duplex } from 'node:stream';
import { ApiError } from '../errors.ts';
import { readInTurns, type Share, shareOf } from '../kit/loop-share.ts';
import { beginStart, type ProcessEnd } from '../process/process.ts';
import { type CdpPort, relayCdp } from './cdp-relay.ts';
import { ControlEnd } from './control-end.ts';
import { answer, type FilesHandler } from './files-answers.ts';
import { IdleGate } from './idle-gate.ts';
import { RunnerProcess, type StartOptions } from './runner-process.ts';
import { type CallListeners, RunningCall, type RunOutcome } from './running-call.ts';
import { Sleep } from './sleep.ts';
import { type DoneMessage, type FromChild, Streams, type ToChild, WireError } from './wire/wire.ts';

type State = 'starting' | 'warm' | 'attaching' | 'idle' | 'running' | 'gone';

export interface AttachOptions {
  /** Each stream is a connection to an HTTP proxy: the browser's egress. Without it `context.request` cannot connect. */
  onStream?(stream: Duplex): void;
  files?: FilesHandler;
  /** While a script listens to dialogs of these tabs (absent: of all), the script answers them. */
  onDialogListening?(listening: boolean, targets?: readonly string[]): void;
  /** Whose loop time is used for what it says, and whose box it is; without it, the service's own. */
  projectId?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface RunnerEnd extends ProcessEnd {
  /** Why, in words for people. */
  reason: string;
}

const graceMs = 100;
const grownShare = 0.6;

export class OneRunner implements AsyncDisposable {
  readonly exited: Promise<RunnerEnd>;
  readonly #process: RunnerProcess;
  readonly #control: ControlEnd;
  readonly #sleep: Sleep;
  #state: State = 'starting';
  #reached: { wanted: State; resolve(): void; reject(error: Error): void } | undefined;
  #options: AttachOptions = {};
  #streams: Streams | undefined;
  readonly #gate = new IdleGate();
  /** The answer of the call, while commands that it sent before are still on their way. */
  #early: DoneMessage | undefined;
  #call: RunningCall | undefined;
  #calls = 0;
  #memoryBytes = 0;
  #reason: string | undefined;
  readonly #roomBytes: number;

  private constructor(options: StartOptions) {
    this.#process = new RunnerProcess(options);
    this.#roomBytes = options.limits.memoryMb * 1024 ** 2 * grownShare;
    this.#sleep = new Sleep((asleep) => this.#process.freeze(asleep));
    this.#control = new ControlEnd(this.#process.socket('control'), {
      onMessage: (message, bytes) => this.#receive(message, bytes),
      onBroken: (what) => this.#mistrust(what),
      share: () => this.#share,
    });
    this.exited = this.#process.exited.then((end) => this.#gone(end));
  }

  /** Resolves when it is warm. `onSpawn` gets the switch that ends its low priority. */
  static async start(
    options: StartOptions & { timeoutMs: number; onSpawn?(hurry: () => void): void; signal?: AbortSignal },
  ): Promise<OneRunner> {
    const runner = new OneRunner(options);
    using start = beginStart(runner.pid, options);
    options.onSpawn?.(start.hurry);
    // A runner that gives way to others may take long without being broken.
    await runner.#reach('warm', options.timeoutMs * (options.inBackground ? 10 : 1), options.signal);
    return runner;
  }

  get alive(): boolean {
    return this.#state !== 'gone' && this.#reason === undefined;
  }

  get calls(): number {
    return this.#calls;
  }

  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  get isAsleep(): boolean {
    return this.#sleep.isAsleep;
  }

  get pid(): number {
    return this.#process.pid;
  }

  async attach(port: CdpPort, options: AttachOptions): Promise<void> {
    this.#options = options;
    this.#state = 'attaching';
    relayCdp(this.#process.socket('cdp'), port, {
      refusal: (message) => this.#passes(message),
      onHeard: (message) => this.#gate.watch(message),
      onTraffic: () => this.#sleep.traffic(),
      onBroken: (what) => this.#mistrust(what),
      share: () => this.#share,
    });
    const streams = this.#process.socket('streams');
    this.#streams = new Streams(streams, {
      onOpen: (stream, purpose) => {
        const take = purpose === 'trace' ? this.#call?.traceTaker() : options.onStream;
        if (this.#state === 'running' && take) take(stream);
        else stream.destroy();
      },
      onBroken: (error) => this.#mistrust(error.message),
      readBy: (read, onFault) => readInTurns(streams, { share: () => this.#share, read, onFault }),
    });
    this.#control.send({ type: 'attach', streams: options.onStream !== undefined });
    await this.#reach('idle', options.timeoutMs ?? 10_000, options.signal);
  }

  /** One at a time: the caller queues. */
  async run(
    message: Extract<ToChild, { type: 'run' }>,
    signal?: AbortSignal,
    listeners?: CallListeners,
  ): Promise<RunOutcome> {
    const call = new RunningCall(message.call, listeners);
    if (this.#state !== 'idle' || !this.alive) {
      call.fail('RUNNER_DIED', this.#reason ?? 'The runner is not free.');
      return call.outcome;
    }
    this.#sleep.wake();
    this.#state = 'running';
    this.#gate.open();
    this.#call = call;
    this.#calls++;
    const stop = (code: 'SCRIPT_TIMEOUT' | 'CANCELLED', reason: string) => () => {
      call.fail(code, reason);
      void this.close(reason);
    };
    const late = setTimeout(
      stop('SCRIPT_TIMEOUT', `The script did not end within ${message.timeoutMs} ms and was ended.`),
      message.timeoutMs + graceMs,
    );
    const cancel = stop('CANCELLED', 'The call was cancelled.');
    signal?.addEventListener('abort', cancel, { once: true });
    this.#control.send(message);
    if (signal?.aborted) cancel();
    try {
      const outcome = await call.outcome;
      // The call ends only after a runner that is being ended is gone: the next call finds no trace of it.
      if (!this.alive) await this.#process.end();
      return outcome;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', cancel);
      this.#call = undefined;
      this.#options.onDialogListening?.(false);
    }
  }

  freeze(): void {
    if (this.#state === 'idle') this.#sleep.begin();
  }

  thaw(): void {
    this.#sleep.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async close(reason = 'The runner was closed.'): Promise<void> {
    this.#reason ??= reason;
    this.#sleep.stop();
    await this.#process.end();
    await this.exited;
  }

  get #share(): Share {
    return shareOf(this.#options.projectId ?? '');
  }

  #receive(message: FromChild, bytes: Buffer): void {
    const expected: Partial<Record<FromChild['type'], State>> = {
      ready: 'starting',
      attached: 'attaching',
      refused: 'attaching',
      log: 'running',
      front: 'running',
      dialogs: 'running',
      ask: 'running',
      done: 'running',
    };
    const state = expected[message.type];
    if (state !== undefined && state !== this.#state)
      throw new WireError(`${message.type} while ${this.#state}`);
    if (message.type === 'ready') this.#enter('warm');
    else if (message.type === 'attached') this.#enter('idle');
    else if (message.type === 'refused') this.#reached?.reject(new Error(message.message));
    else if (message.type === 'done') this.#answered(message);
    else {
      this.#call?.take(message);
      if (message.type === 'dialogs') this.#options.onDialogListening?.(message.listening, message.targets);
      if (message.type === 'ask') void answer(this.#control, this.#options.files, message, bytes);
    }
  }

  /** The wire of commands is another than that of answers: the call is over when all that it sent is here. */
  #answered(message: DoneMessage): void {
    if (this.#early) throw new WireError('a second answer');
    if (this.#gate.received < message.cdpSent) this.#early = message;
    else this.#done(message);
  }

  #passes(message: Buffer): string | undefined {
    const refusal = this.#gate.refusal(message);
    const early = this.#early;
    // After the message itself has passed.
    if (early && this.#gate.received >= early.cdpSent)
      process.nextTick(() => this.#early === early && this.#done(early));
    return refusal;
  }

  #done(message: DoneMessage): void {
    this.#early = undefined;
    this.#gate.shut();
    this.#streams?.endAll();
    this.#memoryBytes = message.memoryBytes;
    this.#call?.done(message);
    this.#enter('idle');
    // Memory that a script left in use is missing to the next: better a new runner than one that ends amid a call.
    if (this.#gate.hasExtraSessions) void this.close('The script left a CDP session open.');
    else if (message.last) void this.close('The script left nothing that another call could use.');
    else if (message.memoryBytes > this.#roomBytes) void this.close('The runner had grown too large.');
  }

  #enter(state: State): void {
    this.#state = state;
    if (this.#reached?.wanted === state) this.#reached.resolve();
  }

  /** Waits for a state; otherwise the runner is ended. */
  async #reach(wanted: State, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const arrived = new Promise<void>((resolve, reject) => {
      this.#reached = { wanted, resolve, reject };
    });
    const fail = (why: string) => () => this.#reached?.reject(new Error(why));
    const timer = setTimeout(fail(`it was not ${wanted} within ${timeoutMs} ms`), timeoutMs);
    const cancel = fail('it is not wanted any more');
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    try {
      await arrived;
    } catch (error) {
      await this.close((error as Error).message);
      throw new ApiError('RUNNER_UNAVAILABLE', `The script could not be started: ${this.#reason}.`, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      this.#reached = undefined;
    }
  }

  #mistrust(what: string): void {
    void this.close(`The runner was ended, because it broke the rules: ${what}.`);
  }

  #gone(end: ProcessEnd): RunnerEnd {
    const reason = this.#reason ?? explain(end);
    this.#reason = reason;
    this.#state = 'gone';
    this.#control.stop();
    this.#sleep.stop();
    this.#streams?.close();
    this.#reached?.reject(new Error(reason));
    this.#call?.fail('RUNNER_DIED', reason);
    void this.#process.end();
    return { ...end, reason };
  }
}

/** The last output was written inside the box, so it only selects one of the service's own messages. */
function explain({ code, signal, lastWords }: ProcessEnd): string {
  if (/out of memory|OOM|Allocation failed|bad_alloc/i.test(lastWords))
    return 'The script used more memory than a script may, and was ended.';
  return `The process that ran the script ended (${signal ?? `exit code ${code}`}).`;
}

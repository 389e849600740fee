/**
 * Where the scripts of one browser are run: its runner, attached at the first call and kept while it is hot.
 *
 *   first call ─> attached ── idle ──> frozen ── idle ──> dropped        time-out, death, growth, many calls ──> replaced
 *
 * A runner serves one key: what a script manages to leave behind in it waits for no other caller.
 */
import type { Artifacts } from '../../artifacts/artifacts.ts';
import type { CdpClient, Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { Log } from '../../kit/log.ts';
import type { RunCall, Runner, RunnerHost, RunOutcome } from '../../runner/runner.ts';
import type { Masks } from '../../secrets/secrets.ts';
import { resolveRef } from '../observe/observe.ts';
import { Line } from '../reach/reach.ts';
import type { SecretTyping } from '../secret/secret.ts';
import { scriptFiles } from './script-files.ts';

export interface RunnerSessionParts {
  runners: RunnerHost;
  artifacts: Artifacts;
  log: Log;
  freezeAfterMs: number;
  dropAfterMs: number;
  masks: Pick<Masks, 'isIn'>;
  secretTyping: Pick<SecretTyping, 'type'>;
}

const mostCalls = 500;
const mostMemory = 512 * 1024 ** 2;

interface Attached {
  runner: Runner;
  client: CdpClient;
}

export class RunnerSession {
  readonly running: Running;
  readonly #parts: RunnerSessionParts;
  readonly #line = new Line();
  /** Why a secret was last not typed, for the error that names it. */
  secretRefusal: ApiError | undefined;
  #stopListening: () => void = () => undefined;
  #attached: Attached | undefined;
  #keyId: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: RunnerSessionParts, running: Running) {
    this.#parts = parts;
    this.running = running;
    running.left.addEventListener('abort', () => void this.#detach(), { once: true });
  }

  /** Calls that run or wait. */
  get waiting(): number {
    return this.#line.waiting;
  }

  /** Calls on one browser run one at a time, in order. */
  inTurn<T>(work: () => Promise<T>, gone: AbortSignal): Promise<T> {
    return this.#line.run(work, gone);
  }

  /** The calls that follow are this key's. */
  async serve(keyId: string): Promise<void> {
    if (this.#keyId !== undefined && this.#keyId !== keyId) await this.#detach();
    this.#keyId = keyId;
  }

  /** Whose calls they are. */
  get keyId(): string {
    return this.#keyId ?? '';
  }

  /** No call begins until the return value is called. */
  hold(): () => void {
    return this.#line.hold();
  }

  async run(call: Omit<RunCall, 'targetId'> & { tabId: string }, signal: AbortSignal): Promise<RunOutcome> {
    const { tabId, ...rest } = call;
    this.secretRefusal = undefined;
    return this.#withRunner((runner) => runner.run({ ...rest, targetId: this.#targetOf(tabId) }, signal));
  }

  /** Whether a call can begin at once; to begin anew, every page of the browser must answer. */
  get attached(): boolean {
    return this.#attached?.runner.alive === true;
  }

  async close(): Promise<void> {
    await this.#detach();
  }

  #listenToDialogs(listening: boolean, targets?: readonly string[]): void {
    const stop = this.#stopListening;
    const hears = (targetId: string): boolean => targets?.includes(targetId) ?? true;
    this.#stopListening = listening ? this.running.live.dialogs.listen(hears) : () => undefined;
    // Last: what is open under both is left to the script.
    stop();
  }

  #targetOf(tabId: string): string {
    return this.running.live.tabs.targetOf(tabId) ?? tabId;
  }

  async #resolveRef(ref: string, targetId: string): Promise<unknown> {
    const tabId = this.running.live.tabs.tabOf(targetId);
    return tabId === undefined ? undefined : resolveRef(this.running, tabId, ref);
  }

  async #withRunner<T>(work: (runner: Runner) => Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    const { runner } = await this.#attach();
    runner.thaw();
    try {
      return await work(runner);
    } finally {
      if (!runner.alive || runner.calls >= mostCalls || runner.memoryBytes > mostMemory) await this.#detach();
      else this.#restLater();
    }
  }

  #restLater(): void {
    const { freezeAfterMs, dropAfterMs } = this.#parts;
    this.#timer = setTimeout(() => {
      this.#attached?.runner.freeze();
      this.#timer = setTimeout(() => void this.#detach(), dropAfterMs).unref();
    }, freezeAfterMs).unref();
  }

  async #attach(): Promise<Attached> {
    if (this.#attached?.runner.alive) return this.#attached;
    await this.#detach();
    const { live, left } = this.running;
    left.throwIfAborted();
    let hear: (message: Buffer) => void = () => undefined;
    let goOn: (() => void) | undefined;
    const client = await live.openClient({
      onMessage: (message) => hear(message),
      onDrain: () => goOn?.(),
      onClose: (reason) => {
        this.#parts.log.debug({ browserId: this.running.id, reason }, 'script.client_closed');
        void this.#detach();
      },
    });
    try {
      const port = {
        send: (message: Buffer): void | Promise<void> => {
          if (client.send(message)) return;
          return new Promise<void>((resolve) => {
            goOn = resolve;
          });
        },
        onMessage: (listener: (message: Buffer) => void) => {
          hear = listener;
        },
      };
      const runner = await this.#parts.runners.attach(port, {
        onStream: (stream) => live.egress.accept(stream),
        files: {
          ...scriptFiles(this.#parts.artifacts, this.running, this.#parts.masks),
          secret: (asked) =>
            this.#parts.secretTyping.type(this.running, this.#keyId ?? '', asked).catch((error: unknown) => {
              if (error instanceof ApiError) this.secretRefusal = error;
              throw error;
            }),
          ref: ({ ref, targetId }) => this.#resolveRef(ref, targetId),
        },
        onDialogListening: (listening, targets) => this.#listenToDialogs(listening, targets),
        projectId: this.running.projectId,
        signal: left,
      });
      this.#attached = { runner, client };
      return this.#attached;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  async #detach(): Promise<void> {
    clearTimeout(this.#timer);
    const attached = this.#attached;
    this.#attached = undefined;
    if (!attached) return;
    // Before anything is awaited: the next runner may be listening by then.
    this.#listenToDialogs(false);
    await attached.runner.close();
    const tidied = this.#tidy(attached.client);
    // A page with an open dialog does not answer; what is asked of it is done when it can.
    if (this.running.live.dialogs.waiting().length === 0) await tidied;
  }

  /** What the runner's Playwright had set for the page ends with it: the page looks as the browser was made to look. */
  async #tidy(client: CdpClient): Promise<void> {
    await client.close();
    const { live, left } = this.running;
    if (!left.aborted) await live.tabs.emulateAgain().catch(() => undefined);
  }
}

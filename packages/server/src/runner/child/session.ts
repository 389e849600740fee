/** A runner that is attached: its browser, and one call at a time on it. */
import type { Duplex } from 'node:stream';
import type { Browser, BrowserContext, BrowserType, Page } from 'playwright-core';
import { type DoneMessage, limits, type RunMessage } from '../wire/wire.ts';
import type { AriaRefs } from './aria-refs.ts';
import { Call, calls } from './call.ts';
import { compile } from './compile.ts';
import { cappedLog, createConsole, type Emit } from './console.ts';
import type { Control } from './control.ts';
import { fetchDownloads } from './downloads.ts';
import { failureOf } from './failure.ts';
import type { Files } from './files.ts';
import { type DialogListening, guard, keepShape, resetTimeouts } from './guard.ts';
import { describeHandle, pageOf, printHandlesShort } from './pages.ts';
import { connectionOf, serverBrowserOf } from './playwright-inside.ts';
import { watchRealm } from './realm.ts';
import { TooLargeError, toJson } from './result.ts';
import { createScope, prepareNextScope } from './scope.ts';
import type { Secrets } from './secrets.ts';
import { startTracing, type Tracing } from './tracing.ts';
import { proxyUrl } from './tunnel.ts';

export interface Transport {
  /** Playwright's part. */
  onmessage: ((message: object) => void) | undefined;
  onclose: ((reason?: string) => void) | undefined;
  send(message: object): void;
  close(): void;
  /** The tab in front now, of those that came there since `watchFront`. */
  readonly front: string | undefined;
  watchFront(on: boolean): void;
  /** Messages so far. */
  readonly sent: number;
}

export interface Parts {
  control: Pick<Control, 'send' | 'sendText'>;
  transport: Transport;
  files: Files;
  secrets: Secrets;
  refs: AriaRefs;
  onDialogListening(to: DialogListening): void;
  /** Connections of `context.request` that are open end. */
  endStreams?(): void;
  /** Where a trace goes. */
  openTrace?(): Duplex;
}

/** What a script is given of the runner's own realm. */
export type Given = {
  page: Page;
  context: BrowserContext;
  browser: Browser;
  files: object;
  secrets: object;
  console: Console;
};

type Prepared = () => Promise<unknown>;

const cleanupMs = 1000;
/** Of the time of the call, the most that the start and the end of its trace may take. */
const traceStartMs = 5000;
const traceEndMs = 10_000;

export async function attach(chromium: BrowserType, artifactsDir: string, parts: Parts): Promise<Session> {
  const connect = chromium.connectOverCDP as unknown as (
    transport: Transport,
    options: { artifactsDir: string; timeout: number },
  ) => Promise<Browser>;
  const browser = await connect.call(chromium, parts.transport, { artifactsDir, timeout: 0 });
  serverBrowserOf(browser).options.proxy = { server: proxyUrl };
  preparePlaywright(browser, parts);
  return new Session(browser, parts);
}

let prepared = false;
/** Once a process: all its browsers share what is changed here. */
function preparePlaywright(browser: Browser, parts: Parts): void {
  if (prepared) return;
  prepared = true;
  guard(browser, parts);
  fetchDownloads(connectionOf(browser), (guid) => parts.files.download(guid));
  printHandlesShort(browser);
}

export class Session {
  readonly #browser: Browser;
  readonly #parts: Parts;
  #isRealmChanged = (): boolean => false;
  #current: { call: Call; log: Emit } | undefined;
  #tracing: Tracing | undefined;

  constructor(browser: Browser, parts: Parts) {
    this.#browser = browser;
    this.#parts = parts;
  }

  /** Before the first script. */
  expectScripts(): void {
    this.#isRealmChanged = this.#watchRealm();
    prepareNextScope();
  }

  #watchRealm(): () => boolean {
    const browser = this.#browser;
    const context = browser.contexts()[0];
    const page = context?.pages()[0];
    const around = page ? [page, page.mainFrame(), page.locator('x'), page.keyboard, page.mouse] : [];
    return watchRealm([browser, ...(context ? [context, context.request] : []), ...around]);
  }

  get isConnected(): boolean {
    return this.#browser.isConnected();
  }

  get isRunning(): boolean {
    return this.#current !== undefined;
  }

  /** A throw that nothing caught: in a listener, say. Between calls it has no call to fail. */
  thrown(error: unknown): void {
    this.#current?.call.fail(error);
  }

  rejected(reason: unknown): void {
    const { name, message } = failureOf(reason);
    this.#current?.log('error', `Unhandled rejection: ${name}: ${message}`);
  }

  async run(message: RunMessage): Promise<void> {
    const { control, transport } = this.#parts;
    const call = new Call(message.call, message.timeoutMs);
    const log = cappedLog(call, (level, text) => control.send({ type: 'log', level, text }));
    this.#current = { call, log };
    const outcome = await this.#outcome(
      call,
      () =>
        this.#perform(call, log, message.targetId, async (given) => {
          await this.#trace(call, message, given.context);
          const scope = createScope(call, message.args, given);
          return compile(message.code, scope.AsyncFunction).runInContext(scope.globals);
        }),
      log,
    );
    transport.watchFront(false);
    this.#current = undefined;
    control.sendText(outcome);
    setImmediate(prepareNextScope);
  }

  /** A call of the runner's own. It has no scope, because a snapshot has no room for a second realm. */
  async rehearse(
    targetId: string,
    timeoutMs: number,
    play: (given: Given) => Promise<unknown>,
  ): Promise<void> {
    const call = new Call(0, timeoutMs);
    const log = cappedLog(call, () => undefined);
    this.#watchRealm()();
    const work = () => this.#perform(call, log, targetId, (given) => () => play(given));
    this.#parts.control.sendText(await this.#outcome(call, work, log));
    this.#parts.transport.watchFront(false);
  }

  async #perform(
    call: Call,
    log: Emit,
    targetId: string,
    prepare: (given: Given) => Prepared | Promise<Prepared>,
  ): Promise<unknown> {
    const page = await pageOf(this.#browser, targetId);
    const context: BrowserContext = page.context();
    // Not before: a tab that was opened just before the call was not opened by the script.
    this.#parts.transport.watchFront(true);
    const browser = this.#browser;
    resetTimeouts(browser);
    call.atEnd('shape', keepShape(page, context, browser));
    const start = await prepare({
      ...{ page, context, browser },
      files: this.#parts.files.for(call),
      secrets: this.#parts.secrets.for(call, browser),
      console: createConsole(log),
    });
    return calls.run(call, () => Promise.race([start(), call.failed]));
  }

  async #trace(call: Call, { trace, code }: RunMessage, context: BrowserContext): Promise<void> {
    const { openTrace } = this.#parts;
    if (!trace || !openTrace) return;
    const patienceMs = Math.min(traceStartMs, call.remainingMs() / 2);
    this.#tracing = await startTracing({ context, asked: trace, code, open: openTrace, patienceMs });
  }

  /** True when there was one: its runner serves no other call, because Playwright may still be busy with it. */
  async #endTrace(call: Call): Promise<boolean> {
    const tracing = this.#tracing;
    this.#tracing = undefined;
    await tracing?.stop(Math.max(50, Math.min(traceEndMs, call.remainingMs())));
    return tracing !== undefined;
  }

  /** The `done` message as text. The call is over, and what it began is undone, before it is sent. */
  async #outcome(call: Call, work: () => Promise<unknown>, log?: Emit): Promise<string> {
    let answer: Pick<DoneMessage, 'result' | 'error'>;
    try {
      answer = { result: toJson(await work(), describeHandle) };
      if (Buffer.byteLength(JSON.stringify(answer.result)) > limits.resultBytes) throw new TooLargeError();
    } catch (error) {
      answer = { error: failureOf(error) };
    }
    if (!answer.error) warnOfLeftovers(call.leftRunning(), log);
    const traced = await this.#endTrace(call);
    await call.end(Math.max(50, Math.min(cleanupMs, call.remainingMs())));
    this.#parts.endStreams?.();
    const { front, sent: cdpSent } = this.#parts.transport;
    const memoryBytes = process.memoryUsage.rss();
    return JSON.stringify({
      type: 'done',
      call: call.number,
      ...answer,
      front,
      memoryBytes,
      cdpSent,
      last: traced || !this.isConnected || this.#isRealmChanged(),
    } satisfies DoneMessage);
  }
}

function warnOfLeftovers(names: string[], log?: Emit): void {
  if (names.length === 0) return;
  const shown = names.slice(0, 5).join(', ');
  log?.(
    'warn',
    `The script returned while ${shown} was still running; it was cancelled. Is an await missing?`,
  );
}

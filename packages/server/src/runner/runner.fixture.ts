import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import { makeFolder, processIsolation, strictIsolation, TestChromium } from './chromium.fixture.ts';
import {
  type AttachOptions,
  openRunners,
  type RunCall,
  type Runner,
  type RunnerHost,
  type RunOutcome,
} from './runner.ts';

/** A Chromium with a tab, runners for it, and a local site: the set-up of the tests of this folder. */
export const isolations = { strict: strictIsolation, process: processIsolation };

export class Scene implements AsyncDisposable {
  readonly chromium: TestChromium;
  readonly host: RunnerHost;
  readonly folder: string;
  readonly #clean: AsyncDisposableStack;
  #attachOptions: AttachOptions = {};
  #runner: Runner | undefined;
  tab = '';

  private constructor(chromium: TestChromium, host: RunnerHost, folder: string, clean: AsyncDisposableStack) {
    this.chromium = chromium;
    this.host = host;
    this.folder = folder;
    this.#clean = clean;
  }

  static async open(
    mode: keyof typeof isolations = 'strict',
    options: { size?: number; cache?: string } = {},
  ): Promise<Scene> {
    const isolation = isolations[mode];
    await using clean = new AsyncDisposableStack();
    const folder = clean.use(await makeFolder(isolation));
    const cache = options.cache ?? inject('cacheDir');
    const host = openRunners({ isolation, folder: folder.path, cache, size: options.size ?? 1 });
    clean.defer(() => host.close());
    host.start();
    const chromium = clean.use(await TestChromium.launch());
    const scene = new Scene(chromium, host, folder.path, clean.move());
    scene.tab = (await chromium.tabs())[0]?.targetId ?? '';
    return scene;
  }

  /** What the next runner is attached with; the present one is dropped. */
  async attachWith(options: AttachOptions): Promise<void> {
    this.#attachOptions = options;
    await this.#runner?.close();
    this.#runner = undefined;
  }

  /** The runner of the moment, or a new one if that has ended, as the service does it. */
  async runner(): Promise<Runner> {
    if (!this.#runner?.alive)
      this.#runner = await this.host.attach(await this.chromium.port(), this.#attachOptions);
    return this.#runner;
  }

  async run(code: string, call: Partial<RunCall> & { signal?: AbortSignal } = {}): Promise<RunOutcome> {
    const { signal, ...rest } = call;
    const runner = await this.runner();
    return runner.run({ code, targetId: this.tab, timeoutMs: 20_000, ...rest }, signal);
  }

  /** The result of code that is expected to work. */
  async result(code: string, call: Partial<RunCall> = {}): Promise<unknown> {
    const outcome = await this.run(code, call);
    if (!outcome.ok) throw new Error(`${outcome.error?.code ?? ''} ${outcome.error?.stack}`);
    return outcome.result;
  }

  /** The tab begins anew for each test; the one before may have left anything. */
  async freshTab(): Promise<void> {
    const before = await this.chromium.tabs();
    this.tab = await this.chromium.openTab();
    for (const { targetId } of before) await this.chromium.command('Target.closeTarget', { targetId });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runner?.close();
    await this.#clean.disposeAsync();
  }
}

export interface Site extends AsyncDisposable {
  origin: string;
  requests: IncomingMessage[];
}

export async function openSite(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Site> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

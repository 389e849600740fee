import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { findChromium } from '../chromium/start/find.ts';
import { chromiumFlags } from '../chromium/start/flags.ts';
import { type Isolation, probeIsolation } from '../process/isolation.ts';
import type { CdpPort } from './runner.ts';

/** A real Chromium whose pipe is handed out unfiltered, one runner after the other: what the mux does in the service. */
const runAs = '65534:65534';
const common = { path: process.env.PATH ?? '', runAs };

export const strictIsolation = await probeIsolation({ wanted: 'auto', ...common });
export const processIsolation = await probeIsolation({ wanted: 'process', ...common });

/** A folder that the runners' user can enter. */
export async function makeFolder(isolation: Isolation): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'browserd-runner-test-'));
  if (isolation.user) await chown(path, isolation.user.uid, isolation.user.gid);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

type Answer = { id?: number; result?: Record<string, unknown>; error?: { message: string } };

export class TestChromium {
  readonly #child: ChildProcess;
  readonly #folder: AsyncDisposable & { path: string };
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #listener: ((message: Buffer) => void) | undefined;
  #session: string | undefined;
  #held = Buffer.alloc(0);
  /** Ids of our own commands stay away from those of runners. */
  #lastId = 1_000_000_000;

  private constructor(child: ChildProcess, folder: AsyncDisposable & { path: string }) {
    this.#child = child;
    this.#folder = folder;
    (child.stdio[4] as Readable).on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  static async launch(): Promise<TestChromium> {
    const folder = await makeFolder(processIsolation);
    const found = await findChromium({
      chromiumPath: null,
      env: process.env,
      forAnotherUser: processIsolation.user !== undefined,
    });
    const binary = found.shell ?? found.full;
    if (!binary) throw new Error('These tests need a Chromium.');
    const flags = chromiumFlags({
      engine: binary.engine,
      profileDir: folder.path,
      proxyUrl: 'direct://',
      boxed: false,
      sandbox: true,
    })
      // These tests have no egress proxy: their pages come from loopback.
      .filter((flag) => !flag.startsWith('--host-resolver-rules'));
    const child = spawn(binary.path, flags, {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,
      env: { HOME: folder.path },
      cwd: '/',
      ...processIsolation.user,
    });
    const chromium = new TestChromium(child, folder);
    await chromium.command('Browser.getVersion');
    return chromium;
  }

  /** For the next runner: a session of its own below the pipe's. The runner before gets nothing more. */
  async port(): Promise<CdpPort> {
    if (this.#session) await this.command('Target.detachFromTarget', { sessionId: this.#session });
    const { sessionId } = await this.command('Target.attachToBrowserTarget');
    this.#session = sessionId as string;
    return {
      send: (message) => {
        const asked = JSON.parse(message.toString('utf8'));
        this.#write(Buffer.from(JSON.stringify({ ...asked, sessionId: asked.sessionId ?? sessionId })));
      },
      onMessage: (listener) => {
        this.#listener = listener;
      },
    };
  }

  async command(method: string, params: object = {}, sessionId?: string): Promise<Record<string, unknown>> {
    const id = ++this.#lastId;
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#write(Buffer.from(JSON.stringify({ id, method, params, sessionId })));
    });
    if (answer.error) throw new Error(answer.error.message);
    return answer.result ?? {};
  }

  async tabs(): Promise<{ targetId: string; url: string }[]> {
    const { targetInfos } = await this.command('Target.getTargets');
    return (targetInfos as { targetId: string; url: string; type: string }[]).filter(
      ({ type }) => type === 'page',
    );
  }

  async openTab(url = 'about:blank'): Promise<string> {
    return (await this.command('Target.createTarget', { url })).targetId as string;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    process.kill(-(this.#child.pid as number), 'SIGKILL');
    await ended;
    await this.#folder[Symbol.asyncDispose]();
  }

  #write(message: Buffer): void {
    const pipe = this.#child.stdio[3] as Writable;
    pipe.write(message);
    pipe.write('\0');
  }

  #receive(chunk: Buffer): void {
    this.#held = Buffer.concat([this.#held, chunk]);
    for (let end = this.#held.indexOf(0); end !== -1; end = this.#held.indexOf(0)) {
      const message = this.#held.subarray(0, end);
      this.#held = this.#held.subarray(end + 1);
      const { sessionId, ...said } = JSON.parse(message.toString('utf8')) as Answer & { sessionId?: string };
      const waiting = this.#waiting.get(said.id ?? 0);
      this.#waiting.delete(said.id ?? 0);
      if (waiting) waiting(said);
      else if (sessionId === this.#session) this.#listener?.(Buffer.from(JSON.stringify(said)));
      else if (sessionId) this.#listener?.(message);
    }
  }
}

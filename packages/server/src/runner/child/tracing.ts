/**
 * Playwright's own tracing, without its files: what it would write into a folder goes to the service piece by piece. The
 * folder of a runner is small, and lost with the runner; the service has the trace of a call that was ended, too.
 *
 * A trace never fails its call. When it cannot be started, or grows too large, the service is told so in its place.
 */
import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { BrowserContext } from 'playwright-core';
import { type RecordKind, recordHead, recordKinds, type TraceAsked, traceNames } from '../wire/wire.ts';
import { fileName } from './compile.ts';
import { localUtilsOf, serverTracingOf, type TraceFiles } from './playwright-inside.ts';

/** What Playwright records faster than the service takes it is kept here meanwhile. */
const mostWaiting = 64 * 1024 ** 2;

export interface Tracing {
  /** Resolves when the service has all of it, or when that takes longer than this. */
  stop(patienceMs: number): Promise<void>;
}

interface TracingParts {
  context: BrowserContext;
  asked: TraceAsked;
  code: string;
  open(): Duplex;
  /** How long the start may take. */
  patienceMs: number;
}

export async function startTracing(parts: TracingParts): Promise<Tracing> {
  const { context, asked, code, patienceMs } = parts;
  const { snapshots, screenshots, sources, maxBytes } = asked;
  const out = new TraceStream(parts.open(), maxBytes, () => void context.tracing.stop().catch(ignore));
  const server = serverTracingOf(context);
  const localUtils = localUtilsOf(context);
  const { _fs: files } = server;
  server._fs = filesOf(out);
  localUtils.addStackToTracingNoReply = async ({ callData }) => out.stack(callData);
  if (sources) out.send(recordKinds.whole, `src/${sha1(fileName)}`, Buffer.from(code));
  try {
    await inTime(context.tracing.start({ name: 'trace', snapshots, screenshots }), patienceMs);
  } catch (error) {
    out.send(recordKinds.failed, '', Buffer.from(String((error as Error).message).slice(0, 500)));
  }
  return {
    async stop(ms) {
      const end = async (): Promise<void> => {
        // It fails when the script has stopped it, or the start did.
        await context.tracing.stop().catch(ignore);
        await out.end();
      };
      await inTime(end(), ms).catch(ignore);
      server._fs = files;
      Reflect.deleteProperty(localUtils, 'addStackToTracingNoReply');
    },
  };
}

const ignore = (): undefined => undefined;
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let alarm: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    alarm = setTimeout(() => reject(new Error(`it took longer than ${Math.round(ms)} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(alarm);
  }
}

/** In the place of Playwright's. The names are those that its archive would have. */
function filesOf(out: TraceStream): TraceFiles {
  return {
    mkdir: ignore,
    copyFile: ignore,
    zip: ignore,
    sync: async () => undefined,
    writeFile: (file, content) => out.send(recordKinds.whole, nameOf(file), Buffer.from(content as string)),
    appendFile: (file, text) => out.send(recordKinds.append, nameOf(file), Buffer.from(text)),
  };
}

/** Its two logs lie in the folder itself, all else in folders below it. */
const nameOf = (file: string): string => /(?:(?:resources|screencast)\/)?[^/]*$/.exec(file)?.[0] ?? '';

interface CallData {
  id: number;
  stack?: { file: string; line?: number; column?: number; function?: string }[];
}

class TraceStream {
  readonly #stream: Duplex;
  readonly #maxBytes: number;
  readonly #onOver: () => void;
  #bytes = 0;
  #over = false;

  constructor(stream: Duplex, maxBytes: number, onOver: () => void) {
    this.#stream = stream;
    this.#maxBytes = maxBytes;
    this.#onOver = onOver;
    stream.resume();
  }

  send(kind: RecordKind, name: string, data: Buffer): void {
    if (this.#over || data.length === 0 || this.#stream.destroyed) return;
    this.#bytes += data.length;
    if (this.#bytes > this.#maxBytes || this.#stream.writableLength > mostWaiting) {
      this.#over = true;
      this.#stream.write(recordHead(recordKinds.over, Buffer.alloc(0), 0));
      this.#onOver();
      return;
    }
    this.#stream.write(recordHead(kind, Buffer.from(name), data.length));
    this.#stream.write(data);
  }

  /** Only the caller's own lines. */
  stack({ id, stack = [] }: CallData): void {
    const own = stack.filter(({ file }) => file === fileName);
    const lines = own.map((frame) => [0, frame.line ?? 0, frame.column ?? 0, frame.function ?? '']);
    if (lines.length > 0)
      this.send(recordKinds.append, traceNames.stacks, Buffer.from(`${JSON.stringify([id, lines])}\n`));
  }

  /** The service ends its side when it has read all of this one. */
  async end(): Promise<void> {
    this.#stream.end();
    await finished(this.#stream);
  }
}

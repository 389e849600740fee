/**
 * Requests to a bucket: signed, bounded in time, and made again where that can help. Everything that is asked here may be
 * asked twice, so that an answer that was lost does no harm.
 */
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { failureOfAnswer, failureOfNetwork, S3Failure } from './failures.ts';
import type { S3Place } from './s3-place.ts';

/** Bytes that can be read as often as they must be sent. */
export interface Sendable {
  readonly bytes: number;
  /** Hex; the server compares it with what it gets. */
  readonly sha256: string;
  read(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Without one it is about the bucket. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Sendable;
  /** For less patience than usual. */
  patienceMs?: number;
}

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

export interface S3RequestsParts {
  place: S3Place;
  /** Asked for every request, so that they may change. */
  credentials(): Credentials | Promise<Credentials>;
  /** How long a request is made again before it fails. */
  patienceMs?: number;
  /** How long a server may take to accept a connection, and be silent on one. */
  connectMs?: number;
  silentMs?: number;
  /** How long requests are tried once after one that failed in spite of all patience. */
  awayMs?: number;
}

const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const usualPatienceMs = 20_000;
const firstPauseMs = 100;
const longestPauseMs = 3000;
const longestAnswer = 1024 ** 2;

export class S3Requests implements Disposable {
  readonly #parts: S3RequestsParts;
  readonly #agent: PlainAgent | TlsAgent;
  readonly #signingKeys = new Map<string, ArrayBuffer>();
  #awayUntil = 0;

  constructor(parts: S3RequestsParts) {
    this.#parts = parts;
    // As many connections as there are readers: one that is slow must not keep another waiting.
    const options = { keepAlive: true };
    this.#agent = parts.place.base.startsWith('https:') ? new TlsAgent(options) : new PlainAgent(options);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /** The answer, with its body still to be read or destroyed. Throws for every answer that is no success. */
  send(request: S3Request): Promise<IncomingMessage> {
    return this.#patiently(request, () => this.#once(request));
  }

  /** The same, with all of its body as text; for answers that are XML, or nothing. */
  ask(request: S3Request): Promise<{ headers: IncomingMessage['headers']; body: string }> {
    return this.#patiently(request, async () => {
      const answer = await this.#once(request);
      return { headers: answer.headers, body: await textOfAnswer(answer).catch(rethrown) };
    });
  }

  async #patiently<T>({ patienceMs = usualPatienceMs }: S3Request, attempt: () => Promise<T>): Promise<T> {
    const { awayMs = 5000 } = this.#parts;
    const began = performance.now();
    const until =
      began < this.#awayUntil
        ? began
        : began + Math.min(patienceMs, this.#parts.patienceMs ?? usualPatienceMs);
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 3, longestPauseMs)) {
      try {
        const answer = await attempt();
        this.#awayUntil = 0;
        return answer;
      } catch (error) {
        if (!(error instanceof S3Failure && error.passing)) throw error;
        // half of it by chance, or requests that failed together would come back together
        const wait = pauseMs / 2 + (Math.random() * pauseMs) / 2;
        if (performance.now() + wait > until) {
          // Others would wait in vain as well, and all at once.
          this.#awayUntil = performance.now() + awayMs;
          throw error;
        }
        await pause(wait);
      }
    }
  }

  async #once(request: S3Request): Promise<IncomingMessage> {
    const { url, headers } = await this.#signed(request);
    const answer = await this.#exchange(request, url, headers).catch(rethrown);
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status < 300) return answer;
    const body = await textOfAnswer(answer).catch(() => '');
    throw failureOfAnswer({ status, headers: answer.headers, body });
  }

  async #signed({ method, key, query, headers, body }: S3Request): Promise<{ url: URL; headers: Headers }> {
    const { place } = this.#parts;
    const url = new URL(place.base);
    if (key !== undefined) url.pathname += key;
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    return new AwsV4Signer({
      ...(await this.#parts.credentials()),
      method,
      url: url.href,
      headers: { ...headers, 'X-Amz-Content-Sha256': body?.sha256 ?? emptySha256 },
      service: 's3',
      region: place.region,
      cache: this.#signingKeys,
    }).sign();
  }

  #exchange({ method, body }: S3Request, url: URL, headers: Headers): Promise<IncomingMessage> {
    const { connectMs = 5000, silentMs = 20_000 } = this.#parts;
    const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
    return new Promise((resolve, reject) => {
      const asked = send(url, {
        method,
        agent: this.#agent,
        headers: { ...Object.fromEntries(headers), 'content-length': String(body?.bytes ?? 0) },
        timeout: silentMs,
      });
      const connecting = setTimeout(() => asked.destroy(timedOut('connection')), connectMs);
      asked.once('socket', (socket) => {
        if (!socket.connecting) clearTimeout(connecting);
        else socket.once('connect', () => clearTimeout(connecting));
      });
      asked.once('close', () => clearTimeout(connecting));
      // An answer that is being read is cut off as well.
      asked.on('timeout', () => asked.destroy(timedOut('sign of life')));
      asked.on('error', reject);
      asked.once('response', resolve);
      if (body) pipeline(Readable.from(body.read(), { objectMode: false }), asked).catch(reject);
      else asked.end();
    });
  }
}

const timedOut = (what: string): Error =>
  Object.assign(new Error(`no ${what} in time`), { code: 'ETIMEDOUT' });

const rethrown = (error: unknown): never => {
  throw error instanceof S3Failure ? error : failureOfNetwork(error);
};

async function textOfAnswer(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > longestAnswer) throw new Error('an answer of the S3 storage is longer than any can be');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

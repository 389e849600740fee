/**
 * Bytes of a bucket as a stream. A connection that breaks is replaced by one that goes on where it broke, so that a slow
 * reader, whose connection a server closes sooner or later, gets all of it.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ByteRange } from '../blobs.ts';
import { failureOfNetwork, S3Failure } from './failures.ts';
import type { S3Requests } from './requests.ts';

/** Connections in a row that bring nothing. */
const mostVain = 3;
/** A caller, or a page that could be loaded instead, waits for the first byte. */
const patienceMs = 8000;

/** Undefined when there is no such key. */
export async function read(
  requests: S3Requests,
  key: string,
  range?: ByteRange,
): Promise<Readable | undefined> {
  const headers = range && { range: `bytes=${range.start}-${range.end}` };
  let answer: IncomingMessage;
  try {
    answer = await requests.send({ method: 'GET', key, headers, patienceMs });
  } catch (error) {
    if (!(error instanceof S3Failure)) throw error;
    if (error.reason === 'NoSuchKey' || error.reason === '404') return undefined;
    // It begins behind the last byte.
    if (error.reason === 'InvalidRange' || error.reason === '416') return Readable.from([]);
    throw error;
  }
  const bytes = whole(requests, key, answer, range?.start ?? 0);
  const stream = Readable.from(bytes, { objectMode: false });
  // A generator that was never asked for anything ends without having closed what it was given.
  stream.once('close', () => answer.destroy());
  return stream;
}

async function* whole(
  requests: S3Requests,
  key: string,
  first: IncomingMessage,
  start: number,
): AsyncGenerator<Buffer> {
  const end = start + Number(first.headers['content-length'] ?? 0);
  const tag = first.headers.etag;
  let answer = first;
  let at = start;
  try {
    for (let vain = 0; at < end; ) {
      const before = at;
      const chunks = chunksOf(answer);
      let next = await chunks.next();
      for (; !next.done; next = await chunks.next()) {
        at += next.value.length;
        yield next.value;
      }
      if (at >= end) return;
      vain = at > before ? 0 : vain + 1;
      if (vain >= mostVain) throw failureOfNetwork(next.value);
      const headers = { range: `bytes=${at}-${end - 1}`, ...(tag && { 'if-match': tag }) };
      answer = await requests.send({ method: 'GET', key, headers });
    }
  } finally {
    answer.destroy();
  }
}

/** Returns why there were no more. */
async function* chunksOf(answer: IncomingMessage): AsyncGenerator<Buffer, unknown> {
  const chunks = answer.iterator() as AsyncIterator<Buffer>;
  for (;;) {
    let next: IteratorResult<Buffer>;
    try {
      next = await chunks.next();
    } catch (error) {
      return error;
    }
    if (next.done) return new Error('the answer ended too soon');
    yield next.value;
  }
}

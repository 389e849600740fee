/**
 * What is learned of bytes while they are written, so that they are read once. Hashing takes the loop's time, so it is done
 * piece by piece within the share of the project that sends them.
 */
import { createHash } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { Share } from '../kit/loop-share.ts';
import { headBytes } from './magic.ts';

const pieceBytes = 256 * 1024;

export interface Intake {
  chunks: AsyncIterable<Uint8Array>;
  /** Complete once all chunks have been taken. */
  result(): { size: number; sha256: string; head: Uint8Array };
}

/** `allows` is called before each chunk is passed on, and throws the reason for a refusal. */
export function takeIn(
  body: AsyncIterable<Uint8Array> | Uint8Array,
  share: Share,
  allows: (chunkBytes: number, sizeSoFar: number) => void,
): Intake {
  const hash = createHash('sha256');
  let head: Uint8Array = new Uint8Array(0);
  let size = 0;

  async function* pass(): AsyncGenerator<Uint8Array> {
    const source = body instanceof Uint8Array ? piecesOf(body) : body;
    for await (const chunk of source) {
      allows(chunk.length, size + chunk.length);
      size += chunk.length;
      await share.turn(0);
      const began = performance.now();
      hash.update(chunk);
      share.spend(performance.now() - began);
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
      yield chunk;
    }
  }

  return { chunks: pass(), result: () => ({ size, sha256: hash.digest('hex'), head }) };
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

export const tooLarge = (limitBytes: number): ApiError =>
  new ApiError('PAYLOAD_TOO_LARGE', `The file is larger than ${limitBytes} bytes. Send a smaller one.`, {
    details: { limitBytes },
  });

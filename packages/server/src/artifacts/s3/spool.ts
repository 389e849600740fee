/**
 * A body on its way to a bucket, first gathered on this machine: small in memory, larger ones as a file. So nothing reaches
 * the bucket of a body that breaks off or is refused, what is sent can be sent again, and memory stays flat however many
 * callers send slowly.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { asStorageFull, type LocalRoom } from '../local-room.ts';
import type { Sendable } from './requests.ts';

export interface Spooled extends AsyncDisposable {
  readonly bytes: number;
  /** In order; a body without bytes has one without bytes. */
  readonly parts: readonly Sendable[];
}

export interface SpoolParts {
  /** Made when the body is too large for memory. */
  path: string;
  room: LocalRoom;
  /** Of each part but the last. */
  partBytes: number;
  /** What is gathered in memory. */
  memoryBytes?: number;
}

interface Part {
  start: number;
  bytes: number;
  hash: Hash;
}

export async function spool(
  chunks: AsyncIterable<Uint8Array>,
  { path, room, partBytes, memoryBytes = 256 * 1024 }: SpoolParts,
): Promise<Spooled> {
  const parts = new PartSums(partBytes);
  const held: Uint8Array[] = [];
  const rest = parts.counted(chunks);
  while (parts.bytes <= memoryBytes) {
    const { done, value } = await rest.next();
    if (done) return inMemory(Buffer.concat(held), parts);
    held.push(value);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* held.splice(0);
    yield* rest;
  }
  try {
    await room.refuseWithout(parts.bytes);
    await using file = await open(path, 'wx', 0o600);
    await file.writeFile(room.watched(all()));
  } catch (error) {
    await rest.return(undefined);
    await rm(path, { force: true });
    throw asStorageFull(error);
  }
  return onDisk(path, parts);
}

function inMemory(body: Buffer, parts: PartSums): Spooled {
  const sendable = parts.list().map(({ start, bytes, hash }) => ({
    bytes,
    sha256: hash.digest('hex'),
    read: () => [body.subarray(start, start + bytes)],
  }));
  return { bytes: body.length, parts: sendable, [Symbol.asyncDispose]: async () => undefined };
}

function onDisk(path: string, parts: PartSums): Spooled {
  const sendable = parts.list().map(({ start, bytes, hash }) => ({
    bytes,
    sha256: hash.digest('hex'),
    read: () => createReadStream(path, { start, end: start + bytes - 1 }),
  }));
  return { bytes: parts.bytes, parts: sendable, [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

/** Where parts begin and end, and what their sums are, while their bytes pass. */
class PartSums {
  readonly #partBytes: number;
  readonly #parts: Part[] = [];
  bytes = 0;

  constructor(partBytes: number) {
    this.#partBytes = partBytes;
  }

  async *counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; ) {
        const part = this.#current();
        const piece = chunk.subarray(at, at + this.#partBytes - part.bytes);
        part.hash.update(piece);
        part.bytes += piece.length;
        at += piece.length;
      }
      this.bytes += chunk.length;
      yield chunk;
    }
  }

  list(): Part[] {
    return this.#parts.length > 0 ? this.#parts : [this.#current()];
  }

  #current(): Part {
    const last = this.#parts.at(-1);
    if (last && last.bytes < this.#partBytes) return last;
    const part = { start: last ? last.start + last.bytes : 0, bytes: 0, hash: createHash('sha256') };
    this.#parts.push(part);
    return part;
  }
}

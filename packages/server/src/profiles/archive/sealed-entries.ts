/**
 * Entries as one stream of bytes, and back. Both directions pass through this file alone, so that what seals archives stands
 * in one place:
 *
 *   entries ──> framed ──> zstd ──> sealed ──> bytes          bytes ──> unsealed ──> zstd ──> entries
 */
import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { type Entry, frame, type ReadEntry, unframe } from './framing.ts';

/** What seals archives; `about` is a text that belongs to one archive alone. */
export interface Sealing {
  sealing(about: string): Transform;
  unsealing(about: string): Transform;
}

export interface Sealed {
  about: string;
  sealing?: Sealing;
}

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

export function packed(
  entries: AsyncIterable<Entry> | Iterable<Entry>,
  { about, sealing }: Sealed,
): Readable {
  const framed = Readable.from(frame(entries), { objectMode: false });
  return joined([framed, createZstdCompress(compression), ...(sealing ? [sealing.sealing(about)] : [])]);
}

/** A failure of one is the failure of the last, which is read. */
function joined(streams: [Readable, ...Transform[]]): Readable {
  const last = streams.at(-1) as Readable;
  if (streams.length > 1) pipeline(streams, () => undefined);
  return last;
}

export async function* opened(bytes: Readable, { about, sealing }: Sealed): AsyncGenerator<ReadEntry> {
  const plain = joined([bytes, ...(sealing ? [sealing.unsealing(about)] : []), createZstdDecompress()]);
  try {
    yield* unframe(plain);
  } finally {
    plain.destroy();
    bytes.destroy();
  }
}

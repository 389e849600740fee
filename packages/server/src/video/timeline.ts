/**
 * When each picture is shown. The first is shown from the very start. Where nothing changed for long, the picture is
 * repeated now and then, so that players, which handle long gaps badly, can seek anywhere; such a repeat is a few
 * bytes.
 */
import { readHeads, type SpoolEntry } from './spool.ts';

export interface Shot {
  /** Whole milliseconds, growing. */
  atMs: number;
  /** Undefined shows the one before again. */
  picture: Buffer | undefined;
  /** A key frame: playback can start here. */
  key: boolean;
}

const longestHoleMs = 5000;
const keyEveryMs = 5000;

/** The last shot is a key frame, too: a seek to the end lands there. */
export async function* timeline(entries: AsyncIterable<SpoolEntry>, endMs: number): AsyncGenerator<Shot> {
  let waiting: Omit<Shot, 'key'> | undefined;
  let lastKey = Number.NEGATIVE_INFINITY;
  const release = function* (nextMs: number): Generator<Shot> {
    while (waiting) {
      const isLast = nextMs === endMs && endMs - waiting.atMs <= longestHoleMs;
      const key = isLast || waiting.atMs - lastKey >= keyEveryMs;
      if (key) lastKey = waiting.atMs;
      yield { ...waiting, key };
      const repeat = waiting.atMs + longestHoleMs;
      waiting = repeat < nextMs ? { atMs: repeat, picture: undefined } : undefined;
    }
  };
  for await (const { atMs, picture } of entries) {
    if (!picture) continue;
    const at = waiting ? Math.round(atMs) : 0;
    if (at >= endMs && waiting) break;
    if (waiting && at <= waiting.atMs) continue;
    yield* release(at);
    waiting = { atMs: at, picture };
  }
  yield* release(endMs);
}

/** The length of a recording that was never ended: until its last sign of life. */
export async function lengthOf(path: string): Promise<number> {
  let endMs = 0;
  for await (const { atMs } of readHeads(path)) endMs = atMs;
  return Math.round(endMs);
}

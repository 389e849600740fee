/**
 * When each picture is shown. The first stands from the very start. Where nothing changed for long, the picture is shown
 * again now and then, so that players, which dislike long holes, can be put anywhere; such a repeat is a few bytes.
 */
import { readSpool, type SpoolEntry } from './spool.ts';

export interface Shot {
  /** Whole milliseconds, growing. */
  atMs: number;
  /** Undefined shows the one before again. */
  picture: Buffer | undefined;
  /** Stands for itself: a place to start playing from. */
  key: boolean;
}

const longestHoleMs = 5000;
const keyEveryMs = 5000;

/** The last shot is one to start from, too: it is where a look at the end lands. */
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

/** How long a recording was that nobody could end properly: until its last sign of life. */
export async function lengthOf(path: string): Promise<number> {
  let endMs = 0;
  for await (const { atMs } of readSpool(path, false)) endMs = atMs;
  return Math.round(endMs);
}

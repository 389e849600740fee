/**
 * A part of a recording, which may go on meanwhile, as entries of its own. It can begin anywhere, since each picture is whole
 * before a video is made of them: what was shown at that moment is its first. There are fewer of them than in the recording,
 * so that it is made soon.
 */
import { readHeads, readSpool, type SpoolEntry } from './spool.ts';

export interface Part {
  fromMs: number;
  toMs: number;
  /** Where a picture that was there before it begins in the file. */
  place: number;
  /** Between two pictures, unless the later one stays. */
  leastGapMs: number;
}

export async function* cutOf(path: string, part: Part): AsyncGenerator<SpoolEntry> {
  const { fromMs, toMs, leastGapMs } = part;
  let lastMs = Number.NEGATIVE_INFINITY;
  /** Came too soon after the last one: it is shown if it stays. */
  let waiting: SpoolEntry | undefined;
  for await (const { atMs, picture } of readSpool(path, await firstPlace(path, part))) {
    if (atMs > toMs) break;
    if (!picture) continue;
    const entry = { atMs: Math.max(0, atMs - fromMs), picture };
    if (waiting && entry.atMs - waiting.atMs >= leastGapMs) {
      lastMs = waiting.atMs;
      yield waiting;
      waiting = undefined;
    }
    if (entry.atMs - lastMs >= leastGapMs) {
      lastMs = entry.atMs;
      waiting = undefined;
      yield entry;
    } else waiting = entry;
  }
  if (waiting) yield waiting;
}

/** Of the picture that is shown as the part begins. */
async function firstPlace(path: string, { place, fromMs }: Part): Promise<number> {
  let first = place;
  for await (const head of readHeads(path, place)) {
    if (head.atMs > fromMs) break;
    if (head.pictureBytes > 0) first = head.place;
  }
  return first;
}

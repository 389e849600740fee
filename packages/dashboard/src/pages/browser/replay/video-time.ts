/**
 * Where a moment is in the recordings of a browser. They do not overlap: there is one for each Chromium, or for each time
 * that a recording was started.
 */
import type { api } from '@browserd/sdk';

export interface Place {
  recording: api.Recording;
  /** Seconds from the beginning of its video. */
  seconds: number;
}

/** An event arrives a moment after its picture, and the last picture lasts until the end. */
const slackMs = 2000;

export function placeOf(recordings: readonly api.Recording[], at: number): Place | undefined {
  for (const recording of recordings) {
    const offset = at - Date.parse(recording.startedAt);
    const duration = durationOf(recording);
    if (offset < -slackMs || offset > duration + slackMs) continue;
    return { recording, seconds: Math.min(Math.max(offset, 0), duration) / 1000 };
  }
  return undefined;
}

export const momentOf = ({ startedAt }: api.Recording, seconds: number): number =>
  Date.parse(startedAt) + seconds * 1000;

/** A running recording lasts until now. */
export function durationOf({ startedAt, endedAt, durationMs }: api.Recording): number {
  if (durationMs !== undefined) return durationMs;
  return (endedAt ? Date.parse(endedAt) : Date.now()) - Date.parse(startedAt);
}

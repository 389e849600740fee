/** When to try again. Pure. */
export interface Answered {
  /** Absent when there was no answer at all. */
  status?: number;
  retryAfter?: string;
}

const longestAskedMs = 24 * 3_600_000;
const jitter = 0.1;

export const isTaken = ({ status = 0 }: Answered): boolean => status >= 200 && status < 300;

/** The receiver answers that it wants no more deliveries. */
export const isGone = ({ status }: Answered): boolean => status === 410;

/**
 * The pause after so many tries of a round, or undefined after the last. Spread a little, so that what failed together
 * does not come back together; longer when the receiver asks for it, within reason.
 */
export function pauseAfter(
  tries: number,
  schedule: readonly number[],
  answer: Answered,
  random: () => number = Math.random,
): number | undefined {
  const planned = schedule[tries - 1];
  if (planned === undefined) return undefined;
  const spread = planned * (1 - jitter + 2 * jitter * random());
  return Math.round(Math.max(spread, Math.min(askedFor(answer), longestAskedMs)));
}

function askedFor({ retryAfter = '' }: Answered): number {
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? 0 : at - Date.now();
}

/** Whether a webhook has failed for so long that it is given up: as long as a whole round takes. */
export const isBeyondHope = (failingForMs: number, schedule: readonly number[]): boolean =>
  failingForMs >= schedule.reduce((sum, pause) => sum + pause, 0) * (1 - jitter);

/** One captcha that is to be solved, looked at again and again: only what the page shows counts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SolverName } from '../../kit/captcha-solvers.ts';
import type { PageFrames } from './page-frames.ts';
import { isAccepted, type Sighting, sightings } from './sight.ts';

export type Progress = 'open' | 'accepted' | 'gone';

export interface Outcome {
  outcome: 'solved' | 'unconfirmed' | 'failed';
  reason?: string;
  cost?: string;
}

export interface Solver {
  readonly name: SolverName;
  /** The longest it may take for one captcha. */
  readonly limitMs: number;
  /** Why it cannot help with this one. */
  refusal(sighting: Sighting): string | undefined;
  solve(task: Task, signal: AbortSignal): Promise<Outcome>;
}

const lookEveryMs = 300;
/** Between two documents nothing is to be seen; so it must be gone twice. */
const lookTwiceMs = 500;

export class Task {
  readonly frames: PageFrames;
  readonly tabId: string;
  sighting: Sighting;
  /** A response that came from outside: to find it in the page proves nothing. */
  given: string | undefined;

  constructor(frames: PageFrames, tabId: string, sighting: Sighting) {
    this.frames = frames;
    this.tabId = tabId;
    this.sighting = sighting;
  }

  async progress(): Promise<Progress> {
    const now = await this.#lookAgain();
    if (now) return isAccepted(now, this.given) ? 'accepted' : 'open';
    await sleep(lookTwiceMs);
    const later = await this.#lookAgain();
    if (later) return isAccepted(later, this.given) ? 'accepted' : 'open';
    return 'gone';
  }

  /** Until it is no longer open, or `enough` says so. */
  async watch(
    signal: AbortSignal,
    enough: (openMs: number, sighting: Sighting) => boolean,
  ): Promise<Progress> {
    for (const since = Date.now(); ; await sleep(lookEveryMs, undefined, { signal })) {
      const progress = await this.progress();
      if (progress !== 'open' || enough(Date.now() - since, this.sighting)) return progress;
    }
  }

  /** What is left of a captcha that has gone: a challenge page that gave way has accepted. */
  afterGone(): Outcome {
    return this.sighting.blocking
      ? { outcome: 'solved' }
      : { outcome: 'failed', reason: 'it has gone from the page, and no accepted response was seen before' };
  }

  async #lookAgain(): Promise<Sighting | undefined> {
    const { sightings: all, ready } = await sightings(this.frames);
    const { key, type, sitekey } = this.sighting;
    const same =
      all.find((each) => each.key === key) ??
      // A page that was loaded anew shows its captcha again.
      all.find((each) => each.type === type && each.sitekey === sitekey && each.key !== key);
    if (same) this.sighting = same;
    // A page that is not there yet may still show it.
    return same ?? (ready ? undefined : this.sighting);
  }
}

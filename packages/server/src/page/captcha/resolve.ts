/**
 * Every captcha of a page, one after the other, each by the solvers in their order until one is through. What cannot
 * be solved says why, solver by solver.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { iso } from '../../kit/clock.ts';
import type { PageTarget } from '../reach/reach.ts';
import { PageFrames } from './page-frames.ts';
import type { CaptchaAttempt, CaptchaItem } from './schema.ts';
import { isAccepted, type Sighting, sightings } from './sight.ts';
import { type Outcome, type Solver, Task } from './task.ts';

export interface ResolveOptions {
  solvers: readonly Solver[];
  /** For all of it. */
  timeoutMs: number;
  tabId: string;
  /** What is known of a captcha from before. */
  recall?(sighting: Sighting): { detectedAt: string; given?: string };
}

/** What came out of it, with the sighting it began with. */
export interface Resolved {
  item: CaptchaItem;
  key: string;
  given?: string;
}

/** A page that is still loading may be about to show one. */
const lateMs = 3000;
const afterLoadMs = 500;

export function itemOf(sighting: Sighting, tabId: string, detectedAt: string, given?: string): CaptchaItem {
  const { type, sitekey, pageUrl, frame, blocking, seen } = sighting;
  return {
    type,
    category: blocking ? 'blocking' : 'form',
    state: isAccepted(sighting, given) ? 'solved' : 'detected',
    sitekey,
    pageUrl,
    tabId,
    frameId: frame.frameId,
    detectedAt,
    evidence: seen,
  };
}

export async function resolveAll(
  page: PageTarget,
  options: ResolveOptions,
  signal: AbortSignal,
): Promise<Resolved[]> {
  await using frames = new PageFrames(page);
  const until = Date.now() + options.timeoutMs;
  const resolved: Resolved[] = [];
  for (const sighting of await firstSightings(frames, signal, until)) {
    const { detectedAt, given } = options.recall?.(sighting) ?? { detectedAt: iso(Date.now()) };
    const item = itemOf(sighting, options.tabId, detectedAt, given);
    const task = new Task(frames, options.tabId, sighting);
    task.given = given;
    const after =
      item.state === 'solved' ? item : await resolveOne(task, item, options.solvers, until, signal);
    resolved.push({ item: after, key: task.sighting.key, given: task.given });
  }
  return resolved;
}

async function firstSightings(frames: PageFrames, signal: AbortSignal, until: number): Promise<Sighting[]> {
  const late = Math.min(until, Date.now() + lateMs);
  for (let loaded = false; ; ) {
    const { sightings: found, ready } = await sightings(frames);
    if (found.length > 0 || loaded || Date.now() > late) return found;
    loaded = ready;
    await sleep(ready ? afterLoadMs : 100, undefined, { signal });
  }
}

async function resolveOne(
  task: Task,
  item: CaptchaItem,
  solvers: readonly Solver[],
  until: number,
  signal: AbortSignal,
): Promise<CaptchaItem> {
  const attempts: CaptchaAttempt[] = [];
  for (const solver of solvers) {
    const attempt = await attemptBy(solver, task, until, signal);
    attempts.push(attempt);
    if (attempt.outcome === 'solved')
      return { ...item, state: 'solved', resolvedAt: iso(Date.now()), method: solver.name, attempts };
    // An answer that the page has not judged yet must not be overwritten by the next.
    if (attempt.outcome === 'unconfirmed')
      return { ...item, method: solver.name, reason: attempt.reason, attempts };
  }
  const reason = attempts.map(({ solver, reason: why }) => `${solver}: ${why}`).join('; ');
  const tried = attempts.findLast(({ outcome }) => outcome === 'failed')?.solver;
  return {
    ...item,
    state: 'failed',
    ...(tried && { method: tried }),
    reason: reason || 'no solver is configured',
    attempts,
  };
}

async function attemptBy(
  solver: Solver,
  task: Task,
  until: number,
  signal: AbortSignal,
): Promise<CaptchaAttempt> {
  const began = performance.now();
  const attempt = (outcome: CaptchaAttempt['outcome'], more: Partial<Outcome> = {}): CaptchaAttempt => ({
    solver: solver.name,
    ...more,
    outcome,
    durationMs: Math.round(performance.now() - began),
  });
  const refusal = solver.refusal(task.sighting);
  if (refusal) return attempt('skipped', { reason: refusal });
  const leftMs = Math.floor(Math.min(solver.limitMs, until - Date.now()));
  if (leftMs <= 0) return attempt('skipped', { reason: 'the time was over' });
  const late = AbortSignal.timeout(leftMs);
  try {
    const outcome = await solver.solve(task, AbortSignal.any([signal, late]));
    return attempt(outcome.outcome, outcome);
  } catch (error) {
    signal.throwIfAborted();
    const reason = late.aborted ? `it was not through within ${leftMs} ms` : (error as Error).message;
    return attempt('failed', { reason });
  }
}

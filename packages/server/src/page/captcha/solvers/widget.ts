/** A click on the check box. Widgets of the proof-of-work kind need no more than that and time; others may ask further. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { aim, boxOf, click } from '../mouse.ts';
import type { CaptchaType } from '../schema.ts';
import type { Sighting } from '../sight.ts';
import type { Outcome, Solver, Task } from '../task.ts';

const settleMs = 4000;
/** These take a second click as they take the first; one that came too early was lost. */
const plain = new Set<CaptchaType>(['altcha', 'cap', 'friendly-captcha']);
const startMs = 1500;
const mostClicks = 3;
const steadyMs = 2000;
const lookAgainMs = 100;

export const widgetSolver: Solver = {
  name: 'widget',
  limitMs: 60_000,
  refusal({ type, clickable }) {
    if (type === 'image') return 'an image has no check box';
    if (type === 'recaptcha-v3') return 'it has no check box: it judges what the visitor does';
    return clickable ? undefined : 'nothing of it shows that could be clicked';
  },
  async solve(task, signal) {
    const { frames } = task;
    for (let clicks = 1; ; clicks++) {
      const { sighting } = task;
      if (!sighting.working && sighting.problem === undefined) {
        const box = await steadyBox(task, signal);
        if (!box) return { outcome: 'failed', reason: 'its check box could not be reached' };
        await click(frames, aim(box), signal);
      }
      const again = clicks < mostClicks && plain.has(sighting.type);
      const progress = await untilItSettles(task, again ? startMs : settleMs, signal);
      if (progress !== 'open' || !again || task.sighting.problem !== undefined) return judged(task, progress);
    }
  },
};

/** A widget that has just come moves, or changes under the hand. */
async function steadyBox(task: Task, signal: AbortSignal): ReturnType<typeof boxOf> {
  let box = await boxOf(task.frames, task.sighting, 'target');
  for (const until = Date.now() + steadyMs; Date.now() < until; ) {
    await sleep(lookAgainMs, undefined, { signal });
    await task.progress();
    const now = await boxOf(task.frames, task.sighting, 'target');
    if (isDeepStrictEqual(now, box)) return box;
    box = now;
  }
  return box;
}

const untilItSettles = (task: Task, patienceMs: number, signal: AbortSignal) => {
  let since = Date.now();
  return task.watch(signal, (_, { working, problem }) => {
    if (working) since = Date.now();
    return !working && (problem !== undefined || Date.now() - since > patienceMs);
  });
};

function judged(task: Task, progress: Awaited<ReturnType<Task['progress']>>): Outcome {
  if (progress === 'accepted') return { outcome: 'solved' };
  if (progress === 'gone') return task.afterGone();
  return { outcome: 'failed', reason: whatItWants(task.sighting) };
}

function whatItWants({ problem, type, verified, response }: Sighting): string {
  if (problem) return `the widget reports: ${problem}`;
  if (type === 'unknown' && response !== undefined)
    return 'a response is in its field, but nothing in the widget shows that it was accepted';
  if (verified) return 'the widget shows success, but its response field is empty';
  return 'the click was not enough: the widget asks for more, or ignored it';
}

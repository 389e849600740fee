import { aim, boxOf, click } from '../mouse.ts';
import type { Sighting } from '../sight.ts';
import type { Outcome, Solver, Task } from '../task.ts';

/** A click on the check box. Widgets of the proof-of-work kind need no more than that and time; others may ask further. */
const settleMs = 5000;

export const widgetSolver: Solver = {
  name: 'widget',
  limitMs: 60_000,
  refusal({ type, clickable }) {
    if (type === 'image') return 'an image has no check box';
    if (type === 'recaptcha-v3') return 'it has no check box: it judges what the visitor does';
    return clickable ? undefined : 'nothing of it shows that could be clicked';
  },
  async solve(task, signal) {
    const { frames, sighting } = task;
    if (!sighting.working) {
      const box = await boxOf(frames, sighting, 'target');
      if (!box) return { outcome: 'failed', reason: 'its check box could not be reached' };
      await click(frames, aim(box), signal);
    }
    return judged(task, await untilItSettles(task, signal));
  },
};

const untilItSettles = (task: Task, signal: AbortSignal) => {
  let since = Date.now();
  return task.watch(signal, (_, { working, problem }) => {
    if (working) since = Date.now();
    return !working && (problem !== undefined || Date.now() - since > settleMs);
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

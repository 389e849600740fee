/** Some widgets clear by themselves, and challenge pages let most through: they only want a moment. */
import type { Solver } from '../task.ts';

const shortMs = 2000;
const longMs = 8000;

export const waitSolver: Solver = {
  name: 'wait',
  limitMs: 30_000,
  refusal: ({ automatic, working, blocking }) =>
    automatic || working || blocking ? undefined : 'it does not clear by itself',
  async solve(task, signal) {
    const { type, blocking } = task.sighting;
    const patience = blocking || type === 'cloudflare-turnstile' ? longMs : shortMs;
    const progress = await task.watch(signal, (openMs, { working }) => !working && openMs > patience);
    if (progress === 'accepted') return { outcome: 'solved' };
    if (progress === 'gone') return task.afterGone();
    return { outcome: 'failed', reason: 'it did not clear by itself' };
  },
};

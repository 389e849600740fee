/**
 * A service of another provider solves it. Its answer is put where the widget would have put it, and the page's own function
 * for it is called; whether it was good, only the page can say.
 */
import { captchaProgram, pageCallbackProgram } from '../../reach/reach.ts';
import type { Outcome, Solver, Task } from '../task.ts';
import { pictureOf, typed } from './image.ts';
import { type ProviderClient, ProviderError } from './provider-client.ts';
import { answerIn, fieldsOf, providerTypes, taskFor } from './provider-tasks.ts';

const settleMs = 2000;
const keyless = new Set(['image']);

export const providerSolver = (client: ProviderClient | undefined): Solver => ({
  name: 'provider',
  limitMs: 180_000,
  refusal({ type, sitekey }) {
    if (!client) return 'no provider is configured';
    if (!providerTypes.includes(type)) return `providers have no common task for the type ${type}`;
    return sitekey || keyless.has(type) ? undefined : 'its site key does not show, and providers need it';
  },
  async solve(task, signal) {
    if (!client) return { outcome: 'failed', reason: 'no provider is configured' };
    try {
      return await ask(client, task, signal);
    } catch (error) {
      if (error instanceof ProviderError) return { outcome: 'failed', reason: error.message };
      throw error;
    }
  },
});

async function ask(client: ProviderClient, task: Task, signal: AbortSignal): Promise<Outcome> {
  const picture = task.sighting.type === 'image' ? await pictureOf(task) : undefined;
  const { solution, cost } = await client.solve(taskFor(client.url, task.sighting, picture), signal);
  const answer = answerIn(solution);
  if (answer === undefined)
    return { outcome: 'failed', reason: 'the provider’s solution holds no answer', cost };
  return { ...(picture ? await typed(task, answer, signal) : await handOver(task, answer, signal)), cost };
}

async function handOver(task: Task, answer: string, signal: AbortSignal): Promise<Outcome> {
  const { frames, sighting } = task;
  const { frame, number, type, callback } = sighting;
  await task.progress();
  const places = await frames.evaluate(frame, captchaProgram.call('answer', number, fieldsOf(type), answer));
  task.given = await frames.evaluate(frame, captchaProgram.call('mark', answer));
  const taken = await frames
    .callInPage<boolean>(
      frame,
      captchaProgram.call('root', number),
      pageCallbackProgram.declaration('tellPage'),
      [answer, callback ?? null],
    )
    // It may navigate, or ask in a dialog.
    .catch(() => undefined);
  if (taken === true) {
    // Its own function took the answer, as it would have from the widget.
    task.given = undefined;
    return { outcome: 'solved' };
  }
  const progress = await task.watch(signal, (openMs) => openMs > settleMs);
  if (progress === 'accepted') return { outcome: 'solved' };
  if (progress === 'gone') return task.afterGone();
  if (places === 0) return { outcome: 'failed', reason: 'the page has no place for the provider’s answer' };
  return {
    outcome: 'unconfirmed',
    reason: 'the provider’s answer is in the form; the page confirms it only when the form is sent',
  };
}

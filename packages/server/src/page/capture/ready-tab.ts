/** A tab is made ready for its capture, and afterwards is as its caller had it, but for what was clicked and run. */
import { dialogOpen, type PageTarget, pageCrashed, unlessItEnds } from '../reach/reach.ts';
import { asksForReadiness, judge, makeTabReady, statusOf } from '../ready/ready.ts';
import type { TabReadyRequest } from '../ready/schema.ts';
import { inFront } from './in-front.ts';

export type Readied = TabReadyRequest & { timeoutMs: number };

export async function whileReady<T>(
  page: PageTarget,
  asked: Readied,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  // A page that is captured as it is need not answer: its last picture is better than none.
  if (asked.waitFor === undefined && !asksForReadiness(asked)) return work();
  if (page.blocker() === 'crashed') throw pageCrashed(page);
  if (page.blocker() === 'dialog') throw dialogOpen();
  return inFront(page, async () => {
    const deadline = performance.now() + asked.timeoutMs;
    await using undo = new AsyncDisposableStack();
    const waiting = { signal, left: () => deadline - performance.now() };
    await unlessItEnds(page, () => makeTabReady(page, asked, waiting, undo));
    const { failOn } = asked;
    if (failOn) await judge(page, failOn, { statusCode: failOn.status ? await statusOf(page) : null });
    return await work();
  });
}

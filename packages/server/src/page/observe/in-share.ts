/** Work on what a page has sent, whose size the page chooses: done in the project's turn, and counted as its time. */
import { shareOf } from '../../kit/loop-share.ts';

export async function inShare<T>(projectId: string, work: () => T): Promise<T> {
  const share = shareOf(projectId);
  await share.turn(0);
  const began = performance.now();
  try {
    return work();
  } finally {
    share.spend(performance.now() - began);
  }
}

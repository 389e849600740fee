/** A tab that is not drawn because another hides it comes to the front for a while. */
import { CdpError } from '../../browsers/browsers.ts';
import { noTab, type PageTarget } from '../reach/reach.ts';

export async function inFront<T>({ cdp, targetId, behind }: PageTarget, work: () => Promise<T>): Promise<T> {
  if (behind === undefined) return work();
  await cdp.send('Target.activateTarget', { targetId }).catch((error: unknown) => {
    throw error instanceof CdpError ? noTab(targetId, 'The tab was closed meanwhile.') : error;
  });
  try {
    return await work();
  } finally {
    await cdp.send('Target.activateTarget', { targetId: behind }).catch(() => undefined);
  }
}

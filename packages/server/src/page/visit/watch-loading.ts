/** All listeners that must be there before a page moves. */
import { networkBuffers } from '../../browsers/browsers.ts';
import type { PageSession } from '../reach/reach.ts';
import { Loading } from './loading.ts';
import type { Waiting } from './settle.ts';

export async function watchLoading(
  page: PageSession,
  waiting: Waiting,
  undo: AsyncDisposableStack,
): Promise<Loading> {
  const { cdp, sessionId } = page;
  const options = { sessionId, timeoutMs: Math.max(waiting.left(), 1) };
  for (const domain of ['Page', 'Inspector'] as const)
    void cdp.send(`${domain}.enable`, undefined, options).catch(() => undefined);
  void cdp.send('Network.enable', networkBuffers, options).catch(() => undefined);
  const loading = new Loading(page, page.targetId ?? (await targetOf(page, options)));
  undo.defer(() => loading.stop());
  return loading;
}

/** Asked of Chromium itself, for the page may be busy or gone; its main frame has the id of its target. */
const targetOf = async ({ cdp }: PageSession, options: object): Promise<string> =>
  (await cdp.send('Target.getTargetInfo', {}, options)).targetInfo.targetId;

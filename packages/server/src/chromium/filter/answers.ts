/**
 * The few answers that are looked into on their way to the client: because they give it something it may use later
 * (a context, a stream), or because they tell of targets. All of them are small; every other answer passes unread.
 */
import type { Belongings } from './belongings.ts';
import type { Params } from './rules.ts';
import { isSeen, type TargetInfo } from './targets.ts';

export type Look = (result: Params, owned: Belongings, sessionId: string) => Params | undefined;

const stream =
  (find: (result: Params) => unknown): Look =>
  (result, owned, sessionId) => {
    const handle = find(result);
    if (typeof handle === 'string') owned.addStream(sessionId, handle);
    return result;
  };

const looks = new Map<string, Look>([
  [
    'Target.createBrowserContext',
    (result, owned) => {
      owned.addContext(String(result.browserContextId));
      return result;
    },
  ],
  [
    'Target.getTargets',
    (result, { extensionIds }) => ({
      ...result,
      targetInfos: (result.targetInfos as TargetInfo[]).filter((info) => isSeen(info, extensionIds)),
    }),
  ],
  [
    'Target.getTargetInfo',
    (result, { extensionIds }) =>
      isSeen(result.targetInfo as TargetInfo, extensionIds) ? result : undefined,
  ],
  ['Fetch.takeResponseBodyAsStream', stream((result) => result.stream)],
  ['Network.loadNetworkResource', stream((result) => (result.resource as Params | undefined)?.stream)],
  ['Page.printToPDF', stream((result) => result.stream)],
]);

export const isLookedAt = (method: string): boolean => looks.has(method);

/** A PDF is a stream only when asked for; otherwise it is the answer itself, and large. */
export function lookAt(method: string, params: Params): Look | undefined {
  if (method === 'Page.printToPDF' && params.transferMode !== 'ReturnAsStream') return undefined;
  return looks.get(method);
}

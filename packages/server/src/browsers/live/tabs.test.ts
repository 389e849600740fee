import { expect, test } from 'vitest';
import type { Cdp } from '../../chromium/chromium.ts';
import { launchRig } from '../../chromium/pipe/mux.fixture.ts';
import { Tabs } from './tabs.ts';
import { Watchers } from './watchers.ts';

/** Whatever is to come to the front is closed first, as a page does that closes itself at that moment. */
function closingFirst(cdp: Cdp): void {
  const send = cdp.send.bind(cdp);
  cdp.send = async (method, params, options) => {
    if (method === 'Target.activateTarget') {
      const { targetId } = params as { targetId: string };
      const gone = new Promise((resolve) =>
        cdp.on('Target.targetDestroyed', (target) => target.targetId === targetId && resolve(target)),
      );
      await send('Target.closeTarget', { targetId });
      await gone;
    }
    return send(method, params, options);
  };
}

test('a tab that is closed on its way to the front leaves the front to another', async () => {
  await using rig = await launchRig();
  const { cdp } = rig.chromium;
  const tabs = await Tabs.watch(cdp, new Watchers(), { mostTabs: 100, isGuests: () => false });
  const [first] = tabs.list();
  const second = await tabs.open();
  closingFirst(cdp);
  await tabs.activate(second);
  expect(tabs.active).toEqual(first);
});

test('a page of a guest tells what it asks for when it is handed over, and nothing of what it stores', async () => {
  await using rig = await launchRig();
  const { cdp } = rig.chromium;
  const answered = new Map<string, string[]>();
  const send = cdp.send.bind(cdp);
  cdp.send = async (method, params, options) => {
    const answer = await send(method, params, options);
    const session = options?.sessionId ?? '';
    answered.set(session, [...(answered.get(session) ?? []), method]);
    return answer;
  };
  const guests = new Set<string>();
  const isGuests = (contextId: string | undefined) => guests.has(contextId ?? '');
  const tabs = await Tabs.watch(cdp, new Watchers(), { mostTabs: 100, isGuests });
  const { browserContextId } = await cdp.send('Target.createBrowserContext');
  guests.add(browserContextId);
  const domainsOf = async (contextId?: string): Promise<string[]> => {
    const tabId = await tabs.open(undefined, contextId);
    const all = answered.get(tabs.sessionOf(tabId) ?? '') ?? [];
    return all.filter((method) => /^(?:Network|DOMStorage)\.enable$/.test(method));
  };
  expect(await domainsOf(browserContextId)).toEqual(['Network.enable']);
  expect(await domainsOf()).toEqual(['DOMStorage.enable']);
});

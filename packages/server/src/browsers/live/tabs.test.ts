import { expect, test } from 'vitest';
import type { Cdp } from '../../chromium/chromium.ts';
import { launchRig, servePages } from '../../chromium/pipe/mux.fixture.ts';
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

test('an address of a megabyte is told by its beginning, and is not saved as one that could be opened', async () => {
  await using rig = await launchRig();
  await using pages = await servePages({ '/': '<!doctype html><title>long</title>' });
  const { cdp } = rig.chromium;
  const tabs = await Tabs.watch(cdp, new Watchers(), { mostTabs: 100, isGuests: () => false });
  const sessionId = tabs.sessions()[0] ?? '';
  const push = (count: number) =>
    cdp.send(
      'Runtime.evaluate',
      { expression: `history.pushState(0, '', '/?' + '~'.repeat(${count}))` },
      { sessionId },
    );
  await cdp.send('Page.navigate', { url: pages.origin }, { sessionId });
  const beginning = `${pages.origin}/?`;
  const told = () => tabs.list()[0]?.url;
  await push(20);
  await expect.poll(told).toBe(beginning + '~'.repeat(20));
  await push(1e6);
  await expect.poll(told).toBe(beginning.padEnd(8192, '~'));
  const [saved] = await tabs.refresh();
  expect(saved).toMatchObject({ url: told(), addressLost: true });
});

test('a page that writes its local storage in a loop says so once, and once more when it is about to be saved', async () => {
  await using rig = await launchRig();
  await using pages = await servePages({ '/': '<!doctype html><title>writes</title>' });
  const { cdp } = rig.chromium;
  const watchers = new Watchers();
  let told = 0;
  watchers.add({ storageChanged: () => void told++ });
  const tabs = await Tabs.watch(cdp, watchers, { mostTabs: 100, isGuests: () => false });
  const sessionId = tabs.sessions()[0] ?? '';
  const run = (expression: string) =>
    cdp.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, { sessionId });
  await cdp.send('Page.navigate', { url: pages.origin }, { sessionId });
  /** Each in a task of its own: Chromium hears what it is told between two of them. */
  const writes = (count: number) =>
    run(`(async () => {
      for (let n = 0; n < ${count}; n++) {
        localStorage.setItem('n', n);
        await new Promise((resolve) => setTimeout(resolve, 4));
      }
    })()`);
  await writes(200);
  expect(told).toBeGreaterThan(0);
  expect(told).toBeLessThan(100);
  const before = told;
  await writes(50);
  expect(told).toBe(before);
  await tabs.storage.listen(sessionId);
  await writes(50);
  expect(told).toBeGreaterThan(before);
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

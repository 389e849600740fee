import { expect } from 'vitest';
import type { Site } from '../../server/tests/support/site.ts';
import { pageIn, resultIn, succeed, type Use } from './clients.ts';
import { policy } from './pages.ts';

export const refOf = (text: string, what: RegExp): string => {
  const line = text.split('\n').find((each) => what.test(each)) ?? '';
  return /\[ref=(\w+)\]/.exec(line)?.[1] ?? `no ref in: ${line}`;
};

export const createForOrders = async (act: Use): Promise<string> =>
  (await succeed(act('browser_create', { policy, name: 'orders' }))).data.browserId;

export async function closeAfterOrders(act: Use, browserId: string): Promise<void> {
  const closed = await succeed(act('browser_manage', { browserId, action: 'close' }));
  expect(closed.data).toEqual({ browserId, status: 'closed' });
}

/** As a model would, in the one browser that there is: with nothing but the tools and what they say. */
export async function orderPears(act: Use, site: Site): Promise<void> {
  const opened = await succeed(act('browser_act', { action: 'navigate', url: `${site.origin}/form` }));
  expect(pageIn(opened.data)).toMatchObject({ title: 'Order', url: `${site.origin}/form` });
  const { text } = await succeed(act('browser_observe'));
  await succeed(act('browser_act', { action: 'type', ref: refOf(text, /textbox "Name"/), text: 'Ada' }));
  const fruit = { action: 'select', ref: refOf(text, /combobox "Fruit"/), values: ['pear'] };
  await succeed(act('browser_act', fruit));
  const sent = await succeed(act('browser_act', { action: 'click', ref: refOf(text, /button "Send"/) }));
  expect(sent.text).toContain('Thank you, Ada, for pear');
  expect(pageIn(sent.data).content).toContain('Thank you, Ada, for pear');
  const [picture] = (await succeed(act('browser_screenshot'))).content;
  expect(picture).toMatchObject({ type: 'image', mimeType: 'image/jpeg' });
}

/** Those that the form does not need. */
export async function otherSteps(use: Use, site: Site): Promise<void> {
  const step = (action: string, more: object = {}) =>
    succeed(use('browser_act', { action, maxChars: 1000, ...more }));
  const titleOf = async (action: string) => pageIn((await step(action)).data).title;
  const asked = async (code: string) => resultIn((await succeed(use('browser_run', { code }))).data);
  await step('navigate', { url: `${site.origin}/noise` });
  const { text } = await step('navigate', { url: `${site.origin}/form` });
  expect(await titleOf('back')).toBe('noise');
  await step('scroll', { direction: 'down' });
  expect(await asked("return page.evaluate('scrollY')")).toBeGreaterThan(100);
  expect(await titleOf('forward')).toBe('Order');
  const again = (await succeed(use('browser_observe'))).text;
  const ref = refOf(again, /textbox "Name"/);
  for (const [action, more] of Object.entries({ hover: { ref }, scroll: { ref }, wait: { text: 'Order' } }))
    await step(action, more);
  await step('type', { ref, text: 'Eve', submit: true });
  await step('press', { ref, key: 'End' });
  await step('press', { key: 'x' });
  expect(await asked("return page.inputValue('#who')")).toBe('Evex');
  expect(await titleOf('reload')).toBe('Order');
  expect(await asked("return page.inputValue('#who')")).toBe('');
  expect((await use('browser_act', { action: 'click', ref: refOf(text, /button "Send"/) })).isError).toBe(
    true,
  );
}

export async function secondTab(use: Use, site: Site): Promise<void> {
  const { text, data } = await succeed(
    use('browser_act', { action: 'navigate', url: `${site.origin}/opens` }),
  );
  const opened = await succeed(use('browser_act', { action: 'click', ref: refOf(text, /button "Open"/) }));
  expect(pageIn(opened.data).title).toBe('Order');
  expect(opened.text).toContain('textbox "Name"');
  const first = data.page.tabId;
  expect(pageIn((await succeed(use('browser_observe', { tabId: first }))).data).title).toBe('opens');
  const second = opened.data.page.tabId;
  const typed = { action: 'type', ref: refOf(opened.text, /textbox "Name"/), text: 'Ada', tabId: second };
  expect((await succeed(use('browser_act', typed))).data.page.tabId).toBe(second);
  expect((await succeed(use('browser_status'))).data).toMatchObject({
    activeTab: { tabId: second },
    tabs: [{ tabId: first }, { tabId: second }],
  });
  await succeed(use('browser_run', { code: 'await page.close()', tabId: second }));
}

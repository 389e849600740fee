import { expect } from 'vitest';
import type { Site } from '../../server/tests/site.ts';
import { succeed, type Use } from './clients.ts';
import { policy } from './pages.ts';

export const refOf = (text: string, what: RegExp): string => {
  const line = text.split('\n').find((each) => what.test(each)) ?? '';
  return /\[ref=(\w+)\]/.exec(line)?.[1] ?? `no ref in: ${line}`;
};

/** As a model would: with nothing but the tools and what they say. */
export async function orderPears(act: Use, site: Site): Promise<void> {
  const { data } = await succeed(act('browser_create', { policy, name: 'orders' }));
  const opened = await succeed(act('browser_act', { action: 'navigate', url: `${site.origin}/form` }));
  expect(opened.data.page).toMatchObject({ title: 'Order', url: `${site.origin}/form` });
  const { text } = await succeed(act('browser_observe'));
  await succeed(act('browser_act', { action: 'type', ref: refOf(text, /textbox "Name"/), text: 'Ada' }));
  const fruit = { action: 'select', ref: refOf(text, /combobox "Fruit"/), values: ['pear'] };
  await succeed(act('browser_act', fruit));
  const sent = await succeed(act('browser_act', { action: 'click', ref: refOf(text, /button "Send"/) }));
  expect(sent.text).toContain('Thank you, Ada, for pear');
  expect(sent.data.observation.content).toContain('Thank you, Ada, for pear');
  const [picture] = (await succeed(act('browser_screenshot'))).content;
  expect(picture).toMatchObject({ type: 'image', mimeType: 'image/jpeg' });
  const { browserId } = data;
  const closed = await succeed(act('browser_manage', { browserId, action: 'close' }));
  expect(closed.data).toEqual({ browserId, status: 'closed' });
}

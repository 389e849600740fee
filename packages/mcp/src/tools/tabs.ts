/** Tabs: opened, brought to the front, closed. */
import type { Browser } from '@browserd/sdk';
import { z } from 'zod';
import { failure, tabList, tabListSchema, word } from '../answers/answers.ts';
import { defineTool } from './tool.ts';
import { anId, browserId, whichBrowser } from './which-browser.ts';

type Action = 'list' | 'open' | 'select' | 'close' | 'goto' | 'back' | 'forward' | 'reload';

interface Asked {
  action: Exclude<Action, 'list'>;
  tabId: string;
  url?: string;
}

const timeoutMs = 20_000;
/** A page that is slow is there in part: what it shows is for the model to see. */
const how = { waitFor: 'domcontentloaded', timeoutMs, partial: true } as const;

async function perform(browser: Browser, { action, tabId, url }: Asked, signal: AbortSignal): Promise<void> {
  const { tabs } = browser;
  if (action === 'open') await tabs.open({ ...how, ...(url && { url }) }, { signal });
  else if (action === 'close') await tabs.close(tabId, { signal });
  else if (action === 'select') await tabs.change(tabId, { active: true, signal });
  else if (action === 'goto') await tabs.change(tabId, { ...how, url, signal });
  else await tabs.change(tabId, { ...how, go: action, signal });
}

export const tabs = defineTool({
  name: 'browser_tabs',
  title: 'Tabs of a browser',
  description:
    'list the tabs; open one, at url if given, in front; select: bring tabId to the front; send it to url (goto), back, forward or reload it; close it. Answers with the tabs there are then. What one shows: browser_observe.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    browserId,
    action: z.enum(['list', 'open', 'select', 'goto', 'back', 'forward', 'reload', 'close']).default('list'),
    tabId: anId.optional().describe('Of all but list and open.'),
    url: z.string().max(8192).optional().describe('Of open and goto.'),
  }),
  output: z.object({ browserId: word, ...tabListSchema.shape }),
  async run({ browserId: id, action, tabId, url }, call) {
    const takesTab = action !== 'list' && action !== 'open';
    if (takesTab && tabId === undefined)
      throw failure('INVALID_ARGUMENT', `The action ${action} needs tabId, from the action list.`);
    const browser = await whichBrowser(id, call);
    if (action === 'goto' && url === undefined)
      throw failure('INVALID_ARGUMENT', 'The action goto needs url.');
    if (action !== 'list') await perform(browser, { action, tabId: tabId ?? '', url }, call.signal);
    const { text, data } = tabList(await browser.status({ signal: call.signal }));
    return { data: { browserId: browser.id, ...data }, text };
  },
});

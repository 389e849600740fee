/** Tabs: opened, brought to the front, closed. */
import { type Browser, ScriptError } from '@browserd/sdk';
import { z } from 'zod';
import { failure, tabList, tabListSchema, word } from '../answers/answers.ts';
import { defineTool } from './tool.ts';
import { browserId, whichBrowser } from './which-browser.ts';

type Action = 'list' | 'open' | 'select' | 'close';

/** Run by the runner, in the tab that is named. */
const steps: Record<Exclude<Action, 'list'>, string> = {
  open: `const tab = await context.newPage();
await tab.bringToFront();
if (args.url) await tab.goto(args.url, { waitUntil: 'domcontentloaded', timeout: 20_000 });`,
  select: 'await page.bringToFront()',
  close: 'await page.close()',
};

async function perform(
  browser: Browser,
  { action, tabId, url }: { action: keyof typeof steps; tabId?: string; url?: string },
  signal: AbortSignal,
): Promise<void> {
  const execution = await browser.run(steps[action], { args: { url }, tabId, returnOnDialog: true, signal });
  if (!execution.success) throw new ScriptError(execution);
}

export const tabs = defineTool({
  name: 'browser_tabs',
  title: 'Tabs of a browser',
  description:
    'list the tabs; open one, at url if given, in front; select: bring tabId to the front; close tabId. Answers with the tabs there are then. What one shows: browser_observe.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    browserId,
    action: z.enum(['list', 'open', 'select', 'close']).default('list'),
    tabId: z.string().min(1).max(128).optional().describe('Of select and close.'),
    url: z.string().max(8192).optional().describe('Of open.'),
  }),
  output: z.object({ browserId: word, ...tabListSchema.shape }),
  async run({ browserId: id, action, tabId, url }, call) {
    if (tabId === undefined && (action === 'select' || action === 'close'))
      throw failure('INVALID_ARGUMENT', `The action ${action} needs tabId, from the action list.`);
    const browser = await whichBrowser(id, call);
    if (action !== 'list') await perform(browser, { action, tabId, url }, call.signal);
    const { text, data } = tabList(await browser.status({ signal: call.signal }));
    return { data: { browserId: browser.id, ...data }, text };
  },
});

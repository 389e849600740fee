/** Tabs, dialogs and the driver of a browser, without touching the page. */
import type { Browser } from '@browserd/sdk';
import { z } from 'zod';
import { tabList, tabListSchema, word } from '../answers/answers.ts';
import { defineTool } from './tool.ts';
import { browserId, whichBrowser } from './which-browser.ts';

/** Only a running browser has a driver to ask for. */
async function driverOf(browser: Browser, status: string, signal: AbortSignal): Promise<string> {
  return status === 'ready' ? (await browser.handoff.get({ signal })).state : 'scripts';
}

export const status = defineTool({
  name: 'browser_status',
  title: 'Status of a browser',
  description:
    'Tabs, open dialogs and who drives the browser (scripts, or a person). Does not disturb the page and answers while code runs. For what the page shows use browser_observe.',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ browserId }),
  output: z.object({
    browserId: word,
    status: word,
    ...tabListSchema.shape,
    openDialogs: z.int(),
    driver: word.describe('scripts, requested (a person was asked) or person'),
  }),
  async run({ browserId: id }, call) {
    const browser = await whichBrowser(id, call);
    const { signal } = call;
    const now = await browser.status({ signal });
    const [driver, dialogs] = await Promise.all([
      driverOf(browser, now.status, signal),
      browser.dialogs.list({ state: 'open', limit: 50 }, { signal }).page(),
    ]);
    const shown = tabList(now);
    const head = `${browser.id} is ${now.status}, driven by ${driver === 'person' ? 'a person' : 'scripts'}; ${dialogs.items.length} dialog(s) open.`;
    return {
      data: {
        browserId: browser.id,
        status: now.status,
        ...shown.data,
        openDialogs: dialogs.items.length,
        driver,
      },
      text: `${head}\n${shown.text}`,
    };
  },
});

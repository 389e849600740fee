/** The browser and the tab that a call is about. Most conversations have one browser, which need not be named. */
import type { Browser } from '@browserd/sdk';
import { z } from 'zod';
import { failure } from '../answers/answers.ts';
import type { ToolCall } from './tool.ts';

/** Every model reads these with every tool, so they are as short as can be; an empty id is refused when it is used. */
export const anId = z.string().max(128);

export const browserId = anId.optional().describe('May be left out while exactly one is ready.');

export const tabId = anId.optional().describe('From browser_tabs. Default: the active tab.');

export async function whichBrowser(id: string | undefined, { client, signal }: ToolCall): Promise<Browser> {
  if (id !== undefined) return client.browser(id);
  const { items } = await client.browsers.list({ status: ['ready'], limit: 5 }, { signal }).page();
  const [only, ...others] = items;
  if (!only)
    throw failure(
      'NO_BROWSER',
      'No browser is ready. Create one, or resume one that browser_list shows as stopped.',
      'create_browser',
    );
  if (others.length > 0)
    throw failure(
      'BROWSER_ID_REQUIRED',
      `Several browsers are ready (${items.map((browser) => browser.id).join(', ')}). Pass browserId.`,
    );
  return only;
}

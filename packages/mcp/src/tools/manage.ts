/** Stop, resume or close a browser. */
import type { Browser, CallOptions } from '@browserd/sdk';
import { z } from 'zod';
import { word } from '../answers/answers.ts';
import { defineTool } from './tool.ts';

type Action = 'stop' | 'resume' | 'close';
const actions: Record<Action, (browser: Browser, options: CallOptions) => Promise<{ status: string }>> = {
  stop: (browser, options) => browser.stop(options),
  resume: (browser, options) => browser.resume(options),
  close: (browser, options) => browser.close(options),
};

export const manage = defineTool({
  name: 'browser_manage',
  title: 'Stop, resume or close a browser',
  description:
    'stop: ends the process and keeps cookies, storage and tabs. resume: starts a stopped browser again with all that. close: ends it for good; its files, downloads and recordings stay for some days.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    browserId: z.string().min(1).max(128),
    action: z.enum(['stop', 'resume', 'close']),
  }),
  output: z.object({ browserId: word, status: word }),
  async run({ browserId, action }, { client, signal }) {
    const { status } = await actions[action](client.browser(browserId), { signal });
    return { data: { browserId, status }, text: `${browserId} is ${status}.` };
  },
});

/** A browser for the conversation. */
import { type api, BrowserdError } from '@browserd/sdk';
import { z } from 'zod';
import { browserData, browserLine, browserSchema, failureOf, failureText } from '../answers/answers.ts';
import { policyOfBrowser, policyOfBrowserWithPrivateAccess } from './policy.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({
  startUrl: z.string().max(8192).optional().describe('Opened at once.'),
  name: z.string().max(200).optional().describe('To find it again in browser_list.'),
  policy: policyOfBrowser,
  viewport: z
    .strictObject({ width: z.int().min(1).max(10_000), height: z.int().min(1).max(10_000) })
    .optional()
    .describe('1280 × 720 unless given.'),
  locale: z.string().max(64).optional().describe('Such as de-DE.'),
  timezone: z.string().max(64).optional().describe('Such as Europe/Berlin.'),
  profile: z
    .string()
    .max(200)
    .optional()
    .describe('Name of a saved profile: it begins with a copy, signed in.'),
  saveProfile: z
    .boolean()
    .default(false)
    .describe('Save into the profile when it is closed; only one browser at a time may.'),
  extensions: z.array(z.string().max(64)).max(10).optional(),
  recording: z.boolean().optional().describe('Record a video of it.'),
  dialogs: z
    .enum(['dismiss', 'accept', 'manual'])
    .optional()
    .describe('Answer to alert, confirm and prompt. manual: by browser_dialog. Default dismiss.'),
  memoryMb: z
    .int()
    .min(256)
    .max(1_048_576)
    .optional()
    .describe('MiB that it may use; above it the largest page is ended.'),
  idleMinutes: z
    .int()
    .min(1)
    .max(1440)
    .default(30)
    .describe('Without an action for so long it is stopped; browser_manage resumes it.'),
  waitSeconds: z.int().min(0).max(300).default(30).describe('To wait for room when all are taken.'),
});

/** The browser is there, but not where the model expects it to be. */
function startPageLines({ startPage }: api.Browser): string | undefined {
  if (startPage?.state === 'pending')
    return 'startUrl has not answered yet; browser_observe shows what there is.';
  if (!startPage?.error) return undefined;
  return `startUrl was not opened:\n${failureText(failureOf(new BrowserdError(startPage.error, 0)))}`;
}

export const create = defineTool({
  name: 'browser_create',
  title: 'Create a browser',
  description:
    'Starts a browser of your own, with its own cookies and tabs, and gives its browserId. Close it with browser_manage when the task is done. To read public pages, page_scrape is quicker.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input,
  withPrivateAccess: {
    policy: policyOfBrowserWithPrivateAccess,
    proxy: z.string().max(2048).optional().describe('http, https or socks5 URL.'),
  },
  output: browserSchema,
  async run(
    { idleMinutes, waitSeconds, profile: name, saveProfile, policy, ...settings },
    { client, signal },
  ) {
    const wanted = {
      ...settings,
      policy: policy as api.Policy | undefined,
      idleTimeout: idleMinutes * 60_000,
      ...(name !== undefined && { profile: { name, ...(saveProfile && { save: 'close' as const }) } }),
    };
    const browser = await client.browsers.create(wanted, { signal, waitSeconds });
    const record = browser.record ?? (await browser.refresh({ signal }));
    const lines = [`Created. ${browserLine(record)}`, startPageLines(record)];
    return { data: browserData(record), text: lines.filter(Boolean).join('\n') };
  },
});

/** What pages logged as errors, from the events of the browser: also of pages that have gone. */
import type { api } from '@browserd/sdk';
import { z } from 'zod';
import { fenced, oneLine, pageText, word } from '../answers/answers.ts';
import { defineTool } from './tool.ts';
import { anId, browserId, whichBrowser } from './which-browser.ts';

const longestLine = 400;

function line({ at, data }: api.Event): string {
  const { kind, text, url, line: place, suppressed } = data as Record<string, string | number | undefined>;
  if (suppressed) return `${at} ${suppressed} more, not listed`;
  const where = url ? ` (${url}${place ? `:${place}` : ''})` : '';
  return oneLine(`${at} ${kind}: ${text}${where}`, longestLine);
}

export const consoleErrors = defineTool({
  name: 'browser_console',
  title: 'Console errors',
  description:
    'Errors that pages logged to their console or did not catch, newest first, of all tabs or of tabId.',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    browserId,
    tabId: anId.optional(),
    limit: z.int().min(1).max(100).default(20),
  }),
  output: z.object({ browserId: word, count: z.int(), pageContent: pageText.optional() }),
  async run({ browserId: id, tabId, limit }, call) {
    const browser = await whichBrowser(id, call);
    const { signal } = call;
    const { items } = await browser.events.list({ type: ['console.error'], limit: 100 }, { signal }).page();
    const wanted = items.filter(({ data }) => tabId === undefined || data.tabId === tabId).slice(0, limit);
    const pageContent = wanted.length > 0 ? fenced(wanted.map(line).join('\n')) : undefined;
    return {
      data: { browserId: browser.id, count: wanted.length, ...(pageContent && { pageContent }) },
      text: pageContent ?? 'No errors in the console.',
    };
  },
});

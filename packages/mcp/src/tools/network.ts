/**
 * What a page loaded, as its own timing list has it, and what the policy refused. The list belongs to the document: it ends
 * with it, and the platform keeps some 250 entries of it.
 */
import { type api, ScriptError } from '@browserd/sdk';
import { z } from 'zod';
import { fenced, oneLine, pageText, word } from '../answers/answers.ts';
import { defineTool } from './tool.ts';
import { browserId, tabId, whichBrowser } from './which-browser.ts';

const longestLine = 400;
const mostRefused = 20;

/** Run in the page, which can have replaced all that it uses: what comes back is cut, and taken for text of strangers. */
const readTimings = `return page.evaluate((filter) => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter(({ name }) => name.includes(filter)).slice(-100)
  .map((e) => [String(e.name).slice(0, 500), String(e.initiatorType).slice(0, 20), +e.responseStatus || 0, Math.round(e.duration) || 0, +e.transferSize || 0]), args.filter)`;

/** Other sites decide whether a page may see the status of what it loads from them. */
const requestLine = ([url, kind, status, ms, bytes]: unknown[]): string =>
  oneLine(`${status || 'status unknown'} ${kind} ${url} (${ms} ms, ${bytes} bytes)`, longestLine);

function refusalLine({ at, data }: api.Event): string {
  const { url, file, rule, suppressed, hosts } = data as Record<string, unknown>;
  const what = suppressed ? `${suppressed} more: ${JSON.stringify(hosts ?? [])}` : (url ?? file);
  return oneLine(`refused by the policy ${at}${rule ? ` (${rule})` : ''}: ${what}`, longestLine);
}

export const network = defineTool({
  name: 'browser_network',
  title: 'Requests of a page',
  description:
    'What the document in a tab has loaded so far, newest last: status, kind, address, time and size; then what the policy of the browser refused lately.',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    browserId,
    tabId,
    filter: z.string().min(1).max(200).optional().describe('Only addresses that contain it.'),
    limit: z.int().min(1).max(100).default(30),
  }),
  output: z.object({
    browserId: word,
    requests: z.int(),
    refused: z.int(),
    pageContent: pageText.optional(),
  }),
  async run({ browserId: id, tabId: tab, filter, limit }, call) {
    const browser = await whichBrowser(id, call);
    const { signal } = call;
    const args = { filter: filter ?? '' };
    const execution = await browser.run(readTimings, { args, tabId: tab, timeoutMs: 10_000, signal });
    if (!execution.success) throw new ScriptError(execution);
    const timings = Array.isArray(execution.result) ? (execution.result as unknown[][]).slice(-limit) : [];
    const { items } = await browser.events
      .list({ type: ['policy.blocked'], limit: mostRefused }, { signal })
      .page();
    const refused = items.map(refusalLine).filter((line) => !filter || line.includes(filter));
    const lines = [...timings.map(requestLine), ...refused];
    const pageContent = lines.length > 0 ? fenced(lines.join('\n')) : undefined;
    const counts = { requests: timings.length, refused: refused.length };
    return {
      data: { browserId: browser.id, ...counts, ...(pageContent && { pageContent }) },
      text: pageContent ?? 'Nothing was loaded or refused.',
    };
  },
});

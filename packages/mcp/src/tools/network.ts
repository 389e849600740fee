/** What the pages of a browser asked of the network, from the log that the service keeps: a list, or one request in detail. */
import type { api } from '@browserd/sdk';
import { z } from 'zod';
import { fenced, oneLine, pageText, word } from '../answers/answers.ts';
import { defineTool } from './tool.ts';
import { anId, browserId, whichBrowser } from './which-browser.ts';

const longestLine = 400;
const longestValue = 300;
const mostHeaders = 40;
const mostLooked = 1000;

function outcomeOf({ state, status, rule, failure }: api.NetworkRequest): string {
  if (rule) return `refused by the policy (${rule})`;
  if (failure) return `failed (${failure.kind}: ${failure.error})`;
  return status === undefined ? state : String(status);
}

const lineOf = (request: api.NetworkRequest): string =>
  oneLine(
    `${request.id} ${outcomeOf(request)} ${request.method} ${request.type} ${request.url.slice(0, 300)} (${Math.round(request.durationMs ?? 0)} ms, ${request.wireBytes} bytes)`,
    longestLine,
  );

function detailOf(request: api.NetworkRequestDetail): string[] {
  const headers = (mark: string, list: { name: string; value: string }[]): string[] =>
    list.slice(0, mostHeaders).map(({ name, value }) => oneLine(`${mark} ${name}: ${value}`, longestValue));
  return [
    lineOf(request),
    ...(request.initiator
      ? [oneLine(`begun by ${request.initiator.type} ${request.initiator.url ?? ''}`)]
      : []),
    ...headers('>', request.requestHeaders),
    ...headers('<', request.responseHeaders),
  ];
}

export const network = defineTool({
  name: 'browser_network',
  title: 'Requests of a browser',
  description:
    'Requests of the pages of a browser, newest last: id, outcome (status, or why it failed or was refused), address, time, size. With requestId: one of them with its headers, without credentials.',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    browserId,
    tabId: anId.optional().describe('Of one tab. Default: all.'),
    requestId: word.optional(),
    failed: z.boolean().optional().describe('Only those that failed or were answered with 400 or above.'),
    filter: z.string().max(200).optional().describe('Only addresses that contain it.'),
    limit: z.int().min(1).max(100).default(30),
  }),
  output: z.object({ browserId: word, requests: z.int(), pageContent: pageText.optional() }),
  async run({ browserId: id, tabId: tab, requestId, failed, filter, limit }, call) {
    const browser = await whichBrowser(id, call);
    const { signal } = call;
    if (requestId !== undefined) {
      const pageContent = fenced(detailOf(await browser.network.get(requestId, { signal })).join('\n'));
      return { data: { browserId: browser.id, requests: 1, pageContent }, text: pageContent };
    }
    const query = { limit: 100, ...(tab && { tabId: tab }), ...(failed && { failed }) };
    const listed = browser.network.list(query, { signal });
    const all = filter ? await listed.all(mostLooked) : await listed.all(limit);
    const wanted = all.filter(({ url }) => !filter || url.includes(filter)).slice(0, limit);
    const pageContent = wanted.length > 0 ? fenced(wanted.reverse().map(lineOf).join('\n')) : undefined;
    return {
      data: { browserId: browser.id, requests: wanted.length, ...(pageContent && { pageContent }) },
      text: pageContent ?? 'No such requests.',
    };
  },
});

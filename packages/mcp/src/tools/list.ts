/** The browsers there are. */
import { z } from 'zod';
import { browserData, browserLine, browserSchema } from '../answers/answers.ts';
import { defineTool } from './tool.ts';

const statuses = ['creating', 'ready', 'stopping', 'stopped', 'resuming', 'recovering', 'failed'] as const;

export const list = defineTool({
  name: 'browser_list',
  title: 'List browsers',
  description: 'The browsers there are, newest first, without closed ones. At most 50.',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    status: z.enum(statuses).optional().describe('Only these.'),
  }),
  output: z.object({ browsers: z.array(browserSchema), hasMore: z.boolean() }),
  async run({ status }, { client, signal }) {
    const filter = { status: status ? [status] : [...statuses], limit: 50 };
    const { items, hasMore } = await client.browsers.list(filter, { signal }).page();
    const records = items.map(({ record }) => record);
    const lines = records.map(browserLine).join('\n') || 'There is no browser. Call browser_create.';
    return {
      data: { browsers: records.map(browserData), hasMore },
      text: hasMore ? `${lines}\nThere are more; narrow it down by status.` : lines,
    };
  },
});

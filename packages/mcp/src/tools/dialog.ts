/** Dialogs that a page has opened and that wait for an answer. */
import { z } from 'zod';
import { failure, fenced, oneLine } from '../answers/answers.ts';
import { defineTool } from './tool.ts';
import { browserId, whichBrowser } from './which-browser.ts';

const dialogSchema = z.object({
  dialogId: z.string(),
  type: z.string(),
  message: z.string(),
  state: z.string(),
});

export const dialog = defineTool({
  name: 'browser_dialog',
  title: 'Answer a dialog',
  description:
    'Alerts, confirms and prompts of pages, in browsers created with dialogs: manual. list shows the open ones; accept and dismiss answer one (the only one, if dialogId is left out).',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    browserId,
    action: z.enum(['list', 'accept', 'dismiss']),
    dialogId: z.string().min(1).max(128).optional(),
    promptText: z.string().max(10_000).optional().describe('What to enter when a prompt is accepted.'),
  }),
  output: z.object({ browserId: z.string(), dialogs: z.array(dialogSchema) }),
  async run({ browserId: id, action, dialogId, promptText }, call) {
    const browser = await whichBrowser(id, call);
    const { signal } = call;
    const open = await browser.dialogs.list({ state: 'open', limit: 20 }, { signal }).all(20);
    const ids = dialogId ? [dialogId] : open.map((each) => each.id);
    if (action !== 'list' && ids.length !== 1)
      throw failure(
        open.length === 0 ? 'NO_DIALOG' : 'DIALOG_ID_REQUIRED',
        open.length === 0 ? 'No dialog is open.' : `Several are open: ${ids.join(', ')}. Pass dialogId.`,
        'observe',
      );
    const answer = { action: action as 'accept', ...(promptText !== undefined && { promptText }) };
    const shown = action === 'list' ? open : [await browser.dialogs.answer(ids[0] ?? '', answer, { signal })];
    const dialogs = shown.map((each) => ({
      dialogId: each.id,
      type: each.type,
      message: oneLine(each.message, 2000),
      state: each.state,
    }));
    const lines = dialogs.map((each) => `${each.dialogId} (${each.type}, ${each.state}): ${each.message}`);
    return {
      data: { browserId: browser.id, dialogs },
      text: lines.length > 0 ? fenced(lines.join('\n')) : 'No dialog is open.',
    };
  },
});

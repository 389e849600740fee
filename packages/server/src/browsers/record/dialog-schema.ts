/** What a dialog of a page looks like from outside. */
import { z } from 'zod';

const time = z.iso.datetime();

export const dialogSchema = z
  .strictObject({
    id: z.string().meta({ examples: ['dialog_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
    type: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
    message: z.string().meta({ description: 'What the page says; at most 2,000 characters are kept.' }),
    defaultValue: z.string().meta({ description: 'What a prompt suggests; empty for the others.' }),
    tabId: z.string(),
    url: z.string().meta({ description: 'Of the page or frame that opened it.' }),
    openedAt: time,
    state: z.enum(['open', 'accepted', 'dismissed']),
    closedAt: time.optional(),
    closedBy: z.enum(['mode', 'caller', 'script', 'timeout', 'navigation', 'browser']).optional().meta({
      description:
        'The browser’s `dialogs` mode, a caller of this API, a script or CDP client that listens, the time-out, the page’s going away, or the end of its Chromium.',
    }),
    promptText: z.string().optional().meta({ description: 'What a prompt was answered with.' }),
  })
  .meta({ id: 'Dialog' });

export const answerDialogSchema = z
  .strictObject({
    action: z.enum(['accept', 'dismiss']),
    promptText: z.string().max(65_536).optional().meta({
      description: 'Only when a prompt is accepted. Default: what the prompt suggests.',
    }),
  })
  .refine(({ action, promptText }) => action === 'accept' || promptText === undefined, {
    path: ['promptText'],
    message: 'goes only with `action: accept`',
  })
  .meta({ id: 'AnswerDialog' });

export type Dialog = z.output<typeof dialogSchema>;
export type AnswerDialog = z.output<typeof answerDialogSchema>;

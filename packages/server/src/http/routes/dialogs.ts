/** Open dialogs of a browser, and answers to them. */
import { z } from 'zod';
import type { OwnerDialogs } from '../../browsers/browsers.ts';
import { answerDialogSchema, type Dialog, dialogSchema } from '../../browsers/record/dialog-schema.ts';
import { answers, bodyCodes, pageOf, pageQuery } from '../contract/contract.ts';
import type { App } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const example: Dialog = {
  id: 'dialog_01ja9q4m8h2f7t3k5w6x8y0z1a',
  type: 'prompt',
  message: 'What is your name?',
  defaultValue: '',
  tabId: 'B00BFB574DD3698D85C5B7C996E1D6C4',
  url: 'https://example.com/',
  openedAt: browserExample.createdAt,
  state: 'open',
};
const answered: Dialog = {
  ...example,
  state: 'accepted',
  closedAt: browserExample.createdAt,
  closedBy: 'caller',
  promptText: 'Ada',
};

const params = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });
const dialogParams = params.extend({ dialogId: z.string().meta({ examples: [example.id] }) });
const query = z.strictObject({
  state: z.enum(['open', 'accepted', 'dismissed']).optional().meta({ description: 'Only these.' }),
  tabId: z.string().optional().meta({ description: 'Only those of this tab.' }),
  ...pageQuery,
});

/** Dialogs of pages. They are answered at once, also while a script of the browser waits for one. */
export function dialogRoutes(app: App, { dialogs }: { dialogs: OwnerDialogs }): void {
  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/dialogs',
    config: { examples: { response: { items: [example], limit: 20, hasMore: false } } },
    schema: {
      operationId: 'DialogController_list',
      summary: 'List dialogs',
      description:
        'The dialogs (alert, confirm, prompt, beforeunload) that are open, and the last 50 that were, newest first. A stopped browser answers from its saved state.',
      tags: ['Dialogs'],
      params,
      querystring: query,
      response: answers(
        { 200: { description: 'A page of dialogs.', schema: pageOf(dialogSchema, 'DialogPage') } },
        ['INVALID_CURSOR', 'BROWSER_NOT_FOUND', 'BROWSER_NOT_READY'],
      ),
    },
    handler: async (request) => dialogs.list(request.principal.projectId, request.params.id, request.query),
  });

  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/dialogs/:dialogId',
    config: { examples: { request: { action: 'accept', promptText: 'Ada' }, response: answered } },
    schema: {
      operationId: 'DialogController_answer',
      summary: 'Answer a dialog',
      description:
        'For browsers with `dialogs: manual`, where a dialog waits until it is answered here, its page goes, or `BROWSERD_DIALOG_TIMEOUT` is over. Does not wait behind scripts: one that waits for the dialog goes on. Accepting a `beforeunload` leaves the page. Of two answers the first counts; the other is `DIALOG_CLOSED`.',
      tags: ['Dialogs'],
      params: dialogParams,
      body: answerDialogSchema,
      response: answers({ 200: { description: 'The dialog, closed.', schema: dialogSchema } }, [
        ...bodyCodes,
        'BROWSER_NOT_FOUND',
        'BROWSER_NOT_READY',
        'DIALOG_NOT_FOUND',
        'DIALOG_CLOSED',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async ({ principal, params: { id, dialogId }, body }) =>
      dialogs.answer(principal.projectId, id, dialogId, body),
  });
}

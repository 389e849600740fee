/** Computer use: actions at places of a picture, as models give them, and what came of them. */
import { z } from 'zod';
import { type ComputerAnswer, computerAnswerSchema, computerSchema } from '../../page/computer/schema.ts';
import type { Computers } from '../../page/page.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import { type App, hangUp } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const example: ComputerAnswer = {
  success: true,
  actions: [
    {
      type: 'click',
      tabId: 'B00BFB574DD3698D85C5B7C996E1D6C4',
      hit: { tag: 'button', role: 'button', name: 'Send', editable: false },
      changed: true,
      durationMs: 182,
    },
  ],
  page: { tabId: 'B00BFB574DD3698D85C5B7C996E1D6C4', url: 'https://example.com/', title: 'Example' },
  changed: true,
  openedTabs: [],
  dialogs: [],
  cursor: { x: 640, y: 360 },
  screen: { width: 1280, height: 720 },
  durationMs: 190,
};

/** A failure inside a good answer names its request, as every other does. */
const identified = ({ error, ...answer }: ComputerAnswer, requestId: string): ComputerAnswer => ({
  ...answer,
  ...(error && { error: { ...error, details: { ...error.details, requestId } } }),
});

export function computerRoutes(app: App, { computers }: { computers: Pick<Computers, 'use'> }): void {
  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/computer',
    config: { examples: { request: { actions: [{ type: 'click', x: 640, y: 360 }] }, response: example } },
    schema: {
      operationId: 'ComputerController_use',
      summary: 'Use the screen',
      description:
        'Mouse, keyboard and pictures of a tab, for models that act by places in a picture. Input is trusted, as if it came from a person. After each action the page is waited for until it rests, `restMs` at most. An action that fails is answered with 200 and `success: false`: `failedIndex` names it, those before it are done. Takes turns with `script/execute`.',
      tags: ['Computer use'],
      params: z.object({ id: z.string().meta({ examples: [browserExample.id] }) }),
      body: computerSchema,
      response: answers({ 200: { description: 'What was done.', schema: computerAnswerSchema } }, [
        ...bodyCodes,
        'BROWSER_NOT_FOUND',
        'TAB_NOT_FOUND',
        'BROWSER_NOT_READY',
        'SCRIPT_QUEUE_FULL',
        'BROWSER_CRASHED',
        'BROWSER_UNRESPONSIVE',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async ({ principal, params, body, id }, reply) =>
      identified(await computers.use(principal, params.id, body, hangUp(reply.raw)), id),
  });
}

/** What a page shows, in the size of a language model. */
import { z } from 'zod';
import { type ObservedPage, observedSchema, observeSchema } from '../../page/observe/schema.ts';
import type { Observations } from '../../page/page.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import { type App, hangUp } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const content = 'heading "Sign in" [level=1]\ntextbox "Email" [ref=e5] [required]\nbutton "Send" [ref=e7]\n';
const example: ObservedPage = {
  page: { tabId: 'B00BFB574DD3698D85C5B7C996E1D6C4', url: 'https://example.com/', title: 'Example' },
  kind: 'aria',
  as: 'full',
  id: 'obs_7f3a90c1b2d4',
  content,
  chars: content.length,
  tokens: 32,
  truncated: false,
  changed: true,
  view: { width: 1280, height: 720, scrollX: 0, scrollY: 0, maxX: 0, maxY: 0 },
};

export function observeRoutes(
  app: App,
  { observations }: { observations: Pick<Observations, 'observe'> },
): void {
  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/observe',
    config: { examples: { request: { kind: 'aria', as: 'diff' }, response: example } },
    schema: {
      operationId: 'ObserveController_observe',
      summary: 'Observe a page',
      description:
        'What a tab shows, as a tree of what can be read and operated, or as text, Markdown or HTML. The references in a tree stay the same as long as their elements live, for every caller. Runs beside scripts, not in their turn.',
      tags: ['Observations'],
      params: z.object({ id: z.string().meta({ examples: [browserExample.id] }) }),
      body: observeSchema,
      response: answers({ 200: { description: 'What the page shows.', schema: observedSchema } }, [
        ...bodyCodes,
        'BROWSER_NOT_FOUND',
        'TAB_NOT_FOUND',
        'BROWSER_NOT_READY',
        'DIALOG_OPEN',
        'SELECTOR_NOT_FOUND',
        'SCRIPT_QUEUE_FULL',
        'PAGE_CRASHED',
        'BROWSER_CRASHED',
        'BROWSER_UNRESPONSIVE',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async ({ principal, params, body }, reply) =>
      observations.observe(principal, params.id, body, hangUp(reply.raw)),
  });
}

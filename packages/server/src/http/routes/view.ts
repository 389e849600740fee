/** The viewer's socket, and asking a person to take over. */
import { z } from 'zod';
import { viewAddressFields } from '../../access/schema.ts';
import type { Handoff, TabCalls, Views } from '../../page/page.ts';
import { type HandoffAnswer, handoffSchema, requestHandoffSchema } from '../../page/view/schema.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import { type SigningParts, signedAddress } from '../out/out.ts';
import { closingsTable, openViewSocket, type ViewSocketParts } from '../sockets/sockets.ts';
import type { App } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const params = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });
const security: Record<string, string[]>[] = [{ bearer: [] }, { token: [] }];

const askSchema = requestHandoffSchema.extend(viewAddressFields).meta({ id: 'RequestHandoff' });

const handoffExample: HandoffAnswer = { state: 'person', since: browserExample.createdAt };

const aboutSocket = `The browser for a person: what it shows, and a hand on it. Ask for a capability of the kind \`live\` and open its
\`url\` in a web browser; this WebSocket is what that page speaks.

- The service sends JSON texts: \`welcome\` {browserId, mode, tabId}, \`state\` {tabs, activeTabId, failed, dialogs, downloads, handoff,
  viewers} whenever it has changed (\`failed\` {url, message}: why the active tab shows no page), \`clipboard\` {text} after a
  \`copy\`, \`picker\` {picker} and \`pickerClosed\` {pickerId}, and \`refused\` {what, message}; and pictures as binary messages:
  4 bytes with the length of a header, the header (JSON: tabId, width, height, at), a JPEG.
- The viewer answers each picture with \`{"type":"ready"}\` once it is drawn, and is sent the newest one then: who draws
  slowly is sent less. While nobody watches, nothing is filmed.
- With \`mode: control\` it may send \`mouse\`, \`key\`, \`text\`, \`compose\`, \`touch\`, \`release\` (lets go of all that is held down),
  \`copy\` {cut}, \`paste\` {text}, \`open\`, \`activate\`, \`close\`, \`visit\`, \`go\`, \`dialog\`, \`pick\`, and \`control\`
  {action: take|return}: while a person holds the browser, script calls wait, and so do the dialogs of its pages, for that person.
- Chromium draws the lists of selects and the dialogs of date, time, colour and file fields outside the page. While a
  person drives, \`picker\` {id, kind, label, box, value, options, groups, multiple, min, max, step, required, accept} says
  which one was opened and where, and \`pick\` {pickerId, options | value | files} answers it: options by their \`index\`, files by
  the ids of uploads (\`POST …/files\`, which takes the token of an address with \`mode: control\`); none of them cancels.
- An address that was made for one \`tabId\` shows and controls this tab only: \`state\` has no other, and what is about
  another tab, or opens one, is refused.
- After 4002 (Chromium crashed) connect again to the same address.

${closingsTable()}`;

export interface ViewRouteParts extends Omit<ViewSocketParts, 'views'>, SigningParts {
  views: Pick<Views, 'open' | 'handoff' | 'refuseAbsent'>;
  tabs: Pick<TabCalls, 'refuseUnknown'>;
}

/** Viewers: watching a browser, controlling it, being asked to take over. */
export function viewRoutes(app: App, parts: ViewRouteParts): void {
  const { views } = parts;
  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/live',
    config: { capability: 'live', socket: true },
    schema: {
      operationId: 'LiveController_connect',
      summary: 'Watch and control a browser',
      description: aboutSocket,
      tags: ['Live view'],
      security,
      params,
      querystring: z.strictObject({
        token: z.string().optional().meta({ description: 'A signed token, instead of a key.' }),
      }),
      response: answers({ 101: { description: 'A WebSocket from here on.' } }, [
        'UPGRADE_REQUIRED',
        'BROWSER_NOT_FOUND',
        'BROWSER_NOT_READY',
        'TOO_MANY_CLIENTS',
        'BROWSER_CRASHED',
        'BROWSER_UNRESPONSIVE',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async ({ raw, id: requestId, principal, grant, params: { id } }, reply) => {
      const { mode = 'control', tabId } = grant ?? {};
      const viewer = { ...principal, browserId: id, mode, tabId } as const;
      await openViewSocket(parts, raw, requestId, viewer);
      return reply.hijack();
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/handoff',
    config: { examples: { response: handoffExample } },
    schema: {
      operationId: 'HandoffController_get',
      summary: 'See who drives the browser',
      tags: ['Live view'],
      params,
      response: answers({ 200: { description: 'Scripts, or a person.', schema: handoffSchema } }, [
        'BROWSER_NOT_FOUND',
        'BROWSER_NOT_READY',
      ]),
    },
    handler: async ({ principal, params: { id } }) => viewOf(await views.handoff(principal.projectId, id)),
  });

  app.route({
    method: 'DELETE',
    url: '/v1/browsers/:id/handoff',
    config: { examples: { response: { ...handoffExample, state: 'scripts' } } },
    schema: {
      operationId: 'HandoffController_end',
      summary: 'Take the browser back',
      description:
        'Script calls go on, whether a person holds the browser or was only asked. Whoever watches stays, and can take over again.',
      tags: ['Live view'],
      params,
      response: answers({ 200: { description: 'Scripts drive.', schema: handoffSchema } }, [
        'BROWSER_NOT_FOUND',
        'BROWSER_NOT_READY',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async ({ principal, params: { id } }) => {
      const handoff = await views.handoff(principal.projectId, id);
      handoff.giveBack('withdrawn');
      return viewOf(handoff);
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/handoff',
    config: { examples: { request: { message: 'Please sign in.' }, response: handoffExample } },
    schema: {
      operationId: 'HandoffController_request',
      summary: 'Ask a person to take over',
      description:
        'Issues a signed live address, for the caller alone to pass on; the event `browser.handoff` says that a person is asked for, without the address. The person takes the browser there (script calls wait meanwhile) and hands it back; `GET` and the events tell when.',
      tags: ['Live view'],
      params,
      body: askSchema,
      response: answers({ 201: { description: 'Asked.', schema: handoffSchema } }, [
        ...bodyCodes,
        'BROWSER_NOT_FOUND',
        'TAB_NOT_FOUND',
        'BROWSER_NOT_READY',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async (request, reply) => {
      const {
        principal,
        params: { id },
        body,
      } = request;
      const handoff = await views.handoff(principal.projectId, id);
      const { ttlSeconds, tabId, frameAncestors } = body;
      if (tabId !== undefined) await parts.tabs.refuseUnknown(principal.projectId, id, tabId);
      const wanted = {
        kind: 'live',
        mode: 'control',
        browserId: id,
        ttlSeconds,
        purpose: 'handoff',
        tabId,
        frameAncestors,
      } as const;
      const { url, expiresAt } = await signedAddress(parts, request, wanted);
      handoff.request(body.message, expiresAt);
      return reply.code(201).send({ ...viewOf(handoff), url, expiresAt });
    },
  });
}

const viewOf = ({ view }: Handoff): HandoffAnswer => ({ ...view, since: new Date(view.since).toISOString() });

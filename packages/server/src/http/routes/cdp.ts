/** The CDP sockets: one to the whole browser, and one to each of its pages. */
import type { ErrorCode } from '../../errors.ts';
import { answers } from '../contract/contract.ts';
import { type CdpSocketParts, closingsTable, openCdpSocket } from '../sockets/sockets.ts';
import type { App } from '../wire/wire.ts';
import { cdpAccess, cdpCodes, cdpParams, cdpQuery, targetParams } from './cdp-parts.ts';

const aboutSocket = `Any DevTools (CDP) client drives the browser through this WebSocket, side by side with scripts and other clients:
Playwright's \`connectOverCDP\` and Puppeteer's \`connect\` with this address, as \`ws(s)://\` or, by the discovery below it,
as \`http(s)://\`.

- A key in the header \`Authorization\`, or a signed \`?token=\` (see capabilities), opens it; \`Origin\` plays no part.
- Commands pass a filter: what touches files, the machine, Chromium's own pages or the way out is refused with a CDP
  error, and the egress policy holds. \`Browser.close\` ends the connection, not the browser.
- One JSON message a frame, up to 96 MiB in both directions. At most 32 clients a browser.
- Messages of the client count as actions of its owner; a connection that only stays open does not keep the browser from its \`idleTimeout\`.
- What the client had set for pages (emulation, interception) ends with it, as do the browser contexts it made.

${closingsTable()}`;

const aboutPage = `The same for a client that speaks to one page: its messages need no session, and frames and workers of
the page are reached by \`Target.setAutoAttach\`. \`…/cdp/json/list\` names the pages and their addresses. The connection
ends with the page.`;

const opened = { 101: { description: 'A WebSocket from here on.' } };
const refused: ErrorCode[] = ['UPGRADE_REQUIRED', 'TOO_MANY_CLIENTS', 'SERVICE_SHUTTING_DOWN', ...cdpCodes];

/** The browser for clients that speak the DevTools protocol. */
export function cdpRoutes(app: App, parts: CdpSocketParts): void {
  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/cdp',
    config: { capability: 'cdp', socket: true },
    schema: {
      operationId: 'CdpController_connect',
      summary: 'Connect a CDP client',
      description: aboutSocket,
      params: cdpParams,
      querystring: cdpQuery,
      response: answers(opened, refused),
      ...cdpAccess,
    },
    handler: async ({ raw, id: requestId, principal, params: { id } }, reply) => {
      await openCdpSocket(parts, raw, { ...principal, browserId: id, requestId });
      return reply.hijack();
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/cdp/devtools/page/:targetId',
    config: { capability: 'cdp', socket: true },
    schema: {
      operationId: 'CdpController_connectPage',
      summary: 'Connect a CDP client to one page',
      description: aboutPage,
      params: targetParams,
      querystring: cdpQuery,
      response: answers(opened, [...refused, 'TAB_NOT_FOUND']),
      ...cdpAccess,
    },
    handler: async ({ raw, id: requestId, principal, params: { id, targetId } }, reply) => {
      await openCdpSocket(parts, raw, { ...principal, browserId: id, requestId, targetId });
      return reply.hijack();
    },
  });
}

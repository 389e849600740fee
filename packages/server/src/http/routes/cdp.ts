/** The CDP socket, and the discovery endpoints that Playwright and Puppeteer ask first. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Attachments } from '../../page/page.ts';
import { answers } from '../contract/contract.ts';
import { type SigningParts, signedAddress } from '../out/out.ts';
import { type CdpSocketParts, closingsTable, openCdpSocket } from '../sockets/sockets.ts';
import type { App } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const params = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });
const query = z.strictObject({
  token: z
    .string()
    .optional()
    .meta({ description: 'A signed token, instead of a key. It decides alone where both are sent.' }),
});
const security: Record<string, string[]>[] = [{ bearer: [] }, { token: [] }];

const versionSchema = z
  .strictObject({
    Browser: z.string(),
    'Protocol-Version': z.string(),
    'User-Agent': z.string(),
    'V8-Version': z.string(),
    'WebKit-Version': z.string(),
    webSocketDebuggerUrl: z.string().meta({
      description: 'Where to connect, with a token of its own that is good for a minute.',
    }),
  })
  .meta({ id: 'CdpVersion' });

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

export interface CdpParts extends Omit<CdpSocketParts, 'attachments'>, SigningParts {
  attachments: Pick<Attachments, 'attach' | 'version'>;
}

const discoverySeconds = 60;

/** The browser for clients that speak the DevTools protocol, and how they find it. */
export function cdpRoutes(app: App, parts: CdpParts): void {
  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/cdp',
    config: { capability: 'cdp', socket: true },
    schema: {
      operationId: 'CdpController_connect',
      summary: 'Connect a CDP client',
      description: aboutSocket,
      tags: ['CDP'],
      security,
      params,
      querystring: query,
      response: answers({ 101: { description: 'A WebSocket from here on.' } }, [
        'UPGRADE_REQUIRED',
        'BROWSER_NOT_FOUND',
        'BROWSER_NOT_READY',
        'TOO_MANY_CLIENTS',
        'BROWSER_CRASHED',
        'BROWSER_UNRESPONSIVE',
        'ISOLATION_UNAVAILABLE',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async ({ raw, id: requestId, principal, params: { id } }, reply) => {
      await openCdpSocket(parts, raw, { ...principal, browserId: id, requestId });
      return reply.hijack();
    },
  });

  const discover = async (request: FastifyRequest, id: string) => {
    const version = await parts.attachments.version(request.principal.projectId, id);
    const wanted = {
      kind: 'cdp',
      mode: 'control',
      browserId: id,
      ttlSeconds: discoverySeconds,
      purpose: 'discovery',
    } as const;
    const { url } = await signedAddress(parts, request, wanted);
    return {
      Browser: version.product,
      'Protocol-Version': version.protocolVersion,
      'User-Agent': version.userAgent,
      'V8-Version': version.jsVersion,
      'WebKit-Version': version.revision,
      webSocketDebuggerUrl: url,
    };
  };
  // Puppeteer asks without a slash at the end, Playwright with one.
  for (const [slash, hide] of [
    ['', false],
    ['/', true],
  ] as const)
    app.route({
      method: 'GET',
      url: `/v1/browsers/:id/cdp/json/version${slash}`,
      config: { capability: 'cdp' },
      schema: {
        hide,
        operationId: 'CdpController_version',
        summary: 'Discover the CDP address',
        description:
          'What Chromium itself answers at `/json/version`, for clients that are given an `http(s)://` address.',
        tags: ['CDP'],
        security,
        params,
        querystring: query,
        response: answers({ 200: { description: 'The browser and its address.', schema: versionSchema } }, [
          'BROWSER_NOT_FOUND',
          'BROWSER_NOT_READY',
          'BROWSER_CRASHED',
          'BROWSER_UNRESPONSIVE',
          'ISOLATION_UNAVAILABLE',
        ]),
      },
      handler: async (request) => discover(request, request.params.id),
    });
}

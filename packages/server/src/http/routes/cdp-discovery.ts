/**
 * What Chromium answers over HTTP at its debugging port, below the CDP address of a browser: Playwright, Puppeteer and
 * their like ask for the version, clients of single pages for the list.
 */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clientProtocol } from '../../browsers/browsers.ts';
import type { Attachments, CdpTarget } from '../../page/page.ts';
import { answers } from '../contract/contract.ts';
import { type SigningParts, signedAddress } from '../out/out.ts';
import type { App } from '../wire/wire.ts';
import { cdpAccess, cdpCodes, cdpParams, cdpQuery, targetExample, targetParams, token } from './cdp-parts.ts';

const signed = { description: 'Where to connect, with a token of its own that is good for a minute.' };

const versionSchema = z
  .strictObject({
    Browser: z.string(),
    'Protocol-Version': z.string(),
    'User-Agent': z.string(),
    'V8-Version': z.string(),
    'WebKit-Version': z.string(),
    webSocketDebuggerUrl: z.string().meta(signed),
  })
  .meta({ id: 'CdpVersion' });

const targetSchema = z
  .strictObject({
    description: z.string(),
    id: z.string(),
    parentId: z.string().optional().meta({ description: 'Of a frame: the target that it is in.' }),
    title: z.string(),
    type: z.string().meta({ description: '`page`, `iframe`, `worker`, `service_worker` and so on.' }),
    url: z.string(),
    webSocketDebuggerUrl: z.string().meta(signed),
  })
  .meta({ id: 'CdpTarget' });

const example: z.output<typeof targetSchema> = {
  description: '',
  id: targetExample,
  title: 'Example Domain',
  type: 'page',
  url: 'https://example.com/',
  webSocketDebuggerUrl: `ws://127.0.0.1:8787/v1/browsers/browser_…/cdp/devtools/page/${targetExample}?token=bdc_…`,
};

const protocolSchema = z
  .strictObject({
    version: z.strictObject({ major: z.string(), minor: z.string() }),
    domains: z.array(z.looseObject({ domain: z.string() })),
  })
  .meta({ id: 'CdpProtocol' });

const openQuery = z.looseObject({
  url: z
    .string()
    .optional()
    .meta({
      description:
        'What it shows; `about:blank` by default. As in Chromium, a whole query may be the address.',
      examples: ['https://example.com/'],
    }),
  token,
});

export interface DiscoveryParts extends SigningParts {
  attachments: Pick<Attachments, 'version' | 'targets'>;
}

const discoverySeconds = 60;

/** Puppeteer asks without a slash at the end, Playwright with one; the first is in the document. */
const slashed = (...paths: string[]): { url: string; hide: boolean }[] =>
  paths
    .flatMap((path) => [path, `${path}/`])
    .map((path, at) => ({ url: `/v1/browsers/:id/cdp/json${path}`, hide: at > 0 }));

export function cdpDiscoveryRoutes(app: App, parts: DiscoveryParts): void {
  const { attachments } = parts;
  const config = { capability: 'cdp' } as const;

  const addressOf = async (request: FastifyRequest, browserId: string): Promise<string> => {
    const how = { kind: 'cdp', mode: 'control', ttlSeconds: discoverySeconds, purpose: 'discovery' } as const;
    return (await signedAddress(parts, request, { ...how, browserId })).url;
  };
  /** One token opens the browser and all of its pages: a list takes no more than one. */
  const viewsOf = async (request: FastifyRequest, id: string, found: CdpTarget[]) => {
    const address = found.length > 0 ? await addressOf(request, id) : '';
    return found.map((target) => viewOf(target, address));
  };

  for (const { url, hide } of slashed('/version'))
    app.route({
      method: 'GET',
      url,
      config,
      schema: {
        hide,
        operationId: 'CdpController_version',
        summary: 'Discover the CDP address',
        description:
          'What Chromium itself answers at `/json/version`, for clients that are given an `http(s)://` address.',
        params: cdpParams,
        querystring: cdpQuery,
        response: answers(
          { 200: { description: 'The browser and its address.', schema: versionSchema } },
          cdpCodes,
        ),
        ...cdpAccess,
      },
      handler: async (request) => {
        const { id } = request.params;
        const version = await attachments.version(request.principal.projectId, id);
        return {
          Browser: version.product,
          'Protocol-Version': version.protocolVersion,
          'User-Agent': version.userAgent,
          'V8-Version': version.jsVersion,
          'WebKit-Version': version.revision,
          webSocketDebuggerUrl: await addressOf(request, id),
        };
      },
    });

  for (const { url, hide } of slashed('/list', ''))
    app.route({
      method: 'GET',
      url,
      config: { ...config, examples: { response: [example] } },
      schema: {
        hide,
        operationId: 'CdpController_list',
        summary: 'Discover pages',
        description: `What Chromium answers at \`/json/list\` and \`/json\`: its pages, frames with a process of their own and workers,
each with the address of a socket that speaks to it alone. It is no action.`,
        params: cdpParams,
        querystring: cdpQuery,
        response: answers({ 200: { description: 'The targets.', schema: z.array(targetSchema) } }, cdpCodes),
        ...cdpAccess,
      },
      handler: async (request) => {
        const { id } = request.params;
        return viewsOf(request, id, await attachments.targets.list(request.principal.projectId, id));
      },
    });

  for (const { url, hide } of slashed('/protocol'))
    app.route({
      method: 'GET',
      url,
      config,
      schema: {
        hide,
        operationId: 'CdpController_protocol',
        summary: 'Describe the protocol',
        description: `The protocol in the form of Chromium's \`/json/protocol\`, without the commands that are refused here whatever their
parameters. A command that is new in the protocol may be
missing in the Chromium that runs.`,
        params: cdpParams,
        querystring: cdpQuery,
        response: answers(
          { 200: { description: 'Domains, commands, events and types.', schema: protocolSchema } },
          cdpCodes,
        ),
        ...cdpAccess,
      },
      handler: async ({ principal, params: { id } }) => {
        await attachments.version(principal.projectId, id);
        return clientProtocol();
      },
    });

  app.route({
    method: 'PUT',
    url: '/v1/browsers/:id/cdp/json/new',
    config: { ...config, examples: { response: example } },
    schema: {
      operationId: 'CdpController_open',
      summary: 'Open a page, as CDP clients do',
      description: `What Chromium does at \`PUT /json/new?ADDRESS\`; it does not wait for the page. An address with parameters of its own
is safe as \`?url=\`, encoded. \`POST …/tabs\` opens a tab and waits for it.`,
      params: cdpParams,
      querystring: openQuery,
      response: answers({ 200: { description: 'The page.', schema: targetSchema } }, [
        ...cdpCodes,
        'TOO_MANY_TABS',
      ]),
      ...cdpAccess,
    },
    handler: async (request) => {
      const { id } = request.params;
      const asked = request.query.url ?? wholeQuery(request.raw.url ?? '');
      const opened = await attachments.targets.open(request.principal.projectId, id, asked);
      return (await viewsOf(request, id, [opened]))[0];
    },
  });

  for (const [action, operation, summary, done] of [
    [
      'activate',
      'CdpController_activate',
      'Bring a page to the front, as CDP clients do',
      'Target activated',
    ],
    ['close', 'CdpController_close', 'Close a page, as CDP clients do', 'Target is closing'],
  ] as const)
    app.route({
      method: 'GET',
      url: `/v1/browsers/:id/cdp/json/${action}/:targetId`,
      config,
      schema: {
        operationId: operation,
        summary,
        description: `What Chromium does at \`/json/${action}/ID\`. An action of the owner, though it is asked for with GET.`,
        params: targetParams,
        querystring: cdpQuery,
        response: answers({ 200: { description: `\`${done}\``, type: 'text/plain' } }, [
          ...cdpCodes,
          'TAB_NOT_FOUND',
        ]),
        ...cdpAccess,
      },
      handler: async ({ principal, params: { id, targetId } }, reply) => {
        await attachments.targets[action](principal.projectId, id, targetId);
        return reply.type('text/plain; charset=utf-8').send(done);
      },
    });
}

function viewOf({ targetId, parentFrameId, title, type, url }: CdpTarget, browserAddress: string) {
  const address = new URL(browserAddress);
  address.pathname += `/devtools/page/${targetId}`;
  return {
    description: '',
    id: targetId,
    ...(parentFrameId !== undefined && { parentId: parentFrameId }),
    title,
    type,
    url,
    webSocketDebuggerUrl: address.href,
  };
}

/** Chromium takes all that follows the question mark as the address; what else is there is the caller's token. */
function wholeQuery(asked: string): string {
  const [, query = ''] = /\?(.*)$/s.exec(asked) ?? [];
  const address = query.replace(/(^|&)token=[^&]*/, '').replace(/^&/, '');
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

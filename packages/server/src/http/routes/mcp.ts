/**
 * Tools for language models (docs/mcp.md). They are a client like any other: they call the public API over loopback,
 * with the key of the caller.
 *
 *   POST /mcp ──> @browserd/mcp ──loopback, the caller's key──> /v1/…
 *
 * Without sessions there is nothing to GET or DELETE.
 */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { HttpCaller, McpHttp } from '@browserd/mcp';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Log } from '../../kit/log.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import { checkOrigin } from '../gate/gate.ts';
import { nothing, type PublicUrl } from '../out/out.ts';
import { type App, hangUp, shuttingDown } from '../wire/wire.ts';

export interface McpParts {
  config: Config;
  log: Log;
  auth: onRequestAsyncHookHandler;
  publicUrl: PublicUrl;
  stopping: AbortSignal;
}

/** One message; batches are no part of the protocol any more, and one request is counted as one. */
const message = z.looseObject({ jsonrpc: z.literal('2.0') }).meta({
  id: 'McpMessage',
  description:
    'A JSON-RPC 2.0 request, notification or response of the Model Context Protocol; the protocol says what is in it.',
});

const about = `Tools for language models, by the Model Context Protocol over streamable HTTP: point an MCP client at this address and
give it the API key as bearer token. The protocol fixes the address, the message and its answers; docs/mcp.md lists the tools.

- One message a request, no batches and no sessions: \`GET\` and \`DELETE\` are 405, and any node can answer.
- \`Accept\` names both \`application/json\` and \`text/event-stream\`. A request is answered with a stream of events: progress where
  the client asked for it, then the result. A notification is answered with 202 and no body.
- What a tool refuses is a result with \`isError\`. What the protocol refuses is a JSON-RPC error (\`{"jsonrpc", "id", "error": {"code", "message"}}\`,
  with 200, 400 or 406). What the service refuses before the protocol (key, rate limit, size, JSON) is an \`Error\`, as everywhere.
- Web pages of foreign origins are refused: 403.`;

/** The protocol's own schemas copy a message several times, in one piece; what a model writes is texts, not thousands of values. */
const mostValues = 5000;

/** What the protocol reads of a request. */
const passedOn = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-session-id',
  'mcp-method',
  'mcp-name',
];

export function mcpRoutes(app: App, { config, log, auth, publicUrl, stopping }: McpParts): void {
  let opened: Promise<McpHttp> | undefined;
  // Loaded with the first call: it takes a tenth of the time that the whole service needs to start.
  const open = async (): Promise<McpHttp> => {
    const { createMcpHttp } = await import('@browserd/mcp');
    return createMcpHttp({
      privateAccess: config.mcpPrivateAccess === 'on',
      stopping,
      onError: (error) => log.error({ err: error }, 'mcp.failed'),
    });
  };
  // the key first: it also carries the rate limit
  app.addHook('onRequest', auth);
  app.addHook('onRequest', async (request) => checkOrigin(request, config.publicUrl));
  app.route({
    method: 'POST',
    url: '/mcp',
    config: {
      mostValues,
      examples: { request: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    },
    schema: {
      operationId: 'McpController_answer',
      summary: 'Answer a message of an MCP client',
      description: about,
      tags: ['MCP'],
      body: message,
      response: answers(
        {
          200: { description: 'A stream with the answer.', type: 'text/event-stream' },
          202: { description: 'The notification is taken.' },
          406: { description: 'A JSON-RPC error: `Accept` does not name both types.', schema: message },
        },
        [...bodyCodes, 'FORBIDDEN', 'SERVICE_SHUTTING_DOWN'],
      ),
    },
    handler: async (request, reply) => {
      if (stopping.aborted) throw shuttingDown();
      const caller = {
        ...callerOf(request, publicUrl(request, 'http')),
        baseUrl: ownAddress(app),
        gone: hangUp(reply.raw),
      };
      opened ??= open();
      const mcp = await opened;
      const { status, headers, body } = await mcp.answer(
        { headers: headersOf(request), body: request.body },
        caller,
      );
      // an answer has no say in whether the connection is kept
      headers.delete('connection');
      reply.code(status).headers(Object.fromEntries(headers)).header('x-accel-buffering', 'no');
      return reply.send(body ? Readable.fromWeb(body as ReadableStream) : nothing());
    },
  });
}

/** The calls it leads to have its id in the log. */
function callerOf(
  { id, principal, headers }: FastifyRequest,
  publicUrl: string,
): Omit<HttpCaller, 'baseUrl' | 'gone'> {
  const apiKey = headers.authorization?.trim().split(/ +/)[1] ?? '';
  return { id: principal.keyId, apiKey, publicUrl, headers: { 'x-request-id': id } };
}

function headersOf({ headers }: FastifyRequest): Headers {
  const taken = passedOn.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return new Headers(taken);
}

/** Where this very process listens; any address of the machine means loopback. */
function ownAddress({ server }: App): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service does not listen yet.');
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address.address] ?? address.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

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
const message = z.looseObject({ jsonrpc: z.literal('2.0') });

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
    schema: { hide: true, body: message },
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

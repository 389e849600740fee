import { Browserd } from '@browserd/sdk';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createMcpServer } from './server.ts';
import { UnderWay } from './under-way.ts';

/**
 * Streamable HTTP without sessions: each request has a server of its own, made for its caller's key, so any node behind
 * a load balancer can answer. What is known of a caller goes along with its request.
 */
export interface HttpCaller {
  /** Tells callers apart. */
  id: string;
  /** Whose key is used; never one of the environment. */
  apiKey: string;
  /** The service, as it is reached from here. */
  baseUrl: string;
  /** The service, as the caller reaches it. */
  publicUrl: string;
  /** Sent along with every call to the service. */
  headers: Record<string, string>;
  /** Fires when the caller hangs up. */
  gone: AbortSignal;
}

export interface McpHttp {
  answer(request: { headers: Headers; body: unknown }, caller: HttpCaller): Promise<Response>;
}

export interface McpHttpOptions {
  privateAccess: boolean;
  stopping: AbortSignal;
  onError(error: unknown): void;
}

interface Message {
  method?: unknown;
  id?: unknown;
  params?: { requestId?: unknown };
}

const sessionHeader = 'mcp-session-id';
/** Nothing that could be subscribed to ever changes; a stream that stays silent would only hold a connection. */
const maxSubscriptions = 0;

export function createMcpHttp({ privateAccess, stopping, onError }: McpHttpOptions): McpHttp {
  const underWay = new UnderWay();
  return {
    async answer({ headers, body }, caller) {
      const { method, id, params } = (body ?? {}) as Message;
      const session = headers.get(sessionHeader) ?? undefined;
      if (method === 'notifications/cancelled')
        underWay.cancel({ caller: caller.id, session, id: params?.requestId });
      const { signal, done } = underWay.begin({ caller: caller.id, session, id }, caller.gone);
      const { apiKey, baseUrl, publicUrl } = caller;
      const client = new Browserd({ apiKey, baseUrl, headers: caller.headers, maxRetries: 1 });
      const handler = createMcpHandler(
        () => createMcpServer(client, { publicUrl, privateAccess, stopping, onError }),
        { onerror: onRefusal, maxSubscriptions },
      );
      const request = new Request(`${publicUrl}/mcp`, { method: 'POST', headers, signal });
      const response = await handler.fetch(request, { parsedBody: body }).catch((error: unknown) => {
        done();
        throw error;
      });
      // A name for the conversation, kept by the client alone; it tells apart whose request a cancellation means.
      if (method === 'initialize') response.headers.set(sessionHeader, crypto.randomUUID());
      return endingWith(response, done);
    },
  };
}

/** Requests that break the protocol are answered; there is nothing for an operator to do. */
const onRefusal = (): void => {};

function endingWith(response: Response, done: () => void): Response {
  if (!response.body) {
    done();
    return response;
  }
  const body = response.body.pipeThrough(new TransformStream({ flush: done }));
  return new Response(body, response);
}

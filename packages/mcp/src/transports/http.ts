/**
 * Streamable HTTP without sessions: each request has a server of its own, created for its caller's key, so any node
 * behind a load balancer can answer. Everything that is known of a caller comes with its request.
 */
import { Browserd } from '@browserd/sdk';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createMcpServer } from '../server/server.ts';
import { RequestsInFlight } from './in-flight.ts';

export interface HttpCaller {
  /** Identifies the caller. */
  id: string;
  /** The caller's own key; never a key of the environment. */
  apiKey: string;
  /** The address of the service, as seen from this process. */
  baseUrl: string;
  /** The address of the service, as seen by the caller. */
  publicUrl: string;
  /** Sent with every call to the service. */
  headers: Record<string, string>;
  /** Fires when the caller disconnects. */
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

export function createMcpHttp({ privateAccess, stopping, onError }: McpHttpOptions): McpHttp {
  const inFlight = new RequestsInFlight();
  return {
    async answer({ headers, body }, caller) {
      const { method, id, params } = (body ?? {}) as Message;
      const session = headers.get(sessionHeader) ?? undefined;
      if (method === 'notifications/cancelled')
        inFlight.cancel({ caller: caller.id, session, id: params?.requestId });
      const { signal, done } = inFlight.begin({ caller: caller.id, session, id }, caller.gone);
      const { apiKey, baseUrl, publicUrl } = caller;
      const client = new Browserd({ apiKey, baseUrl, headers: caller.headers, maxRetries: 1 });
      const handler = createMcpHandler(
        () => createMcpServer(client, { publicUrl, privateAccess, stopping, onError }),
        { onerror: onRefusal },
      );
      const request = new Request(`${publicUrl}/mcp`, { method: 'POST', headers, signal });
      const response = await handler.fetch(request, { parsedBody: body }).catch((error: unknown) => {
        done();
        throw error;
      });
      // A session id that the client alone keeps; a cancellation carries it, so that it finds its own client's request.
      if (method === 'initialize') response.headers.set(sessionHeader, crypto.randomUUID());
      return endingWith(response, done);
    },
  };
}

/** Requests that break the protocol get an error; the operator has nothing to do. */
const onRefusal = (): void => {};

function endingWith(response: Response, done: () => void): Response {
  if (!response.body) {
    done();
    return response;
  }
  const body = response.body.pipeThrough(new TransformStream({ flush: done }));
  return new Response(body, response);
}

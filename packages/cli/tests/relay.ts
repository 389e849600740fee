import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Stands between the program and the service, and keeps the answer to the first create to itself. */
export interface Relay extends AsyncDisposable {
  url: string;
  /** The service has made the browser, and the program does not know. */
  created: Promise<void>;
}

export async function startRelay(service: string): Promise<Relay> {
  const { promise: created, resolve: tell } = Promise.withResolvers<void>();
  let creates = 0;
  const passOn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '', headers } = request;
    const body = method === 'GET' ? undefined : await buffer(request);
    const passed = ['authorization', 'content-type', 'idempotency-key'].flatMap((name) =>
      typeof headers[name] === 'string' ? [[name, headers[name]] as [string, string]] : [],
    );
    const answer = await fetch(service + url, {
      method,
      headers: passed,
      body: body?.length ? body : undefined,
    });
    const text = await answer.text();
    if (method === 'POST' && url === '/v1/browsers' && creates++ === 0) return tell();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  };
  const server = createServer((request, response) => void passOn(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    created,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

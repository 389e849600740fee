import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import type { Api } from './client.ts';

/** Of a service that may call a receiver on this machine, and calls it again at once. */
export const settings = {
  BROWSERD_WEBHOOK_PRIVATE_ACCESS: 'localhost',
  BROWSERD_WEBHOOK_RETRIES: '10ms,10ms',
};

export const hook = async (api: Api, body: object): Promise<{ id: string; secret: string }> => {
  const answer = await api.call('POST', '/v1/webhooks', { body });
  expect(answer.status).toBe(201);
  return answer.body;
};

/** A receiver of webhooks: keeps what came, and checks its signature as a real one would. */
export interface Received {
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  body: any;
  headers: IncomingMessage['headers'];
  verify(secret: string): unknown;
}

export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
  /** How to answer; 204 at once unless said otherwise. Never answers while it returns nothing. */
  answer: (received: Received, response: ServerResponse) => number | undefined;
  /** Resolves with the first that fits, also one that came before. */
  until(fits: (received: Received) => boolean): Promise<Received>;
}

export async function startReceiver(): Promise<Receiver> {
  const waiting = new Set<() => void>();
  const take = (request: IncomingMessage, response: ServerResponse, bytes: string): void => {
    const headers = request.headers as Record<string, string>;
    const received: Received = {
      id: headers['webhook-id'] ?? '',
      body: JSON.parse(bytes),
      headers,
      verify: (secret) => new Webhook(secret).verify(bytes, headers),
    };
    receiver.received.push(received);
    const status = receiver.answer(received, response);
    if (status) response.writeHead(status).end('thank you');
    for (const look of waiting) look();
  };
  const server = createServer((request, response) => {
    text(request).then(
      (bytes) => take(request, response, bytes),
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: () => 204,
    until: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = receiver.received.find(fits);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Browserd, type Settings } from '@browserd/sdk';
import { onTestFinished } from 'vitest';

/** A real server that says whatever a test wants said, also what the service never would: a proxy on the way. */
export interface Asked {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface BadLine {
  url: string;
  asked: Asked[];
  /** Answers that a client has not read to the end, and has not given up. */
  open(): number;
  client(settings?: Settings): Browserd;
}

/** The answers, one for each request; the last one for all that come later. */
export async function badLine(
  ...answers: ((response: ServerResponse, asked: Asked) => void)[]
): Promise<BadLine> {
  const asked: Asked[] = [];
  const open = new Set<ServerResponse>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: await text(request).catch(() => '') };
    asked.push(one);
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    answer?.(response, one);
  };
  const server = createServer((request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    void take(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = (settings: Settings = {}): Browserd =>
    new Browserd({ baseUrl: url, apiKey: 'bd_test', ...settings });
  return { url, asked, open: () => open.size, client };
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  return (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
};

export const refusal = (status: number, code: string, nextStep: string, headers = {}) =>
  json(
    status,
    { error: { code, message: `${code}.`, details: {}, category: 'internal', nextStep } },
    headers,
  );

export const hangUp = (response: ServerResponse): void => void response.destroy();

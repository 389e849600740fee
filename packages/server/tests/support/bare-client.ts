import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

/** Sends a request as it is written: fetch would tidy up a path with dots, and refuse some headers. */
export interface BareClient {
  send(method: string, path: string, options?: BareOptions): Promise<Got>;
  close(): void;
}

export interface BareOptions {
  key?: string;
  body?: string;
  headers?: Record<string, string>;
}

export interface Got {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
}

const patienceMs = 120_000;

const headersOf = ({ key, body, headers }: BareOptions): Record<string, string> => ({
  'idempotency-key': randomUUID(),
  ...(key !== undefined && { authorization: `Bearer ${key}` }),
  ...(body !== undefined && {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }),
  ...headers,
});

export function createBareClient(url: string): BareClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const { hostname, port } = new URL(url);
  return {
    send: (method, path, options = {}) =>
      new Promise((resolve, reject) => {
        const target = { hostname, port, path, method, agent, headers: headersOf(options) };
        const outgoing = request(target, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          );
          response.on('error', reject);
        });
        outgoing.setTimeout(patienceMs, () => outgoing.destroy(new Error(`${method} ${path}: no answer`)));
        outgoing.on('error', reject);
        outgoing.end(options.body);
      }),
    close: () => agent.destroy(),
  };
}

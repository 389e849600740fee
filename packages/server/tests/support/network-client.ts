import { expect, vi } from 'vitest';
import type { Answer } from './client.ts';
import { type ScriptClient, scriptClient } from './script-client.ts';
import type { TestServer } from './server.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Entry = any;

/** The log of one browser, as specs look at it. */
export interface NetworkClient extends ScriptClient {
  id: string;
  list(query?: string): Promise<Answer>;
  /** The newest request to this path, once it fits. */
  request(path: string, fits?: (entry: Entry) => boolean): Promise<Entry>;
  detail(requestId: string, query?: string): Promise<Answer>;
  /** Goes there, and waits until the page has this title. */
  visit(url: string, title: string): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: a HAR
  har(body?: object): Promise<any>;
}

export async function networkClient(server: TestServer, input: object = {}): Promise<NetworkClient> {
  const policy = { privateAccess: { localhost: true } };
  const created = await server.api.create({ policy, ...input });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { id } = created.body;
  const script = scriptClient(server, id);
  const list = (query = '') => server.api.call('GET', `/v1/browsers/${id}/network${query}`);
  return {
    ...script,
    id,
    list,
    request: (path, fits = () => true) =>
      vi.waitFor(
        async () => {
          const { items } = (await list('?limit=100')).body;
          const entry = items.find((each: Entry) => new URL(each.url).pathname === path && fits(each));
          expect(
            entry,
            `${path} in ${items.map((each: Entry) => `${each.url} ${each.state}`).join('\n')}`,
          ).toBeDefined();
          return entry;
        },
        { timeout: 90_000, interval: 100 },
      ),
    detail: (requestId, query = '') =>
      server.api.call('GET', `/v1/browsers/${id}/network/${requestId}${query}`),
    visit: (url, title) =>
      script.resultOf(
        `await page.goto(args.url); await page.waitForFunction((title) => document.title === title, args.title, { timeout: 100000 }); return 1`,
        { args: { url, title }, timeoutMs: 110_000 },
      ),
    har: async (body = {}) => JSON.parse(await harText(server, id, body)),
  };
}

/** The HAR itself, as text. */
export async function harText({ api }: TestServer, id: string, body: object): Promise<string> {
  const response = await fetch(`${api.url}/v1/browsers/${id}/har`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api.key}`,
      'content-type': 'application/json',
      accept: 'application/har+json',
    },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('application/har+json');
  return response.text();
}

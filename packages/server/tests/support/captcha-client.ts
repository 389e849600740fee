import { expect } from 'vitest';
import type { Answer } from './client.ts';
import type { TestServer } from './server.ts';

/** One browser whose pages have captchas. It reaches nothing but this machine. */
export interface Visitor {
  id: string;
  open(url: string): Promise<void>;
  run(code: string, args?: unknown): Promise<unknown>;
  captcha(query?: string): Promise<Answer>;
  resolve(body?: object): Promise<Answer>;
  /** The data of the browser's captcha events so far, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  events(type: string): Promise<any[]>;
}

const policy = { allowedDomains: ['127.0.0.1', 'localhost'], privateAccess: { localhost: true } };

export async function createVisitor({ api }: TestServer, input: object = {}): Promise<Visitor> {
  const made = await api.create({ policy, ...input });
  expect(made.status).toBe(201);
  const { id } = made.body;
  const path = `/v1/browsers/${id}`;
  const run: Visitor['run'] = async (code, args) => {
    const { body } = await api.call('POST', `${path}/script/execute`, { body: { code, args } });
    expect(body.error).toBeUndefined();
    return body.result;
  };
  return {
    id,
    run,
    open: async (url) => {
      await run("await page.goto(args, { waitUntil: 'domcontentloaded' })", url);
    },
    captcha: (query = '') => api.call('GET', `${path}/captcha${query}`),
    resolve: (body) => api.call('POST', `${path}/captcha/resolve`, body && { body }),
    events: async (type) => {
      const { body } = await api.call('GET', `${path}/events?type=${type}&limit=100`);
      // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
      return body.items.map(({ data }: any) => data).reverse();
    },
  };
}

import { randomUUID } from 'node:crypto';
import { expectContract } from './contract.ts';

/** A plain HTTP client; every JSON answer it sees is checked against openapi.json. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  body: any;
  headers: Headers;
}

export interface Api {
  url: string;
  key: string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  create(input?: object, headers?: Record<string, string>): Promise<Answer>;
  get(id: string): Promise<Answer>;
  status(id: string): Promise<Answer>;
  patch(id: string, patch: object): Promise<Answer>;
  stop(id: string): Promise<Answer>;
  resume(id: string): Promise<Answer>;
  remove(id: string): Promise<Answer>;
  as(key: string): Api;
}

export interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
}

/** What waits for a page ends after a time that is generous to pages, but not to a busy machine. */
const waitsForPages = /^\/v1\/(?:screenshot|pdf)$|\/(?:script\/execute|scrape)$/;

/** The body with all the time there is, unless the test is about time and says how much. */
export const patient = (path: string, body: unknown): unknown =>
  waitsForPages.test(path) && body?.constructor === Object ? { timeoutMs: 120_000, ...body } : body;

export function createApi(url: string, key: string): Api {
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body: options.body === undefined ? undefined : JSON.stringify(patient(path, options.body)),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json');
    const answer = {
      status: response.status,
      body: json ? JSON.parse(text) : text,
      headers: response.headers,
    };
    if (json) expectContract(method, path, answer);
    return answer;
  };
  const once = () => ({ 'idempotency-key': randomUUID() });
  return {
    url,
    key,
    call,
    create: (input = {}, headers = {}) =>
      call('POST', '/v1/browsers', { body: input, headers: { ...once(), ...headers } }),
    get: (id) => call('GET', `/v1/browsers/${id}`),
    status: (id) => call('GET', `/v1/browsers/${id}/status`),
    patch: (id, patch) => call('PATCH', `/v1/browsers/${id}`, { body: patch }),
    stop: (id) => call('POST', `/v1/browsers/${id}/stop`),
    resume: (id) => call('POST', `/v1/browsers/${id}/resume`),
    remove: (id) => call('DELETE', `/v1/browsers/${id}`, { headers: once() }),
    as: (other) => createApi(url, other),
  };
}

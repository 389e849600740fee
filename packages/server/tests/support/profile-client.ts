import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, Api } from './client.ts';
import { eventually } from './server.ts';
import type { SignInSite } from './sign-in-site.ts';

/** What specs do with profiles and with browsers that have one. Pages act by themselves and say in their title what they found. */
export interface ProfileClient {
  create(body?: object, headers?: Record<string, string>): Promise<Answer>;
  get(id: string): Promise<Answer>;
  remove(id: string): Promise<Answer>;
  versions(id: string): Promise<Answer>;
  /** A browser with the profile, which must come up. */
  browser(profile: object, more?: object): Promise<string>;
  /** Signs in with the form of the site. */
  signIn(browser: string, user: string, page?: 'login' | 'light'): Promise<void>;
  /** Who the site says it is, and the tokens that its page found. */
  account(browser: string): Promise<unknown>;
  /** Which visit of the page it is. */
  count(browser: string): Promise<number>;
}

export const openPolicy = { policy: { privateAccess: { localhost: true } } };

export function profileClient(api: Api, site: SignInSite): ProfileClient {
  const once = () => ({ 'idempotency-key': randomUUID() });
  /** The title that the page gives itself in the end. */
  const visit = async (browser: string, path: string, fits: RegExp): Promise<string> => {
    const body = { url: site.origin + path, waitFor: 'load', maxChars: 1 };
    const { status } = await api.call('POST', `/v1/browsers/${browser}/scrape`, { body });
    expect(status).toBe(200);
    const found = await eventually(
      () => api.status(browser),
      (answer) => fits.test(answer.body.activeTab?.title ?? ''),
    );
    return found.body.activeTab.title;
  };
  return {
    create: (body = {}, headers = {}) =>
      api.call('POST', '/v1/profiles', { body, headers: { ...once(), ...headers } }),
    get: (id) => api.call('GET', `/v1/profiles/${id}`),
    remove: (id) => api.call('DELETE', `/v1/profiles/${id}`, { headers: once() }),
    versions: (id) => api.call('GET', `/v1/profiles/${id}/versions`),
    async browser(profile, more = {}) {
      const { status, body } = await api.create({ ...openPolicy, profile, ...more });
      expect({ status, error: body.error }).toEqual({ status: 201, error: undefined });
      return body.id;
    },
    async signIn(browser, user, page = 'login') {
      await visit(browser, `/${page}?user=${user}`, /^signed in$/);
    },
    async account(browser) {
      const title = await visit(browser, '/account', /^(\[.*\]|sign in)$/);
      return title === 'sign in' ? 'signed out' : JSON.parse(title);
    },
    count: async (browser) => Number((await visit(browser, '/count', /^count \d+$/)).slice('count '.length)),
  };
}

/** Looked at until it has this version. */
export const untilVersion = (client: ProfileClient, id: string, version: number) =>
  eventually(
    () => client.get(id),
    ({ body }) => body.version >= version,
  );

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, Api } from './client.ts';
import { eventually } from './server.ts';
import type { SignInSite } from './sign-in-site.ts';

/** What specs do with profiles and with browsers that have one. */
export interface ProfileClient {
  create(body?: object, headers?: Record<string, string>): Promise<Answer>;
  get(id: string): Promise<Answer>;
  remove(id: string): Promise<Answer>;
  versions(id: string): Promise<Answer>;
  /** A browser with the profile, which must come up. */
  browser(profile: object, more?: object): Promise<string>;
  /** Signs in with the form of the site, as a person would. */
  signIn(browser: string, user: string, page?: 'login' | 'light'): Promise<void>;
  /** Who the site says it is, and the tokens that its page found. */
  account(browser: string): Promise<unknown>;
  run(browser: string, code: string): Promise<unknown>;
}

export const openPolicy = { policy: { privateAccess: { localhost: true } } };

export function profileClient(api: Api, site: SignInSite): ProfileClient {
  const once = () => ({ 'idempotency-key': randomUUID() });
  const run: ProfileClient['run'] = async (browser, code) => {
    const { body } = await api.call('POST', `/v1/browsers/${browser}/script/execute`, { body: { code } });
    expect(body.error).toBeUndefined();
    return body.result;
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
      await run(
        browser,
        `await page.goto('${site.origin}/${page}');
         await page.fill('[name=user]', ${JSON.stringify(user)});
         await page.fill('[name=password]', 'secret');
         await page.click('button');
         await page.waitForFunction(() => document.title === 'signed in');`,
      );
    },
    account: (browser) =>
      run(
        browser,
        `await page.goto('${site.origin}/account');
         if (page.url().endsWith('/login')) return 'signed out';
         await page.waitForFunction(() => document.title === 'account ready');
         return [await page.textContent('#user'), ...JSON.parse(await page.textContent('#tokens'))];`,
      ),
    run,
  };
}

/** Looked at until it has this version. */
export const untilVersion = (client: ProfileClient, id: string, version: number) =>
  eventually(
    () => client.get(id),
    ({ body }) => body.version >= version,
  );

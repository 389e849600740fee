import { expect } from 'vitest';
import type { Api } from './client.ts';
import { type ScriptClient, scriptClient } from './script-client.ts';
import { formsOf } from './secret-forms.ts';
import { type SecretSite, startSecretSite } from './secret-site.ts';
import { type Settings, startServer, type TestServer } from './server.ts';

/** Every kind of letter that some way out writes in its own way. */
export const password = 'p@ss "wörd"/42+x&<y>';
/** A password without letters that forms treat differently, to be seen in pictures. */
export const seed = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

export interface SecretWorld extends AsyncDisposable {
  server: TestServer;
  api: Api;
  site: SecretSite;
  browserId: string;
  scripts: ScriptClient;
  /** Opens a page of the site and types the password into `#password`, or the selector. */
  signIn(path?: string, selector?: string, name?: string): Promise<void>;
  createSecret(fields: object): Promise<string>;
}

export const open = { policy: { privateAccess: { localhost: true } } };

export async function secretWorld(settings: Settings = {}): Promise<SecretWorld> {
  const site = await startSecretSite();
  const server = await startServer(settings);
  const { api } = server;
  const createSecret = async (fields: object): Promise<string> => {
    const body = { origins: [site.origin], ...fields };
    const answer = await api.call('POST', '/v1/secrets', { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id;
  };
  await createSecret({ name: 'shop/password', value: password });
  const { body } = await api.create(open);
  const scripts = scriptClient(server, body.id);
  return {
    server,
    api,
    site,
    browserId: body.id,
    scripts,
    createSecret,
    async signIn(path = '/login', selector = '#password', name = 'shop/password') {
      await scripts.resultOf(
        `await page.goto(args.url); await secrets.fill(page.locator(args.selector), args.name)`,
        { args: { url: site.origin + path, selector, name } },
      );
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

/** The value is nowhere in an answer, in none of the forms that are promised. */
export function expectNoSecret(answer: unknown, value = password): void {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  for (const form of formsOf(value)) expect(text, `holds ${form}`).not.toContain(form);
}

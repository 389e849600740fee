import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeAt } from '../../src/secrets/totp.ts';
import { cdpPath, connectWithKey, keyHeader } from '../support/cdp-client.ts';
import { filesWith } from '../support/files-with.ts';
import { makeKey } from '../support/keys.ts';
import { scriptClient } from '../support/script-client.ts';
import {
  expectNoSecret,
  open,
  password,
  type SecretWorld,
  secretWorld,
  seed,
} from '../support/secret-client.ts';
import { startServer } from '../support/server.ts';

let world: SecretWorld;
beforeAll(async () => {
  world = await secretWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const secretsOf = async (path = '') => world.api.call('GET', `/v1/secrets${path}`);

describe('a secret', () => {
  test('is put in, shown without its value, changed and deleted', async () => {
    const { api, site, createSecret } = world;
    const value = `first ${randomUUID()}`;
    const id = await createSecret({ name: 'mail/password', value, metadata: { team: 'red' } });
    const { body } = await secretsOf(`/${id}`);
    expect(body).toMatchObject({ id, name: 'mail/password', kind: 'value', origins: [site.origin] });
    const patch = {
      value: `second ${value}`,
      origins: ['https://mail.example:443/', 'https://mail.example'],
    };
    const changed = await api.call('PATCH', `/v1/secrets/${id}`, { body: patch });
    expect(changed.body).toMatchObject({ origins: ['https://mail.example'], metadata: { team: 'red' } });
    const list = await secretsOf();
    expect(list.body.items.map(({ name }: { name: string }) => name)).toContain('mail/password');
    for (const answer of [body, changed.body, list.body]) expectNoSecret(answer, value);
    expect((await api.call('DELETE', `/v1/secrets/${id}`)).body).toEqual({ id, deleted: true });
    expect((await secretsOf(`/${id}`)).body.error.code).toBe('SECRET_NOT_FOUND');
    expect(await filesWith(world.server.dataDir, value)).toEqual([]);
  });

  test('has a name once, an origin always, and a value that can be masked', async () => {
    const { api } = world;
    const create = (body: object) => api.call('POST', '/v1/secrets', { body });
    const origins = ['https://a.example'];
    const taken = await create({ name: 'shop/password', value: 'another', origins });
    expect(taken.body.error.code).toBe('SECRET_EXISTS');
    const wrong = [
      { name: 'a', value: 'long enough' },
      { name: 'a', value: 'long enough', origins: [] },
      { name: 'a', value: 'long enough', origins: ['https://a.example/login'] },
      { name: 'a', value: 'abc', origins },
      { name: 'a', origins },
      { name: 'a', value: 'long enough', totp: { secret: seed }, origins },
      { name: 'a', totp: { secret: 'not base 32!' }, origins },
      { name: 'a b', value: 'long enough', origins },
    ];
    for (const body of wrong) {
      const { status, body: answer } = await create(body);
      expect([status, answer.error.code], JSON.stringify(body)).toEqual([400, 'VALIDATION_FAILED']);
      expect(JSON.stringify(answer)).not.toContain('long enough');
    }
  });

  test('is managed by admins, used by members, and unknown to other projects', async () => {
    const { server, api, site, browserId } = world;
    const member = api.as(await makeKey(server.dataDir, { project: 'default', role: 'member' }));
    const stranger = api.as(await makeKey(server.dataDir, { project: 'elsewhere' }));
    const body = { name: 'b', value: 'long enough', origins: ['https://b.example'] };
    expect((await member.call('POST', '/v1/secrets', { body })).status).toBe(403);
    const { id } = (await secretsOf()).body.items.at(-1);
    expect((await member.call('DELETE', `/v1/secrets/${id}`)).status).toBe(403);
    expect((await member.call('PATCH', `/v1/secrets/${id}`, { body: { metadata: {} } })).status).toBe(403);
    expect((await member.call('GET', `/v1/secrets/${id}`)).body.name).toBe('shop/password');
    expect((await stranger.call('GET', `/v1/secrets/${id}`)).status).toBe(404);
    expect((await stranger.call('GET', '/v1/secrets')).body.items).toEqual([]);
    const scripts = scriptClient({ ...server, api: member }, browserId);
    await scripts.resultOf(
      `await page.goto(args); await secrets.fill(page.locator('#password'), 'shop/password')`,
      {
        args: `${site.origin}/login`,
      },
    );
  });
});

describe('typing a secret', () => {
  test('reaches the page as typing does, and the site gets the value', async () => {
    const { scripts, signIn, site } = world;
    await signIn();
    expect(await scripts.resultOf('return page.evaluate(() => heard)')).toEqual([
      'input:true',
      'change:false',
    ]);
    await scripts.resultOf(`await page.click('#go'); await page.waitForURL('**/session')`);
    const { body } = site.posted.at(-1)!;
    expect(new URLSearchParams(body).get('password')).toBe(password);
  });

  test('works in frames, shadow trees, text areas and editable elements, and replaces what was there', async () => {
    const { scripts, signIn, site } = world;
    const isThere = (selector: string) =>
      `return page.locator('${selector}').evaluate((it, text) => (it.value ?? it.textContent).length === text, ${password.length})`;
    for (const selector of ['#text', '#note', '#deep', '#shown']) {
      await signIn('/login', selector);
      await scripts.resultOf(`await secrets.fill(page.locator('${selector}'), 'shop/password')`);
      expect(await scripts.resultOf(isThere(selector)), selector).toBe(true);
    }
    const inFrame = `await page.goto(args); const field = page.frameLocator('#f').locator('#password');
      await secrets.fill(field, 'shop/password'); return (await field.inputValue()).length`;
    for (const url of [`${site.origin}/framed-own`, `${site.other}/framed-by-other`])
      expect(await scripts.resultOf(inFrame, { args: url }), url).toBe(password.length);
  });

  test('types the code of the moment', async () => {
    const { scripts, createSecret, site } = world;
    await createSecret({ name: 'shop/code', totp: { secret: seed } });
    const began = Date.now();
    await scripts.resultOf(
      `await page.goto(args); await secrets.fill(page.locator('#code'), secrets.code('shop/code'));
       await page.click('#go'); await page.waitForURL('**/session')`,
      { args: `${site.origin}/login` },
    );
    const typed = new URLSearchParams(site.posted.at(-1)!.body).get('code')!;
    const totp = { secret: seed, digits: 6, period: 30 };
    const codes: string[] = [];
    for (let at = began; at < Date.now() + 30_000; at += 30_000) codes.push(codeAt(totp, at));
    expect(codes).toContain(typed);
    expect(await scripts.resultOf('return { text: args, number: Number(args) }', { args: typed })).toEqual({
      text: '•••',
      number: typed.startsWith('0') ? Number(typed) : '•••',
    });
    const { code, message } = await scripts.errorOf(
      `await secrets.fill(page.locator('p'), secrets.code('shop/password'))`,
      { timeoutMs: 5000 },
    );
    expect([code, message]).not.toContain(password);
  });

  test('is a step over REST, with errors of its own', async () => {
    const { api, scripts, site, browserId } = world;
    const fill = (body: object) => api.call('POST', `/v1/browsers/${browserId}/secrets/fill`, { body });
    await scripts.resultOf('await page.goto(args)', { args: `${site.origin}/login` });
    const filled = await fill({ secret: 'shop/password', selector: '#password' });
    expect(filled).toMatchObject({
      status: 200,
      body: { filled: true, secret: 'shop/password', origin: site.origin },
    });
    const wanting: [object, number, string][] = [
      [{ secret: 'no/such', selector: '#password' }, 404, 'SECRET_NOT_FOUND'],
      [{ secret: 'shop/password', selector: '#nowhere', timeoutMs: 3000 }, 422, 'SELECTOR_NOT_FOUND'],
      [{ secret: 'shop/password', selector: '#go' }, 422, 'SECRET_FIELD_UNUSABLE'],
      [{ secret: 'shop/password', selector: '#flat', timeoutMs: 3000 }, 422, 'ELEMENT_NOT_ACTIONABLE'],
    ];
    for (const [body, status, code] of wanting) {
      const answer = await fill(body);
      expect([answer.status, answer.body.error?.code], JSON.stringify(body)).toEqual([status, code]);
    }
  });

  test('is told in an event, with who and where and never the value', async () => {
    const { api, browserId, signIn, site } = world;
    await signIn();
    const { body } = await api.call('GET', `/v1/browsers/${browserId}/events?type=secret.used`);
    expect(body.items[0]).toMatchObject({
      type: 'secret.used',
      data: {
        name: 'shop/password',
        origin: site.origin,
        secretId: expect.stringMatching(/^secret_/),
        keyId: expect.stringMatching(/^key_/),
      },
    });
    expectNoSecret(body);
    const { items } = (await secretsOf()).body;
    expect(items.find(({ name }: { name: string }) => name === 'shop/password').lastUsedAt).toBeDefined();
  });
});

describe('a browser in which a secret was typed', () => {
  test('lets no CDP client in, also after it was stopped, unless it was created for them', async () => {
    const { api, server, site } = world;
    const { body: closed } = await api.create(open);
    const { body: opened } = await api.create({ ...open, secrets: { allowCdp: true } });
    expect(opened.secrets).toEqual({ allowCdp: true });
    const sign = `await page.goto(args); await secrets.fill(page.locator('#password'), 'shop/password')`;
    const upgrade = async (id: string) => {
      const response = await fetch(api.url + cdpPath(id), keyHeader(api));
      return ((await response.json()) as { error: { code: string } }).error.code;
    };
    const before = await connectWithKey(api, closed.id);
    const attached = await scriptClient(server, closed.id).errorOf(sign, { args: `${site.origin}/login` });
    expect(attached.code).toBe('SECRET_CLIENT_ATTACHED');
    before.socket.close();
    await before.closed;
    for (const { id } of [closed, opened])
      await scriptClient(server, id).resultOf(sign, { args: `${site.origin}/login` });
    await expect(connectWithKey(api, closed.id)).rejects.toThrow();
    expect(await upgrade(closed.id)).toBe('UPGRADE_REQUIRED');
    const looked = await api.call('GET', `${cdpPath(closed.id)}/json/list`);
    expect(looked.body.error.code).toBe('CDP_CLOSED');
    const after = await connectWithKey(api, opened.id);
    after.socket.close();
    await api.stop(closed.id);
    await api.resume(closed.id);
    await expect(connectWithKey(api, closed.id)).rejects.toThrow();
    await api.remove(closed.id);
    await api.remove(opened.id);
  });

  test('is masked after a restart of the service, too', async () => {
    const value = 'a value from before the restart';
    const first = await secretWorld();
    await first.createSecret({ name: 'old', value });
    await first.signIn('/login', '#shown', 'old');
    const { env } = first.server;
    await first.server.service.close();
    await using second = await startServer(env);
    const { body } = await second.api.create(open);
    const echo = await scriptClient(second, body.id).resultOf('return args', { args: value });
    expect(echo).toBe('•••');
    await first.site[Symbol.asyncDispose]();
  });
});

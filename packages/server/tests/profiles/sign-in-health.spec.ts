import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPolicy, type ProfileClient, profileClient } from '../support/profile-client.ts';
import { startReceiver } from '../support/receiver.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type SignInSite, startSignInSite } from '../support/sign-in-site.ts';

let server: TestServer;
let site: SignInSite;
let client: ProfileClient;
beforeAll(async () => {
  site = await startSignInSite();
  server = await startServer({ BROWSERD_WEBHOOK_PRIVATE_ACCESS: 'localhost' });
  client = profileClient(server.api, site);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

test('a check says whether the profile is signed in; signed out it tells a webhook, and a person can sign it in again', async () => {
  const { api } = server;
  await using receiver = await startReceiver();
  await api.call('POST', '/v1/webhooks', { body: { url: receiver.url, events: ['profile.*'] } });
  const { body: profile } = await client.create({ name: 'shop' });
  const path = `/v1/profiles/${profile.id}`;
  const check = (body: object = {}) =>
    api.call('POST', `${path}/check`, { body: { ...openPolicy, ...body } });
  expect((await check()).body.error.code).toBe('PROFILE_HAS_NO_CHECK');
  const rule = { url: `${site.origin}/account`, selector: '#user' };
  expect((await api.call('PATCH', path, { body: { check: rule } })).body.check).toEqual(rule);
  expect((await check()).body.state).toBe('signed_out');

  const asked = await api.call('POST', `${path}/sign-in`, { body: openPolicy });
  expect(asked.status).toBe(201);
  const { browserId } = asked.body;
  expect((await client.get(profile.id)).body.writer).toBe(browserId);
  expect((await api.get(browserId)).body.handoff).toMatchObject({ state: 'requested' });
  await client.signIn(browserId, 'ann', 'light');
  await handBack(asked.body.url);
  await eventually(
    () => api.get(browserId),
    ({ body }) => body.status === 'closed',
  );
  const seen = await check();
  expect(seen.body).toMatchObject({ state: 'signed_in', finalUrl: rule.url, statusCode: 200 });
  expect((await client.get(profile.id)).body).toMatchObject({ version: 1, health: { state: 'signed_in' } });

  site.signOutAll();
  const out = (await check({ handoff: true })).body;
  expect(out).toMatchObject({ state: 'signed_out', finalUrl: `${site.origin}/login` });
  expect(out.signIn.url).toContain(out.signIn.browserId);
  const { body: told } = await receiver.until(({ body }) => body.type === 'profile.signed_out');
  expect(told.data).toMatchObject({
    type: 'profile.signed_out',
    data: { profileId: profile.id, name: 'shop', url: rule.url },
  });
  await api.remove(out.signIn.browserId);

  const gone = { check: { url: 'http://127.0.0.1:9/account' } };
  await api.call('PATCH', path, { body: gone });
  expect((await check()).body).toMatchObject({ state: 'unknown', reason: expect.any(String) });
});

/** What the live page does when a person hands the browser back. */
async function handBack(url: string): Promise<void> {
  const { origin, pathname, hash } = new URL(url);
  const id = pathname.split('/').at(-1);
  const address = `${origin.replace('http', 'ws')}/v1/browsers/${id}/live?token=${hash.slice(1)}`;
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const said = (fits: (message: { type: string; handoff?: { state: string } }) => boolean) =>
    new Promise<void>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        if (typeof data === 'string' && fits(JSON.parse(data))) resolve();
      });
    });
  const held = said(({ type, handoff }) => type === 'state' && handoff?.state === 'person');
  socket.send(JSON.stringify({ type: 'control', action: 'take' }));
  await held;
  const closed = new Promise((resolve) => {
    socket.onclose = resolve;
  });
  socket.send(JSON.stringify({ type: 'control', action: 'return' }));
  await closed;
}

test('an import is checked, an export is for admins and leaves an event, and a state of a living or a stopped browser begins a profile', async () => {
  const { api } = server;
  const wrong = await client.create({ storageState: { origins: [{ origin: 'ftp://x', localStorage: [] }] } });
  expect(wrong.body.error.details.issues[0].path).toBe('storageState.origins[0].origin');
  const both = await client.create({ browserId: 'browser_1', storageState: {} });
  expect(both.status).toBe(400);
  expect((await client.create({ browserId: `browser_${'0'.repeat(26)}` })).body.error.code).toBe(
    'BROWSER_NOT_FOUND',
  );

  const { body: browser } = await api.create(openPolicy);
  await client.signIn(browser.id, 'ann');
  const { body: living } = await client.create({ browserId: browser.id });
  expect(living).toMatchObject({ version: 1, cookieCount: 1, origins: 1 });
  await api.stop(browser.id);
  const headers = { 'idempotency-key': 'from a stopped one' };
  const { body: stopped } = await client.create({ browserId: browser.id }, headers);
  expect((await client.create({ browserId: browser.id }, headers)).body.id).toBe(stopped.id);
  const readers = await Promise.all([living, stopped].map(({ id }) => client.browser({ id })));
  expect(await client.account(readers[0] as string)).toEqual(['ann', 'local ann', null]);
  expect(await client.account(readers[1] as string)).toEqual(['ann', 'local ann', 'indexed ann']);

  const { body: state } = await api.call('GET', `/v1/profiles/${stopped.id}/export`);
  expect(state.origins).toEqual([
    { origin: site.origin, localStorage: [{ name: 'token', value: 'local ann' }] },
  ]);
  const { body: imported } = await client.create({ storageState: state });
  const reader = await client.browser({ id: imported.id });
  expect(await client.account(reader)).toEqual(['ann', 'local ann', null]);
  const { body: member } = await api.call('POST', '/v1/keys', { body: { name: 'm', role: 'member' } });
  const refused = await api.as(member.key).call('GET', `/v1/profiles/${stopped.id}/export`);
  expect(refused.body.error.code).toBe('FORBIDDEN');
  const { body: told } = await api.call('GET', '/v1/events?type=profile.exported');
  expect(told.items).toMatchObject([
    { browserId: stopped.id, data: { version: 1, keyId: expect.any(String) } },
  ]);
  for (const id of [...readers, reader, browser.id]) await api.remove(id);
});

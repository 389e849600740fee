import { expect, test } from 'vitest';
import { liveCapability, watch } from '../support/live-client.ts';
import { startServer } from '../support/server.ts';

test('guests that only watch leave a place to the person, whose address is in no event', async () => {
  await using server = await startServer();
  const { api } = server;
  const { body: browser } = await api.create();
  const { socketUrl: watching } = await liveCapability(api, browser.id, 'view');
  for (let guest = 0; guest < 12; guest++) await watch(watching, { slow: true });
  await expect(watch(watching)).rejects.toThrow();

  const asked = await api.call('POST', `/v1/browsers/${browser.id}/handoff`, {
    body: { message: 'Sign in.' },
  });
  const token = asked.body.url.split('#')[1];
  expect(token).toMatch(/^bdc_/);
  const { socketUrl } = await liveCapability(api, browser.id, 'control');
  const person = await watch(socketUrl);
  person.say({ type: 'control', action: 'take' });
  const state = async () => (await api.call('GET', `/v1/browsers/${browser.id}/handoff`)).body.state;
  await expect.poll(state).toBe('person');

  const events = async () =>
    (await api.call('GET', `/v1/browsers/${browser.id}/events?type=browser.handoff`)).body;
  await expect.poll(async () => (await events()).items.length).toBe(2);
  const told = JSON.stringify(await events());
  expect(told).toContain(asked.body.expiresAt);
  expect(told).not.toContain('bdc_');
});

import { expect, test } from 'vitest';
import { makeKey } from '../support/keys.ts';
import { liveCapability, watch } from '../support/live-client.ts';
import { startServer } from '../support/server.ts';

test('the list tells which browsers wait for a person, also after a stop, and no other project sees them', async () => {
  await using server = await startServer();
  const { api } = server;
  const { body: asking } = await api.create({ name: 'asking' });
  const { body: quiet } = await api.create({ name: 'quiet' });
  const waiting = async (query = 'handoff=requested', as = api) =>
    (await as.call('GET', `/v1/browsers?${query}`)).body.items;
  expect(asking.handoff).toBeUndefined();
  expect(await waiting()).toEqual([]);

  await api.call('POST', `/v1/browsers/${asking.id}/handoff`, { body: { message: 'Sign in.' } });
  const handoff = { state: 'requested', message: 'Sign in.', since: expect.any(String) };
  expect(await waiting()).toMatchObject([{ id: asking.id, handoff }]);
  expect((await api.get(asking.id)).body.handoff).toEqual(handoff);
  expect((await api.get(quiet.id)).body.handoff).toBeUndefined();
  const stranger = api.as(await makeKey(server.dataDir, { project: 'stranger' }));
  expect(await waiting('handoff=requested', stranger)).toEqual([]);
  expect(await waiting('handoff=person')).toEqual([]);
  expect(await waiting('handoff=requested&status=stopped')).toEqual([]);
  expect(await waiting('handoff=requested&search=quiet')).toEqual([]);

  // it cannot be taken over while it is stopped, and is asked for as before when it is back
  await api.stop(asking.id);
  expect(await waiting()).toEqual([]);
  await api.call('POST', `/v1/browsers/${asking.id}/resume`);
  expect(await waiting()).toMatchObject([{ id: asking.id, handoff: { state: 'requested' } }]);

  const { socketUrl } = await liveCapability(api, asking.id, 'control');
  const person = await watch(socketUrl);
  person.say({ type: 'control', action: 'take' });
  await expect.poll(() => waiting('handoff=person')).toMatchObject([{ id: asking.id }]);
  expect(await waiting()).toEqual([]);
  person.say({ type: 'control', action: 'return' });
  await expect.poll(() => waiting('handoff=person,requested')).toEqual([]);
});

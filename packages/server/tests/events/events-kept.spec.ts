import { expect, test } from 'vitest';
import { followEvents } from '../support/event-client.ts';
import { hook, settings, startReceiver } from '../support/receiver.ts';
import { eventually, makeFolders, spawnServer } from '../support/server.ts';

test('over a killed service, and one that is told to end, a client and a webhook miss nothing, and the client sees nothing twice', {
  timeout: 120_000,
}, async () => {
  await using folders = await makeFolders(settings);
  await using receiver = await startReceiver();
  const first = await spawnServer(folders.env);
  await hook(first.api, { url: receiver.url, events: ['browser.*', 'tab.*'] });
  // the service is killed in the middle of its deliveries
  receiver.answer = () => undefined;
  const { body: browser } = await first.api.create();
  await using before = await followEvents(first.api, '/v1/events?lastEventId=0&type=browser.*');
  await before.until(({ event }) => event === 'browser.ready');
  await receiver.until(({ body }) => body.type.startsWith('browser.'));
  first.child.kill('SIGKILL');
  await first.exited;
  await before.ended.catch(() => undefined);

  receiver.answer = () => 200;
  const held = receiver.received.length;
  const second = await spawnServer(folders.env);
  const eventsOf = async (query: string) =>
    (await second.api.call('GET', `/v1/browsers/${browser.id}/events?${query}`)).body.items;
  const headers = { 'last-event-id': before.events().at(-1)?.id ?? '' };
  await using after = await followEvents(second.api, '/v1/events?type=browser.*', headers);
  await after.until(({ event }) => event === 'browser.recovered');
  const seen = [...before.events(), ...after.events()].map(({ data }) => data);
  expect(seen).toEqual(await eventsOf('type=browser.*&order=asc'));

  await second.api.remove(browser.id);
  await receiver.until(({ body }) => body.type === 'browser.closed');
  const all = (await eventsOf('type=browser.*,tab.*&limit=100')).map(({ id }: { id: string }) => id);
  await eventually(
    async () => new Set(receiver.received.slice(held).map(({ id }) => id)),
    (taken) => all.every((id: string) => taken.has(id)),
  );

  await using last = await startReceiver();
  await hook(second.api, { url: last.url, events: ['browser.stopped'] });
  await second.api.create();
  second.child.kill('SIGTERM');
  expect(await second.exited).toEqual({ code: 0, signal: null });
  // what happens while the service stops is told before it ends
  expect(last.received).toMatchObject([{ body: { type: 'browser.stopped' } }]);
  await after.ended;
  expect(after.frames.at(-1)).toMatchObject({
    event: 'end',
    data: { error: { code: 'SERVICE_SHUTTING_DOWN' } },
  });
});

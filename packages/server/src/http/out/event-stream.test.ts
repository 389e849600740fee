import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { followEvents } from '../../../tests/support/event-client.ts';
import type { EventPage } from '../../events/history.ts';
import type { NewEvent } from '../../store/records.ts';
import { startTestService, type TestService } from '../test-service.ts';

async function fresh(env: Record<string, string> = {}): Promise<TestService & { browserId: string }> {
  const service = await startTestService(env);
  onTestFinished(() => service[Symbol.asyncDispose]());
  const { id } = (await (await service.create('one')).json()) as { id: string };
  return Object.assign(service, { browserId: id });
}

const anEvent = (
  service: { projectId: string; browserId: string },
  n: number,
  more: Partial<NewEvent> = {},
) => ({
  projectId: service.projectId,
  browserId: service.browserId,
  type: 'tab.navigated',
  at: 1_700_000_000_000 + n,
  data: { n },
  ...more,
});

const numbers = (frames: { data?: { data: { n: number } } }[]): (number | undefined)[] =>
  frames.map(({ data }) => data?.data.n);

test('a stream tells what happens from now on, in order, with the seq as id', async () => {
  const service = await fresh();
  await service.store.events.append([anEvent(service, 0)]);
  await using stream = await followEvents(service, '/v1/events');
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  await service.store.events.append([anEvent(service, 1), anEvent(service, 2, { type: 'tab.closed' })]);
  const last = await stream.until(({ data }) => data?.data?.n === 2);
  expect(numbers(stream.events())).toEqual([1, 2]);
  expect(last).toMatchObject({ event: 'tab.closed', id: String(last.data.seq) });
  expect(last.data).toEqual({
    id: expect.stringMatching(/^event_/),
    type: 'tab.closed',
    browserId: service.browserId,
    at: '2023-11-14T22:13:20.002Z',
    seq: expect.any(Number),
    data: { n: 2 },
  });
});

test('whoever comes back with the last id gets the rest without a gap and without a repetition, while more is written', async () => {
  const service = await fresh();
  const total = 3000;
  const writing = (async () => {
    for (let n = 0; n < total; n += 20)
      await service.store.events.append(Array.from({ length: 20 }, (_, i) => anEvent(service, n + i)));
  })();
  const seen: (number | undefined)[] = [];
  let lastId = '0';
  while (seen.length < total) {
    await using stream = await followEvents(service, '/v1/events', { 'last-event-id': lastId });
    await stream.until(({ data }) => data?.data?.n >= Math.min(total - 1, seen.length + 400));
    seen.push(...numbers(stream.events()));
    lastId = stream.events().at(-1)?.id ?? lastId;
  }
  await writing;
  expect(seen).toEqual(Array.from({ length: total }, (_, n) => n));
});

test('filters hold: by browser and by type, groups included; another project hears nothing', async () => {
  const service = await fresh();
  const { id: other } = (await (await service.create('two')).json()) as { id: string };
  const elsewhere = await service.access.ensureProject('elsewhere');
  const { key } = await service.access.createKey(elsewhere.id, { name: 'other', role: 'member' });
  await using mine = await followEvents(service, `/v1/browsers/${other}/events?type=tab.*,script.failed`);
  await using theirs = await followEvents({ url: service.url, key }, '/v1/events?lastEventId=0');
  await service.store.events.append([
    anEvent(service, 1),
    anEvent(service, 2, { browserId: other, type: 'browser.ready' }),
    anEvent(service, 3, { browserId: other, type: 'script.failed' }),
    anEvent(service, 4, { browserId: other }),
    anEvent(service, 5, { projectId: elsewhere.id }),
  ]);
  await mine.until(({ data }) => data?.data?.n === 4);
  await theirs.until(({ data }) => data?.data?.n === 5);
  expect(numbers(mine.events())).toEqual([3, 4]);
  expect(numbers(theirs.events())).toEqual([5]);
});

test('a last event id is a seq or an id, in the header or the query; nonsense is refused', async () => {
  const service = await fresh();
  await service.store.events.append([1, 2, 3].map((n) => anEvent(service, n)));
  const [, second] = await service.store.events.list({ projectId: service.projectId, limit: 3 });
  for (const [query, headers] of [
    [`?lastEventId=${second?.seq}`, {}],
    [`?lastEventId=${second?.id}`, {}],
    ['?lastEventId=0', { 'last-event-id': String(second?.id) }],
  ] as const) {
    await using stream = await followEvents(service, `/v1/events${query}`, headers);
    await stream.until(({ data }) => data?.data?.n === 3);
    expect(numbers(stream.events())).toEqual([3]);
  }
  for (const headers of [{ 'last-event-id': 'event_unknown' }, { 'last-event-id': '-1' }]) {
    await using stream = await followEvents(service, '/v1/events', headers);
    expect(stream.status).toBe(400);
  }
});

test('a line without events stays alive, and ends soon after its key was revoked', async () => {
  const service = await fresh({ BROWSERD_EVENT_HEARTBEAT: '50ms' });
  const { key, id } = await service.access.createKey(service.projectId, { name: 'short', role: 'member' });
  await using stream = await followEvents({ url: service.url, key }, '/v1/events');
  await stream.until(({ comment }) => comment === 'still here');
  await service.access.revokeKey(service.projectId, id);
  await stream.ended;
  expect(stream.frames.at(-1)).toMatchObject({ event: 'end', data: { error: { code: 'UNAUTHENTICATED' } } });
});

test('the stream of a browser ends when its record is gone', async () => {
  const service = await fresh({ BROWSERD_EVENT_HEARTBEAT: '50ms' });
  await using stream = await followEvents(service, `/v1/browsers/${service.browserId}/events`);
  service.browsers.records.delete(service.browserId);
  await stream.ended;
  expect(stream.frames.at(-1)).toMatchObject({
    event: 'end',
    data: { error: { code: 'BROWSER_NOT_FOUND' } },
  });
});

test('open streams do not hold up a stop, not even one whose client reads nothing', async () => {
  const service = await fresh();
  await using stream = await followEvents(service, '/v1/events');
  await openStuck(service);
  await Promise.all([service.http.drain(600_000), stream.ended]);
  expect(stream.frames.at(-1)).toMatchObject({
    event: 'end',
    data: { error: { code: 'SERVICE_SHUTTING_DOWN' } },
  });
});

test('a client that reads nothing is cut off, and others do not notice', async () => {
  const service = await fresh({ BROWSERD_EVENT_HEARTBEAT: '500ms' });
  await openStuck(service);
  await using stream = await followEvents(service, '/v1/events?lastEventId=0');
  await expect
    .poll(() => service.log.some((line) => line.includes('"hungUp":true')), { timeout: 90_000 })
    .toBe(true);
  await service.store.events.append([anEvent(service, 9_999_999)]);
  await stream.until(({ data }) => data?.data?.n === 9_999_999);
});

/** Asks for megabytes of events and takes none of them. */
async function openStuck(service: TestService & { browserId: string }) {
  const data = { text: 'x'.repeat(20_000) };
  await service.store.events.append(Array.from({ length: 1000 }, (_, n) => anEvent(service, n, { data })));
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(
    `GET /v1/events?lastEventId=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  await once(socket, 'readable');
}

test('HEAD answers with the headers of the stream and ends', async () => {
  const service = await fresh();
  const answer = await service.call('/v1/events', {
    method: 'HEAD',
    headers: { accept: 'text/event-stream' },
  });
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  expect(await answer.text()).toBe('');
});

test('the list is newest first or oldest first, page by page, and keeps its place while more is written', async () => {
  const service = await fresh();
  await service.store.events.append(Array.from({ length: 7 }, (_, n) => anEvent(service, n)));
  const read = async (order: string): Promise<number[]> => {
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({ order, limit: '3', ...(cursor && { cursor }) });
      const page = (await (await service.call(`/v1/events?${query}`)).json()) as EventPage;
      seen.push(...page.items.map(({ data }) => data.n as number));
      cursor = page.nextCursor;
      if (order === 'desc') await service.store.events.append([anEvent(service, 100)]);
    } while (cursor);
    return seen;
  };
  expect(await read('asc')).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(await read('desc')).toEqual([6, 5, 4, 3, 2, 1, 0]);
  const first = (await (await service.call('/v1/events?limit=2&order=asc')).json()) as EventPage;
  for (const cursor of [first.nextCursor, 'nonsense'])
    expect((await service.call(`/v1/events?order=desc&cursor=${cursor}`)).status).toBe(400);
  expect((await service.call('/v1/events?type=browser.exploded')).status).toBe(400);
});

import { expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { startTestService, type TestService } from '../test-service.ts';

const remove = (service: TestService, id: string, headers: Record<string, string>): Promise<Response> =>
  service.call(`/v1/browsers/${id}`, { method: 'DELETE', headers });

const unknownId = 'browser_01ja9q4m8h2f7t3k5w6x8y0z1a';
const codeOf = async (answer: Response) => ((await answer.json()) as { error: { code: string } }).error.code;

test('a create or delete without the header is refused, a stop or resume is not', async () => {
  await using service = await startTestService();
  const { id } = (await (await service.create('k')).json()) as { id: string };
  expect(await codeOf(await service.call('/v1/browsers', { method: 'POST' }))).toBe(
    'IDEMPOTENCY_KEY_REQUIRED',
  );
  expect(await codeOf(await remove(service, id, {}))).toBe('IDEMPOTENCY_KEY_REQUIRED');
  for (const verb of ['stop', 'resume'])
    expect((await service.call(`/v1/browsers/${id}/${verb}`, { method: 'POST' })).status).toBe(200);
});

test('the missing header is reported before a broken body', async () => {
  await using service = await startTestService();
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{broken' };
  expect(await codeOf(await service.call('/v1/browsers', init))).toBe('IDEMPOTENCY_KEY_REQUIRED');
});

test.each(['', 'x'.repeat(256), 'schlüssel', 'a\tb'])('the header %j is refused', async (key) => {
  await using service = await startTestService();
  expect(await codeOf(await service.create(key))).toBe('VALIDATION_FAILED');
});

test('the same create gets the same answer, marked as given before', async () => {
  await using service = await startTestService();
  const first = await service.create('k', { name: 'a', metadata: { x: '1', y: '2' } });
  const second = await service.create('k', { metadata: { y: '2', x: '1' }, name: 'a' });
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
  expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(second.headers.get('location')).toBe(first.headers.get('location'));
  expect(await second.text()).toBe(await first.text());
  expect(service.browsers.records.size).toBe(1);
});

test('twenty creates at once with one key make one browser and twenty equal answers', async () => {
  await using service = await startTestService();
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.create('k')));
  const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())));
  expect(service.browsers.calls).toHaveLength(1);
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([201]);
  expect(bodies.size).toBe(1);
});

test('the same key for another request is refused', async () => {
  await using service = await startTestService();
  await service.create('k', { name: 'a' });
  const other = await service.create('k', { name: 'b' });
  expect([other.status, await codeOf(other)]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  expect(await codeOf(await remove(service, unknownId, { 'idempotency-key': 'k' }))).toBe(
    'IDEMPOTENCY_KEY_REUSED',
  );
});

test('a refusal is kept, with the request id of its first telling', async () => {
  await using service = await startTestService();
  const headers = { 'idempotency-key': 'k' };
  const first = await remove(service, unknownId, { ...headers, 'x-request-id': 'one' });
  const second = await remove(service, unknownId, { ...headers, 'x-request-id': 'two' });
  expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([
    404,
    404,
    'true',
  ]);
  const text = await second.text();
  expect(text).toBe(await first.text());
  expect(JSON.parse(text).error.details.requestId).toBe('one');
});

test('an answer for want of room is not kept and keeps its Retry-After', async () => {
  await using service = await startTestService();
  service.browsers.gate = async () => {
    throw new ApiError('CAPACITY_EXHAUSTED', 'full', { headers: { 'retry-after': '7' } });
  };
  const full = await service.create('k');
  expect([full.status, full.headers.get('retry-after')]).toEqual([429, '7']);
  service.browsers.gate = async () => undefined;
  const retried = await service.create('k');
  expect([retried.status, retried.headers.get('idempotent-replayed')]).toEqual([201, null]);
});

test('a body that was refused does not use the key up', async () => {
  await using service = await startTestService();
  expect(await codeOf(await service.create('k', { colour: 1 }))).toBe('VALIDATION_FAILED');
  expect((await service.create('k', {})).status).toBe(201);
});

test('a client that hangs up does not end the work, and finds its outcome when it asks again', async () => {
  await using service = await startTestService();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  service.browsers.gate = () => gate;
  const hangUp = new AbortController();
  const headers = { 'idempotency-key': 'k' };
  const first = service.call('/v1/browsers', { method: 'POST', headers, signal: hangUp.signal });
  await expect.poll(() => service.browsers.calls.length).toBe(1);
  hangUp.abort();
  await expect(first).rejects.toThrow();
  open();
  const again = await service.create('k');
  expect(again.status).toBe(201);
  expect(service.browsers.calls).toHaveLength(1);
});

test('a project whose kept answers take all their room is told so before anything is done, and can still delete', async () => {
  await using service = await startTestService({ BROWSERD_IDEMPOTENCY_SIZE: '1' });
  const first = await service.create('first');
  const { id } = (await first.json()) as { id: string };
  const second = await service.create('second');
  expect([second.status, second.headers.get('retry-after'), await codeOf(second)]).toEqual([
    429,
    '600',
    'RATE_LIMITED',
  ]);
  expect(service.browsers.records.size).toBe(1);
  expect((await service.create('first')).headers.get('idempotent-replayed')).toBe('true');
  expect((await remove(service, id, { 'idempotency-key': 'third' })).status).toBe(200);
});

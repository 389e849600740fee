import { expect, test } from 'vitest';
import { startTestService } from '../test-service.ts';

test('a drain lets the running call finish, refuses new ones, and says so in health', async () => {
  await using service = await startTestService();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  service.browsers.gate = () => gate;
  const running = service.create('running');
  await expect.poll(() => service.browsers.calls.length).toBe(1);
  const drained = service.http.drain(60_000);

  const refused = await service.create('new');
  expect(refused.status).toBe(503);
  expect(refused.headers.get('connection')).toBe('close');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ error: { code: 'SERVICE_SHUTTING_DOWN' } });
  expect((await service.call('/health')).status).toBe(200);
  const ready = await service.call('/health/ready');
  expect([ready.status, await ready.json()]).toMatchObject([503, { status: 'draining' }]);
  expect((await service.call('/v1/browsers')).status).toBe(200);

  open();
  expect((await running).status).toBe(201);
  await drained;
  await expect(service.call('/health')).rejects.toThrow();
});

test('a drain does not wait longer than its grace time, nor for connections that only stand open', async () => {
  await using service = await startTestService();
  service.browsers.gate = () => new Promise(() => undefined);
  await service.call('/health');
  const idle = service.raw('');
  const stuck = service.create('stuck').catch((error: Error) => error.message);
  await expect.poll(() => service.browsers.calls.length).toBe(1);
  await service.http.drain(20);
  expect(await stuck).toBe('fetch failed');
  expect(await idle).toBe('');
});

test('a call whose client has gone is still waited for', async () => {
  await using service = await startTestService();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  service.browsers.gate = () => gate;
  const hangUp = new AbortController();
  const headers = { 'idempotency-key': 'k' };
  const call = service.call('/v1/browsers', { method: 'POST', headers, signal: hangUp.signal });
  await expect.poll(() => service.browsers.calls.length).toBe(1);
  hangUp.abort();
  await expect(call).rejects.toThrow();
  const drained = service.http.drain(60_000);
  open();
  await drained;
  expect(service.browsers.records.size).toBe(1);
});

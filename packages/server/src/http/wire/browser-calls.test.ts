import { expect, test } from 'vitest';
import { startTestService, type TestService } from '../test-service.ts';

/** A browser of the service, and a call on it that goes on until it is let. */
async function withCall(service: TestService) {
  const { id } = (await (await service.create('made')).json()) as { id: string };
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const stop = service.browsers.stop.bind(service.browsers);
  service.browsers.stop = async (...call) => {
    begun.resolve();
    await gate;
    return stop(...call);
  };
  const call = (init?: RequestInit) => service.call(`/v1/browsers/${id}/stop`, { method: 'POST', ...init });
  return { id, call, begun: begun.promise, letGo };
}

const isPending = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => false), new Promise<boolean>((resolve) => setImmediate(resolve, true))]);

test('a browser is held once the calls on it are over, and calls that come meanwhile wait', async () => {
  await using service = await startTestService();
  const { id, call, begun, letGo } = await withCall(service);
  const first = call();
  await begun;
  const held = service.http.holdCalls(id, 60_000);
  const second = service.call(`/v1/browsers/${id}`);
  expect((await service.call('/v1/browsers')).status).toBe(200);
  expect(await isPending(held)).toBe(true);
  letGo();
  const release = await held;
  expect((await first).status).toBe(200);
  expect(await isPending(second)).toBe(true);
  release();
  expect((await second).status).toBe(200);
});

test('a call whose caller has gone is still waited for', async () => {
  await using service = await startTestService();
  const { id, call, begun, letGo } = await withCall(service);
  const hangUp = new AbortController();
  const gone = call({ signal: hangUp.signal });
  await begun;
  hangUp.abort();
  await expect(gone).rejects.toThrow();
  const held = service.http.holdCalls(id, 60_000);
  // the service hears of the hang-up before it answers another call
  await service.call('/health');
  expect(await isPending(held)).toBe(true);
  letGo();
  (await held)();
});

test('a call that goes on for longer than the grace time is not waited for', async () => {
  await using service = await startTestService();
  const { id, call, begun, letGo } = await withCall(service);
  const long = call();
  await begun;
  const release = await service.http.holdCalls(id, 1);
  letGo();
  release();
  expect((await long).status).toBe(200);
});

test('events that are read hold nothing up', async () => {
  await using service = await startTestService();
  const { id } = await withCall(service);
  const reading = new AbortController();
  const stream = await service.call(`/v1/browsers/${id}/events`, {
    headers: { accept: 'text/event-stream' },
    signal: reading.signal,
  });
  expect(stream.status).toBe(200);
  const release = await service.http.holdCalls(id, 60_000);
  release();
  reading.abort();
});

test('a drain that was announced shows in health, while calls are taken as before', async () => {
  await using service = await startTestService();
  service.http.announceDrain();
  const ready = await service.call('/health/ready');
  expect([ready.status, await ready.json()]).toMatchObject([503, { status: 'draining' }]);
  expect((await service.create('made')).status).toBe(201);
});

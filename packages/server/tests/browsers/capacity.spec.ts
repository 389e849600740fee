import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { startScrapeSite } from '../support/scrape-site.ts';
import { eventually, startServer, type TestServer, untilStatus } from '../support/server.ts';

describe('at capacity', () => {
  test('a create is refused with Retry-After, and works again when a browser is closed or stopped', async () => {
    await using server = await startServer({ BROWSERD_MAX_BROWSERS: '1' });
    const { api } = server;
    const { body: first } = await api.create();
    const refused = await api.create({}, { 'idempotency-key': 'try-again' });
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: 'CAPACITY_EXHAUSTED', nextStep: 'wait', details: { limit: 1, inUse: 1 } } },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await api.stop(first.id);
    const second = await api.create({}, { 'idempotency-key': 'try-again' });
    expect(second.status).toBe(201);
    expect(await api.resume(first.id)).toMatchObject({ status: 429 });
    await api.remove(second.body.id);
    expect(await api.resume(first.id)).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  test('a create with Prefer: wait is queued, shows its position, and gets the next free slot', async () => {
    await using server = await startServer({ BROWSERD_MAX_BROWSERS: '1' });
    const { api } = server;
    const { body: first } = await api.create();
    const second = await api.create({ name: 'second' }, { prefer: 'respond-async, wait=60' });
    expect(second).toMatchObject({ status: 202, body: { status: 'creating', queue: { position: 1 } } });
    const waiting = api.create({ name: 'third' }, { prefer: 'wait=60' });
    const queued = await eventually(
      () => api.call('GET', '/v1/browsers?status=creating'),
      ({ body }) => body.items.length === 2,
    );
    expect(queued.body.items[0].queue).toMatchObject({ position: 2, expectedWaitMs: expect.any(Number) });
    await api.remove(first.id);
    const { body: ready } = await untilStatus(api, second.body.id, 'ready');
    expect(ready).not.toHaveProperty('queue');
    await api.remove(second.body.id);
    expect(await waiting).toMatchObject({ status: 201, body: { name: 'third', status: 'ready' } });
  });

  describe('with one browser there', () => {
    let server: TestServer;
    let api: Api;
    let first: string;
    beforeAll(async () => {
      server = await startServer({ BROWSERD_MAX_BROWSERS: '1', BROWSERD_QUEUE_LIMIT: '1' });
      api = server.api;
      first = (await api.create()).body.id;
    });
    afterAll(() => server[Symbol.asyncDispose]());

    test('a wait that ends without a slot is refused and leaves the queue, and no browser that failed', async () => {
      expect(await api.create({}, { prefer: 'wait=1' })).toMatchObject({ status: 429 });
      const later = await api.create({}, { prefer: 'respond-async, wait=1' });
      expect(later).toMatchObject({ status: 202, body: { status: 'creating' } });
      await untilStatus(api, later.body.id, 'closed');
      const { body: page } = await api.call('GET', '/v1/browsers');
      const reason = expect.stringContaining('in use');
      expect(page.items).toMatchObject([
        { id: later.body.id, status: 'closed', statusReason: reason },
        { status: 'closed', statusReason: reason },
        { id: first, status: 'ready' },
      ]);
    });

    test('the queue itself has a limit, and a waiting browser can be deleted', async () => {
      const waiting = await api.create({}, { prefer: 'respond-async, wait=60' });
      expect(waiting.status).toBe(202);
      expect((await api.create({}, { prefer: 'respond-async, wait=60' })).status).toBe(429);
      expect(await api.remove(waiting.body.id)).toMatchObject({
        status: 200,
        body: { receipt: { processesEnded: 0 } },
      });
    });

    test('a waiting browser can be changed, and that holds from its first page on', async () => {
      await using site = await startScrapeSite();
      const { body: waiting } = await api.create(
        { policy: { privateAccess: { localhost: true } }, startUrl: `${site.origin}/article` },
        { prefer: 'respond-async, wait=60' },
      );
      const change = { name: 'changed', dialogs: 'manual', policy: { blockedDomains: ['example.com'] } };
      expect((await api.patch(waiting.id, change)).body).toMatchObject({ status: 'creating', ...change });
      await api.remove(first);
      expect((await untilStatus(api, waiting.id, 'ready')).body).toMatchObject(change);
      expect(site.asked).toEqual([]);
      first = waiting.id;
    });
  });
});

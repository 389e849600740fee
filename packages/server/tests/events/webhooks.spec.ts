import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { makeKey } from '../support/keys.ts';
import { hook, settings, startReceiver } from '../support/receiver.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

const deliveries = async (api: Api, id: string, query = '') =>
  (await api.call('GET', `/v1/webhooks/${id}/deliveries${query}`)).body.items;

const untilState = (api: Api, id: string, state: string) =>
  eventually(
    () => deliveries(api, id),
    ([first]) => first?.state === state,
  );

const tooMany = { code: 'TOO_MANY_WEBHOOKS', category: 'limit', details: { limit: 100 } };

const sendTest = (api: Api, id: string) => api.call('POST', `/v1/webhooks/${id}/test`);

describe('a webhook', () => {
  let server: TestServer;
  let api: Api;
  beforeAll(async () => {
    server = await startServer(settings);
    api = server.api;
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test('is told of what it asked for, signed, and the log says so', async () => {
    await using receiver = await startReceiver();
    const { id, secret } = await hook(api, { url: receiver.url, events: ['browser.*'], description: 'mine' });
    const { body: browser } = await api.create({ name: 'told' });
    await api.remove(browser.id);
    const closed = await receiver.until(({ body }) => body.type === 'browser.closed');
    await receiver.until(({ body }) => body.type === 'browser.created');
    expect(closed.verify(secret)).toEqual(closed.body);
    expect(closed.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'browserd/0.1.0',
    });
    expect(closed.body).toEqual({
      type: 'browser.closed',
      timestamp: closed.body.data.at,
      data: {
        id: closed.id,
        type: 'browser.closed',
        browserId: browser.id,
        at: expect.any(String),
        seq: expect.any(Number),
        data: expect.any(Object),
      },
    });
    expect(receiver.received.filter(({ body }) => !body.type.startsWith('browser.'))).toEqual([]);
    const { body: page } = await api.call(
      'GET',
      `/v1/browsers/${browser.id}/events?type=browser.*&order=asc`,
    );
    const told = await eventually(
      async () =>
        (await deliveries(api, id, '?limit=100')).filter(
          (each: { state: string }) => each.state === 'delivered',
        ),
      (items) => items.length === page.items.length,
    );
    const ids = (items: { id: string }[]) => items.map((each) => each.id).toSorted();
    expect(told.map((each: { eventId: string }) => each.eventId).toSorted()).toEqual(ids(page.items));
    expect(told[0].attempts).toEqual([
      { at: expect.any(String), durationMs: expect.any(Number), statusCode: 204 },
    ]);
    const { body: shown } = await api.call('GET', `/v1/webhooks/${id}`);
    expect(shown).toMatchObject({ id, url: receiver.url, description: 'mine', status: 'enabled' });
    expect(JSON.stringify([shown, (await api.call('GET', '/v1/webhooks')).body])).not.toContain('whsec_');
    expect((await api.call('DELETE', `/v1/webhooks/${id}`)).body).toEqual({ id, deleted: true });
    expect((await api.call('GET', `/v1/webhooks/${id}`)).status).toBe(404);
  });

  test('is one of a hundred at most, also when they are asked for at once', async () => {
    const busy = api.as(await makeKey(server.dataDir, { project: 'busy' }));
    const body = { url: 'https://example.com/', events: ['browser.created'] };
    const ask = () => busy.call('POST', '/v1/webhooks', { body });
    const answers = await Promise.all(Array.from({ length: 102 }, ask));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toMatchObject([1, 2].map(() => ({ status: 409, body: { error: tooMany } })));
    const [{ body: made } = { body: undefined }] = answers.filter(({ status }) => status === 201);
    await busy.call('DELETE', `/v1/webhooks/${made.id}`);
    expect((await ask()).status).toBe(201);
  });

  test('that fails is tried again under the same id until it takes it', async () => {
    await using receiver = await startReceiver();
    const { id } = await hook(api, { url: receiver.url, events: ['browser.created'] });
    receiver.answer = () => (receiver.received.length < 3 ? 500 : 200);
    await sendTest(api, id);
    const [delivery] = await untilState(api, id, 'delivered');
    expect(new Set(receiver.received.map((each) => each.id)).size).toBe(1);
    expect(delivery).toMatchObject({ eventType: 'webhook.test', eventId: receiver.received[0]?.id });
    expect(delivery.attempts).toMatchObject([
      { statusCode: 500, error: 'answered with 500' },
      { statusCode: 500 },
      { statusCode: 200 },
    ]);
    await api.call('DELETE', `/v1/webhooks/${id}`);
  });

  test('that answers nobody holds up nobody else', async () => {
    await using deaf = await startReceiver();
    await using receiver = await startReceiver();
    deaf.answer = () => undefined;
    const { id: deafId } = await hook(api, { url: deaf.url });
    const { id } = await hook(api, { url: receiver.url });
    for (let n = 0; n < 10; n++) {
      await sendTest(api, deafId);
      await sendTest(api, id);
    }
    await eventually(
      () => deliveries(api, id, '?state=delivered'),
      (items) => items.length === 10,
    );
    expect(deaf.received.length).toBeLessThanOrEqual(4);
    await api.call('DELETE', `/v1/webhooks/${deafId}`);
    await api.call('DELETE', `/v1/webhooks/${id}`);
  });

  test('that never takes anything is turned off, can be turned on and be sent the lost ones again', async () => {
    await using receiver = await startReceiver();
    receiver.answer = () => 503;
    const { id } = await hook(api, { url: receiver.url });
    await sendTest(api, id);
    const [delivery] = await untilState(api, id, 'failed');
    expect(delivery.attempts).toHaveLength(3);
    const { body: off } = await eventually(
      () => api.call('GET', `/v1/webhooks/${id}`),
      ({ body }) => body.status === 'disabled',
    );
    expect(off).toMatchObject({ disabledReason: expect.stringContaining('no delivery has succeeded since') });
    receiver.answer = () => 200;
    expect((await api.call('PATCH', `/v1/webhooks/${id}`, { body: { status: 'enabled' } })).body.status).toBe(
      'enabled',
    );
    const again = await api.call('POST', `/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`);
    expect(again).toMatchObject({ status: 202, body: { id: delivery.id, state: 'pending' } });
    await untilState(api, id, 'delivered');
    expect(new Set(receiver.received.map((each) => each.id)).size).toBe(1);
    receiver.answer = () => 410;
    await sendTest(api, id);
    await eventually(
      () => api.call('GET', `/v1/webhooks/${id}`),
      ({ body }) => body.disabledReason === 'the receiver answered 410 Gone',
    );
    await api.call('DELETE', `/v1/webhooks/${id}`);
  });

  test('never leads to the service itself, although loopback is allowed', async () => {
    const { id } = await hook(api, { url: `${api.url}/v1/browsers` });
    await sendTest(api, id);
    const [delivery] = await untilState(api, id, 'failed');
    expect(delivery.attempts[0].error).toContain('own_listener');
    expect(delivery.attempts[0].statusCode).toBeUndefined();
    await api.call('DELETE', `/v1/webhooks/${id}`);
  });

  test('is the business of admins of its project alone', async () => {
    const { id } = await hook(api, { url: 'http://127.0.0.1:9/' });
    const { body: key } = await api.call('POST', '/v1/keys', { body: { name: 'm', role: 'member' } });
    const member = api.as(key.key);
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${id}`],
      ['DELETE', `/${id}`],
      ['GET', `/${id}/deliveries`],
    ] as const)
      expect((await member.call(method, `/v1/webhooks${path}`)).body.error.code).toBe('FORBIDDEN');
    expect((await api.call('GET', '/v1/webhooks/webhook_nonsense')).body.error.code).toBe(
      'WEBHOOK_NOT_FOUND',
    );
    const unknown = await api.call('POST', `/v1/webhooks/${id}/deliveries/delivery_nonsense/redeliver`);
    expect(unknown.body.error.code).toBe('DELIVERY_NOT_FOUND');
    await api.call('DELETE', `/v1/webhooks/${id}`);
  });

  test('is made once for one idempotency key, and wrong ones are refused with the reason', async () => {
    const headers = { 'idempotency-key': 'one webhook' };
    const body = { url: 'http://127.0.0.1:9/', secret: `whsec_${'A'.repeat(32)}` };
    const first = await api.call('POST', '/v1/webhooks', { body, headers });
    const second = await api.call('POST', '/v1/webhooks', { body, headers });
    expect(second.body).toEqual(first.body);
    expect(second.body.secret).toBe(body.secret);
    expect((await api.call('GET', '/v1/webhooks')).body.items).toHaveLength(1);
    for (const wrong of [
      { url: 'http://10.0.0.1/' },
      { url: 'http://169.254.169.254/latest' },
      { url: 'ftp://example.com' },
      { url: 'https://user:pass@example.com' },
      { url: 'https://example.com', events: ['browser.exploded'] },
      { url: 'https://example.com', secret: 'mine' },
      {},
    ]) {
      const answer = await api.call('POST', '/v1/webhooks', { body: wrong });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_FAILED' } } });
    }
    await api.call('DELETE', `/v1/webhooks/${first.body.id}`);
  });
});

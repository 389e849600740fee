import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { filesIn, processesOf } from '../support/leaks.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

describe('many callers at once', () => {
  test('twenty creates with one idempotency key make one browser and give one answer', async () => {
    const { api } = server;
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await times(20, () => api.create({ name: 'same' }, headers));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const { body: page } = await api.call('GET', '/v1/browsers?status=ready');
    expect(page.items.filter((item: { name?: string }) => item.name === 'same')).toHaveLength(1);
    const fresh = answers.filter(({ headers: got }) => got.get('idempotent-replayed') === null);
    expect(fresh).toHaveLength(1);
    await api.remove(answers[0]?.body.id);
  });

  test('ten stops of one browser stop it once and all say so', async () => {
    const { api } = server;
    const { body: browser } = await api.create();
    const answers = await times(10, () => api.stop(browser.id));
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(
      answers.map(() => [200, 'stopped']),
    );
    const resumes = await times(10, () => api.resume(browser.id));
    for (const answer of resumes)
      expect(answer).toMatchObject({ status: 200, body: { status: 'ready', epoch: 2 } });
    await api.remove(browser.id);
  });

  test('patches of different fields at once are all kept; ten deletes end it once and give the same receipt', async () => {
    const { api } = server;
    const { body: browser } = await api.create();
    const patches = [
      { name: 'patched' },
      { metadata: { a: '1' } },
      { idleTimeout: 600_000 },
      { policy: { allowedDomains: ['example.com'] } },
      { proxy: 'http://203.0.113.9:8080' },
    ];
    for (const answer of await Promise.all(patches.map((patch) => api.patch(browser.id, patch))))
      expect(answer.status).toBe(200);
    expect((await api.get(browser.id)).body).toMatchObject({
      name: 'patched',
      metadata: { a: '1' },
      idleTimeout: 600_000,
      policy: { allowedDomains: ['example.com'] },
      proxy: { server: 'http://203.0.113.9:8080' },
    });
    const deletes = await times(10, () => api.remove(browser.id));
    expect(new Set(deletes.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(deletes[0]).toMatchObject({ status: 200, body: { status: 'closed' } });
  });

  test('stop, resume, patch, status and delete in a heap end in one consistent state, each caller with an answer that was true', async () => {
    const { api } = server;
    for (let round = 0; round < 2; round++) {
      const { body: browser } = await api.create();
      const calls: (() => Promise<Answer>)[] = [
        () => api.stop(browser.id),
        () => api.resume(browser.id),
        () => api.status(browser.id),
        () => api.patch(browser.id, { name: `round ${round}` }),
        () => api.stop(browser.id),
        () => api.get(browser.id),
        () => api.resume(browser.id),
      ];
      const answers = await Promise.all([...calls, ...calls].map((call) => call()));
      for (const { status, body } of answers) {
        expect([200, 409]).toContain(status);
        if (status === 409)
          expect(body.error).toMatchObject({ code: 'BROWSER_NOT_READY', nextStep: expect.any(String) });
      }
      const closing = Promise.all([api.remove(browser.id), ...calls.map((call) => call())]);
      for (const { status } of await closing) expect([200, 409]).toContain(status);
      expect((await api.get(browser.id)).body.status).toBe('closed');
    }
  });

  test('a browser deleted while it is being created leaves nothing, and its creator learns of it', async () => {
    const { api, scratchDir } = server;
    const { body: accepted } = await api.create({ engine: 'full' }, { prefer: 'respond-async' });
    expect(accepted.status).toBe('creating');
    expect(await api.remove(accepted.id)).toMatchObject({ status: 200, body: { status: 'closed' } });
    expect((await api.get(accepted.id)).body.status).toBe('closed');
    expect(await filesIn(scratchDir)).not.toContain(accepted.id);
  });
});

describe('idempotency', () => {
  test('the same request is answered again, also for delete; another request with the key is refused', async () => {
    const { api } = server;
    const headers = { 'idempotency-key': randomUUID() };
    const first = await api.create({ name: 'a', metadata: { x: '1', y: '2' } }, headers);
    const again = await api.create({ metadata: { y: '2', x: '1' }, name: 'a' }, headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(await api.create({ name: 'b' }, headers)).toMatchObject({
      status: 422,
      body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } },
    });
    const removal = { headers: { 'idempotency-key': randomUUID() } };
    const removed = await api.call('DELETE', `/v1/browsers/${first.body.id}`, removal);
    const repeated = await api.call('DELETE', `/v1/browsers/${first.body.id}`, removal);
    expect(repeated.body).toEqual(removed.body);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
  });

  test('create and delete without a key, or with a bad one, are refused', async () => {
    const { api } = server;
    for (const [method, path] of [
      ['POST', '/v1/browsers'],
      ['DELETE', '/v1/browsers/browser_00000000000000000000000000'],
    ] as const)
      expect(await api.call(method, path)).toMatchObject({
        status: 400,
        body: { error: { code: 'IDEMPOTENCY_KEY_REQUIRED', details: { requestId: expect.any(String) } } },
      });
    expect(await api.create({}, { 'idempotency-key': 'x'.repeat(256) })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_FAILED' } },
    });
  });
});

test('twelve creates and deletes, six at a time, leave no process, folder or live record', async () => {
  const { api, scratchDir } = server;
  let left = 12;
  const worker = async () => {
    while (left-- > 0) {
      const { body: browser } = await api.create();
      expect((await api.remove(browser.id)).body.receipt.processesEnded).toBeGreaterThan(2);
    }
  };
  await times(6, worker);
  const { body: page } = await api.call(
    'GET',
    '/v1/browsers?status=creating,ready,stopping,resuming,recovering,closing',
  );
  expect(page.items).toEqual([]);
  await server.service.close();
  expect(processesOf(scratchDir)).toEqual([]);
  expect(await filesIn(scratchDir)).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from './test-service.ts';

const unknownId = 'browser_01ja9q4m8h2f7t3k5w6x8y0z1a';

/** Status, code and the shape that every failure has. */
async function failure(answer: Response) {
  const body = (await answer.json()) as {
    error: Record<string, unknown> & { details: Record<string, unknown> };
  };
  expect(Object.keys(body)).toEqual(['error']);
  expect(Object.keys(body.error).sort()).toEqual(['category', 'code', 'details', 'message', 'nextStep']);
  expect(body.error.details.requestId).toBe(answer.headers.get('x-request-id'));
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return { status: answer.status, code: body.error.code, details: body.error.details };
}

describe('every answer', () => {
  test('carries the request id of the caller if it is sane, and a new one otherwise', async () => {
    await using service = await startTestService();
    const id = async (value: string) =>
      (await service.call('/health', { headers: { 'x-request-id': value } })).headers.get('x-request-id');
    expect(await id('my-id_1.2')).toBe('my-id_1.2');
    for (const odd of ['a b', 'x'.repeat(129), '<script>', 'a,b'])
      expect(await id(odd)).toMatch(/^req_\w{26}$/);
  });

  test('is not sniffed, not cached, and open to no other origin; no banner is shown', async () => {
    await using service = await startTestService();
    for (const path of ['/health', '/v1/browsers', '/nope', '/docs', '/openapi.json']) {
      const { headers } = await service.call(path, { headers: { origin: 'https://evil.example' } });
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect([...headers.keys()].filter((name) => /^access-control|^server$|^x-powered/.test(name))).toEqual(
        [],
      );
    }
  });

  test('leaves one line in the log, without the key', async () => {
    await using service = await startTestService();
    await service.call(`/v1/browsers/${unknownId}`, { headers: { 'x-request-id': 'one' } });
    await expect.poll(() => service.log.find((text) => text.includes('"one"'))).toBeDefined();
    const line = JSON.parse(service.log.find((text) => text.includes('"one"')) ?? '');
    expect(line).toMatchObject({ method: 'GET', route: '/v1/browsers/:id', status: 404, msg: 'request' });
    expect(line.keyId).toMatch(/^key_/);
    expect(service.log.join('')).not.toContain(service.key);
  });
});

describe('a path', () => {
  test('that nobody knows is not found', async () => {
    await using service = await startTestService();
    expect(await failure(await service.call('/v1/nothing', { key: null }))).toMatchObject({
      status: 404,
      code: 'ROUTE_NOT_FOUND',
    });
  });

  test('with another method says which it has, before it looks at the body', async () => {
    await using service = await startTestService();
    const answer = await service.call(`/v1/browsers/${unknownId}`, { method: 'PUT', body: '{broken' });
    expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH');
    expect(await failure(answer)).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
  });

  test('answers HEAD wherever it answers GET', async () => {
    await using service = await startTestService();
    const answer = await service.call('/v1/browsers', { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });
});

describe('a key', () => {
  test('is needed under /v1 and nowhere else', async () => {
    await using service = await startTestService();
    const answer = await service.call('/v1/browsers', { key: null });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await failure(answer)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    for (const path of ['/health', '/health/ready', '/openapi.json', '/docs'])
      expect((await service.call(path, { key: null })).status).toBe(200);
  });

  test('is asked for before anything else about the request', async () => {
    await using service = await startTestService();
    const init = { method: 'POST', body: '{broken', key: null };
    expect(await failure(await service.call('/v1/browsers', init))).toMatchObject({ status: 401 });
  });

  test('of a member cannot manage keys, one of an admin can', async () => {
    await using service = await startTestService();
    const json = { 'content-type': 'application/json' };
    const create = { method: 'POST', headers: json, body: JSON.stringify({ name: 'ci' }) };
    const made = await service.call('/v1/keys', create);
    expect(made.status).toBe(201);
    const { key, id, role } = (await made.json()) as Record<string, string>;
    expect({ key, role }).toEqual({ key: expect.stringMatching(/^bd_\w{43}$/), role: 'member' });
    expect((await service.call('/v1/browsers', { key })).status).toBe(200);
    for (const init of [{ key }, { ...create, key }])
      expect(await failure(await service.call('/v1/keys', init))).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
      });
    const list = (await (await service.call('/v1/keys?limit=1')).json()) as {
      items: unknown[];
      nextCursor: string;
    };
    expect(list).toMatchObject({ limit: 1, hasMore: true, items: [{}] });
    expect((await service.call(`/v1/keys?cursor=${list.nextCursor}`)).status).toBe(200);
    expect((await service.call(`/v1/keys/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await failure(await service.call('/v1/browsers', { key }))).toMatchObject({ status: 401 });
    expect(await failure(await service.call(`/v1/keys/${id}`, { method: 'DELETE' }))).toMatchObject({
      status: 404,
      code: 'KEY_NOT_FOUND',
    });
  });

  test('that is used too often has to wait, and so has an address that guesses', async () => {
    await using service = await startTestService({ BROWSERD_RATE_LIMIT: '3' });
    for (const key of [service.key, 'bd_wrong']) {
      const answers = [];
      for (let i = 0; i < 4; i++) answers.push(await service.call('/v1/browsers', { key }));
      expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0', '0']);
      const last = answers[3] as Response;
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await failure(last)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    }
    for (let i = 0; i < 5; i++) expect((await service.call('/health')).status).toBe(200);
  });
});

describe('a list of browsers', () => {
  test('hands its filters on', async () => {
    await using service = await startTestService();
    const query =
      'status=ready,stopped&status=failed&metadata[team]=red&limit=7&cursor=abc' +
      '&createdAfter=2026-01-01T00:00:00Z&createdBefore=2026-01-02T00:00:00%2B02:00';
    const answer = await service.call(`/v1/browsers?${query}`);
    expect(await answer.json()).toEqual({ items: [], limit: 7, hasMore: false });
    const asked = JSON.parse(JSON.stringify(service.browsers.calls[0]?.[2]));
    expect(asked).toEqual({
      status: ['ready', 'stopped', 'failed'],
      metadata: { team: 'red' },
      limit: 7,
      cursor: 'abc',
      createdAfter: Date.UTC(2026, 0, 1),
      createdBefore: Date.UTC(2026, 0, 1, 22),
    });
  });

  test.each([
    ['2026-01-31', Date.UTC(2026, 0, 31)],
    ['2026-01-31T12:30', Date.UTC(2026, 0, 31, 12, 30)],
    ['2026-01-31T12:30:15', Date.UTC(2026, 0, 31, 12, 30, 15)],
    ['2026-01-31T12:30:15.250', Date.UTC(2026, 0, 31, 12, 30, 15, 250)],
    ['2026-01-31T12:30:15-05:00', Date.UTC(2026, 0, 31, 17, 30, 15)],
    ['2026-01-31T12:30Z', Date.UTC(2026, 0, 31, 12, 30)],
  ])('takes %s as a moment in UTC', async (text, moment) => {
    await using service = await startTestService();
    const query = `createdAfter=${text}&createdBefore=${text}`;
    expect((await service.call(`/v1/browsers?${query}`)).status).toBe(200);
    expect(service.browsers.calls[0]?.[2]).toMatchObject({ createdAfter: moment, createdBefore: moment });
  });

  test('has 20 items unless asked otherwise', async () => {
    await using service = await startTestService();
    expect(await (await service.call('/v1/browsers')).json()).toMatchObject({ limit: 20 });
  });
});

test.each(['', 'nonsense', 'x'.repeat(3000), 'WzEsIlx1MDAwMCJd'])(
  'the cursor %j is refused as such',
  async (cursor) => {
    await using service = await startTestService();
    expect(await failure(await service.call(`/v1/keys?cursor=${cursor}`))).toMatchObject({
      status: 400,
      code: 'INVALID_CURSOR',
    });
  },
);

describe('a list of browsers with a wrong query', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['limit=1e1', 'limit'],
    ['status=happy', 'status[0]'],
    ['status=', 'status[0]'],
    ['createdAfter=yesterday', 'createdAfter'],
    ['createdAfter=2026-13-01', 'createdAfter'],
    ['createdAfter=2026-01-01T25:00', 'createdAfter'],
    ['createdAfter=20260101', 'createdAfter'],
    ['createdBefore=2026-02-30T00:00:00Z', 'createdBefore'],
    ['metadata=red', 'metadata'],
    ['metadata[a]=1&metadata[a]=2', 'metadata.a'],
    ['colour=red', 'colour'],
    ['__proto__=1', '__proto__'],
    ['__proto__[a]=1', '__proto__'],
  ])('refuses ?%s and names it', async (query, path) => {
    expect(await failure(await service.call(`/v1/browsers?${query}`))).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path }] },
    });
  });
});

describe('a create', () => {
  test('answers 201 with the place of the browser', async () => {
    await using service = await startTestService();
    const answer = await service.create('k1', { name: 'a', viewport: { width: 800 } });
    const { id } = (await answer.json()) as { id: string };
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/v1/browsers/${id}`]);
    expect(service.browsers.calls[0]).toEqual([
      'create',
      service.projectId,
      { name: 'a', viewport: { width: 800, height: 720, deviceScaleFactor: 1 } },
      { respondAsync: false, idempotencyKey: 'k1' },
    ]);
  });

  test('needs no body', async () => {
    await using service = await startTestService();
    const init = { method: 'POST', headers: { 'idempotency-key': 'k' } };
    expect((await service.call('/v1/browsers', init)).status).toBe(201);
  });

  test('answers 202 when asked to, and says what it obeyed', async () => {
    await using service = await startTestService();
    const answer = await service.create('k', {}, { prefer: 'respond-async, wait=3' });
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([202, 'respond-async, wait=3']);
    expect(service.browsers.calls[0]?.[3]).toMatchObject({ respondAsync: true, waitMs: 3000 });
  });

  test('a wrong wait is refused before anything is made', async () => {
    await using service = await startTestService();
    expect(await failure(await service.create('k', {}, { prefer: 'wait=0' }))).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    expect(service.browsers.calls).toEqual([]);
  });
});

describe('health', () => {
  test('is alive, and ready with a check each', async () => {
    await using service = await startTestService();
    expect(await (await service.call('/health')).json()).toEqual({
      status: 'ok',
      version: '0.1.0',
      uptime: expect.any(Number),
    });
    const ready = (await (await service.call('/health/ready')).json()) as { status: string; checks: object };
    expect(ready.status).toBe('ready');
    expect(Object.keys(ready.checks)).toEqual(['store', 'chromium', 'sandbox', 'disk', 'capacity']);
    const toStrangers = await fetch(`${service.url}/health/ready`);
    expect([toStrangers.status, await toStrangers.json()]).toEqual([200, { status: 'ready' }]);
    const wrongKey = await fetch(`${service.url}/health/ready`, {
      headers: { authorization: 'Bearer bd_wrong' },
    });
    expect(await wrongKey.json()).toEqual({ status: 'ready' });
  });
});

describe('strangers', () => {
  test('are told that the service is ready as it was found out for all of them, callers with a key as it is', async () => {
    await using service = await startTestService();
    const ask = (key: string | null) => service.call('/health/ready', { key });
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(null)));
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
    const before = service.looks();
    expect(before).toBeLessThan(answers.length / 2);
    await ask(service.key);
    await ask(service.key);
    expect(service.looks()).toBe(before + 2);
  });

  test('who ask for what there is not are limited, and callers with a key and health are not', async () => {
    await using service = await startTestService({ BROWSERD_RATE_LIMIT: '4' });
    const ask = async (path: string, init?: object) =>
      (await service.call(path, { key: null, ...init })).status;
    const statuses = [
      await ask('/nowhere'),
      await ask('/v1/nothing/here'),
      await ask('/health', { method: 'POST' }),
      await ask('/nowhere?%00'),
    ];
    expect(statuses).toEqual([404, 404, 405, 400]);
    for (const path of ['/nowhere', '/nowhere?%00', '/openapi.json']) expect(await ask(path)).toBe(429);
    expect([await ask('/health'), await ask('/health/ready')]).toEqual([200, 200]);
    expect((await service.call('/v1/browsers')).status).toBe(200);
  });
});

test('a fault of the service shows nothing of itself but its id, which the log has', async () => {
  await using service = await startTestService();
  service.browsers.gate = async () => {
    throw new Error('secret detail');
  };
  const answer = await service.create('k');
  const text = await answer.clone().text();
  const { status, code, details } = await failure(answer);
  expect({ status, code }).toEqual({ status: 500, code: 'INTERNAL' });
  expect(text).not.toContain('secret detail');
  expect(
    service.log.some((line) => line.includes('secret detail') && line.includes(String(details.requestId))),
  ).toBe(true);
});

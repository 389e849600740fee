import { request as httpRequest } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startTestService, type TestService } from '../test-service.ts';

const body = async (response: Response) =>
  ((await response.json()) as { error: { code: string; message: string } }).error;

async function held(env: Record<string, string>) {
  const service = await startTestService({ BROWSERD_MAX_CONNECTIONS: '32', ...env });
  const { promise, resolve } = Promise.withResolvers<void>();
  service.browsers.gate = () => promise;
  const begun: Promise<Response>[] = [];
  const create = async (key?: string): Promise<void> => {
    const before = service.browsers.calls.length;
    begun.push(
      service.call('/v1/browsers', {
        key,
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      }),
    );
    await expect.poll(() => service.browsers.calls.length).toBe(before + 1);
  };
  onTestFinished(async () => {
    resolve();
    await Promise.all(begun);
    await service[Symbol.asyncDispose]();
  });
  return { service, create };
}

const keyOf = async ({ access }: TestService, project: string, role: 'admin' | 'member' = 'member') => {
  const { id } = await access.ensureProject(project);
  return (await access.createKey(id, { name: project, role })).key;
};

test('a key and a project have so many requests under way and no more, and others are not touched by it', async () => {
  const { service, create } = await held({ BROWSERD_MAX_REQUESTS_PER_PROJECT: '4' });
  const [first, second, other] = [
    await keyOf(service, 'red'),
    await keyOf(service, 'red'),
    await keyOf(service, 'blue'),
  ];
  for (let n = 0; n < 3; n++) await create(first);
  const refused = await service.call('/v1/browsers', { key: first });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await body(refused)).toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringMatching(/^3 requests of this key .*BROWSERD_MAX_REQUESTS_PER_PROJECT/),
  });
  expect((await service.call('/v1/browsers', { key: second })).status).toBe(200);
  await create(second);
  expect((await body(await service.call('/v1/browsers', { key: second }))).message).toMatch(
    /^4 requests of this project/,
  );
  expect((await service.call('/v1/browsers', { key: other })).status).toBe(200);
});

test('event streams have a limit of their own, and one that ends makes room', async () => {
  const { service } = await held({ BROWSERD_MAX_SOCKETS_PER_PROJECT: '1' });
  const streams: AbortController[] = [];
  const follow = async () => {
    const stream = new AbortController();
    streams.push(stream);
    return service.call('/v1/events', { headers: { accept: 'text/event-stream' }, signal: stream.signal });
  };
  expect((await follow()).status).toBe(200);
  const refused = await follow();
  expect([refused.status, (await body(refused)).code]).toEqual([429, 'TOO_MANY_CLIENTS']);
  expect((await service.call('/v1/events')).status).toBe(200);
  streams[0]?.abort();
  await expect.poll(async () => (await follow()).status).toBe(200);
  for (const stream of streams) stream.abort();
});

test('while keys hold every connection, health, metrics and admin keys are answered, and others told to wait', async () => {
  const { service, create } = await held({ BROWSERD_MAX_CONNECTIONS: '4' });
  const member = await keyOf(service, 'red');
  const admin = await keyOf(service, 'blue', 'admin');
  for (const project of ['red', 'red', 'green', 'green']) await create(await keyOf(service, project));
  const ask = (path: string, key?: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = key ? { authorization: `Bearer ${key}` } : {};
      httpRequest(service.url + path, { headers, agent: false }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      })
        .on('error', reject)
        .end();
    });
  const seen = [];
  for (let n = 0; n < 5; n++)
    seen.push([
      await ask('/health'),
      await ask('/metrics', admin),
      await ask('/v1/browsers', admin),
      await ask('/v1/browsers', member),
      await ask('/openapi.json'),
    ]);
  expect(seen).toEqual(Array.from({ length: 5 }, () => [200, 200, 200, 429, 429]));
});

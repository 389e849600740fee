import { expect, test } from 'vitest';
import { aBrowser } from '../../tests/support/samples.ts';
import { ApiError } from '../errors.ts';
import type { BrowserRecord, Store } from '../store/records.ts';
import { type Answer, Idempotency } from './idempotency.ts';
import { openTestStore } from './test-store.ts';

const request = { method: 'POST', path: '/v1/browsers', body: { name: 'a', metadata: { x: '1', y: '2' } } };
const created: Answer = { statusCode: 201, body: { id: 'browser_1' } };
const make = async (): Promise<Answer> => created;
const never = async (): Promise<Answer> => {
  throw new Error('must not run');
};

const begin = (store: Store, bootId = 'boot_1', mostBytes = 1_000_000) =>
  new Idempotency({ store, bootId, mostBytes, lookEveryMs: 5, lookForMs: 200 });

/** A row as a boot leaves it that was killed in the middle of its work. */
async function leaveRunning(store: Store, bootId: string, projectId = 'p'): Promise<void> {
  const { promise: killed } = Promise.withResolvers<Answer>();
  void begin(store, bootId).once(projectId, 'k', request, () => killed);
  await expect.poll(() => store.idempotency.get(projectId, 'k')).toBeDefined();
}

const browser = (projectId: string, id: string): BrowserRecord => aBrowser({ projectId, id });

test('the same request gets the first answer again, also after a restart', async () => {
  await using opened = await openTestStore();
  const first = begin(opened.store);
  expect(await first.once('p', 'k', request, make)).toEqual({ ...created, replayed: false });
  expect(await first.once('p', 'k', request, never)).toEqual({ ...created, replayed: true });
  expect(await begin(opened.store, 'boot_2').once('p', 'k', request, never)).toEqual({
    ...created,
    replayed: true,
  });
});

test('the order of the fields of the body does not make it another request', async () => {
  await using opened = await openTestStore();
  const idempotency = begin(opened.store);
  await idempotency.once('p', 'k', request, make);
  const reordered = { ...request, body: { metadata: { y: '2', x: '1' }, name: 'a' } };
  expect(await idempotency.once('p', 'k', reordered, never)).toMatchObject({ replayed: true });
});

test.each([
  { ...request, body: { name: 'b' } },
  { ...request, method: 'DELETE' },
  { ...request, path: '/v1/other' },
])('another request with the same key is refused: %j', async (other) => {
  await using opened = await openTestStore();
  const idempotency = begin(opened.store);
  await idempotency.once('p', 'k', request, make);
  await expect(idempotency.once('p', 'k', other, never)).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
});

test('the same key in two projects is two keys', async () => {
  await using opened = await openTestStore();
  const idempotency = begin(opened.store);
  await idempotency.once('p', 'k', request, make);
  expect(await idempotency.once('q', 'k', request, make)).toMatchObject({ replayed: false });
});

test('twenty at once do the work once and get equal answers', async () => {
  await using opened = await openTestStore();
  const idempotency = begin(opened.store);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let works = 0;
  const calls = Array.from({ length: 20 }, () =>
    idempotency.once('p', 'k', request, async () => {
      works++;
      await gate;
      return created;
    }),
  );
  await expect.poll(() => works).toBe(1);
  open();
  const answers = await Promise.all(calls);
  expect(works).toBe(1);
  expect(answers.map(({ statusCode, body }) => ({ statusCode, body }))).toEqual(Array(20).fill(created));
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
});

test('another request with the key of a running one is refused at once', async () => {
  await using opened = await openTestStore();
  const idempotency = begin(opened.store);
  const { promise: gate, resolve: open } = Promise.withResolvers<Answer>();
  const first = idempotency.once('p', 'k', request, () => gate);
  await expect(idempotency.once('p', 'k', { ...request, body: {} }, never)).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
  open(created);
  await first;
});

test.each([500, 503, 429])('an answer of %i is not kept, so a retry tries again', async (statusCode) => {
  await using opened = await openTestStore();
  const idempotency = begin(opened.store);
  await idempotency.once('p', 'k', request, async () => ({ statusCode, body: {} }));
  expect(await idempotency.once('p', 'k', request, make)).toEqual({ ...created, replayed: false });
});

test('a failure that is thrown is passed on and not kept', async () => {
  await using opened = await openTestStore();
  const idempotency = begin(opened.store);
  const full = async (): Promise<Answer> => {
    throw new ApiError('CAPACITY_EXHAUSTED', 'full');
  };
  await expect(idempotency.once('p', 'k', request, full)).rejects.toMatchObject({
    code: 'CAPACITY_EXHAUSTED',
  });
  expect(await idempotency.once('p', 'k', request, make)).toMatchObject({ replayed: false });
});

test('a refusal of 4xx is kept', async () => {
  await using opened = await openTestStore();
  const idempotency = begin(opened.store);
  const refused = { statusCode: 404, body: { error: { code: 'BROWSER_NOT_FOUND' } } };
  await idempotency.once('p', 'k', request, async () => refused);
  expect(await idempotency.once('p', 'k', request, never)).toEqual({ ...refused, replayed: true });
});

test('what a killed boot left running is taken over, with what it had made', async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  const { id: project } = await store.projects.ensure('default');
  await leaveRunning(store, 'boot_old', project);
  await store.browsers.insert(browser(project, 'browser_made'), [], { key: 'k', bootId: 'boot_old' });
  const seen: unknown[] = [];
  const work = async (madeBefore?: string): Promise<Answer> => {
    seen.push(madeBefore);
    return created;
  };
  const later = begin(store, 'boot_new');
  const both = await Promise.all([1, 2].map(() => later.once(project, 'k', request, work)));
  expect(both.map(({ replayed }) => replayed)).toEqual([false, true]);
  expect(seen).toEqual(['browser_made']);
});

test('what a stop cut short after it had made something is taken over by the retry, and else begun anew', async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  const { id: project } = await store.projects.ensure('default');
  const stops = new ApiError('SERVICE_SHUTTING_DOWN', 'The service stops.');
  const cutShort = (key: string, id?: string) =>
    begin(store, 'boot_old').once(project, key, request, async () => {
      if (id) await store.browsers.insert(browser(project, id), [], { key, bootId: 'boot_old' });
      throw stops;
    });
  await expect(cutShort('with', 'browser_made')).rejects.toBe(stops);
  await expect(cutShort('without')).rejects.toBe(stops);
  const seen: unknown[] = [];
  const work = async (madeBefore?: string): Promise<Answer> => {
    seen.push(madeBefore);
    return created;
  };
  for (const key of ['with', 'without']) await begin(store, 'boot_new').once(project, key, request, work);
  expect(seen).toEqual(['browser_made', undefined]);
});

test('what another living node works on is awaited', async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await store.nodes.boot({ id: 'node_2', bootId: 'boot_2', startedAt: Date.now(), heartbeatAt: Date.now() });
  const { promise: gate, resolve: open } = Promise.withResolvers<Answer>();
  const there = begin(store, 'boot_2').once('p', 'k', request, () => gate);
  await expect.poll(() => store.idempotency.get('p', 'k')).toBeDefined();
  const here = begin(store, 'boot_1').once('p', 'k', request, never);
  open(created);
  expect(await here).toEqual({ ...created, replayed: true });
  await there;
});

test('a wait for another node ends with a clear answer, and a silent node is not waited for', async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await store.nodes.boot({
    id: 'node_2',
    bootId: 'boot_2',
    startedAt: Date.now(),
    heartbeatAt: Date.now() + 60_000,
  });
  await leaveRunning(store, 'boot_2');
  await expect(begin(store).once('p', 'k', request, never)).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_IN_USE',
  });
  await store.nodes.leave('boot_2');
  expect(await begin(store).once('p', 'k', request, make)).toMatchObject({ replayed: false });
});

test('an answer that could not be written down is given all the same, and a retry takes the row over', async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  const { complete } = store.idempotency;
  store.idempotency.complete = async () => {
    throw new ApiError('STORE_UNAVAILABLE', 'full');
  };
  const idempotency = begin(store);
  expect(await idempotency.once('p', 'k', request, make)).toEqual({ ...created, replayed: false });
  store.idempotency.complete = complete;
  expect(await idempotency.once('p', 'k', request, make)).toEqual({ ...created, replayed: false });
  expect(await idempotency.once('p', 'k', request, never)).toEqual({ ...created, replayed: true });
});

test('a project whose kept answers take all the room sends no new keys, but gets known answers and deletes', async () => {
  await using opened = await openTestStore();
  const idempotency = begin(opened.store, 'boot_1', 1);
  await idempotency.once('p', 'first', request, make);
  await expect(idempotency.once('p', 'second', request, never)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    headers: { 'retry-after': '600' },
  });
  expect(await idempotency.once('p', 'first', request, never)).toEqual({ ...created, replayed: true });
  const deletion = { method: 'DELETE', path: '/v1/keys/key_1', body: null };
  const { promise: gate, resolve: open } = Promise.withResolvers<Answer>();
  let works = 0;
  const both = [1, 2].map(() =>
    idempotency.once('p', 'third', deletion, () => {
      works++;
      return gate;
    }),
  );
  await expect.poll(() => works).toBe(1);
  open({ statusCode: 200, body: {} });
  expect((await Promise.all(both)).map(({ replayed }) => replayed)).toEqual([false, true]);
  expect(await opened.store.idempotency.get('p', 'third')).toBeUndefined();
});

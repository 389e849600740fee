import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/kit/id.ts';
import type { BrowserRecord, Store } from '../../src/store/records.ts';
import { openStore } from '../../src/store/store.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let store: Store;
let sample: BrowserRecord;

/** A thousand records come faster from the store than from Chromium; the list does not know the difference. */
beforeAll(async () => {
  server = await startServer();
  store = await openStore({ databaseUrl: null, dataDir: server.dataDir });
  const { body } = await server.api.create({ metadata: { team: 'red' } });
  await server.api.remove(body.id);
  sample = (await store.browsers.get(body.id)) as BrowserRecord;
  for (let n = 0; n < 1000; n++) await add(n);
});
afterAll(async () => {
  await store.close();
  await server[Symbol.asyncDispose]();
});

const began = Date.parse('2026-01-01T00:00:00.000Z');

async function add(n: number, more: Partial<BrowserRecord> = {}): Promise<string> {
  const id = newId('browser');
  const status = n % 10 === 0 ? 'stopped' : 'closed';
  const metadata = { team: n % 2 ? 'red' : 'blue', n: String(n) };
  // Several records share a millisecond, as they would in a burst.
  const createdAt = began + Math.floor(n / 3);
  await store.browsers.insert({ ...sample, id, status, metadata, createdAt, nodeId: null, ...more }, []);
  return id;
}

async function walk(
  query: string,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  do {
    const { status, body } = await server.api.call('GET', `/v1/browsers?${query}${cursor}`);
    expect(status).toBe(200);
    ids.push(...body.items.map((item: { id: string }) => item.id));
    cursor = body.hasMore ? `&cursor=${encodeURIComponent(body.nextCursor)}` : '';
    await between();
  } while (cursor);
  return ids;
}

describe('the list', () => {
  test('has 20 items by default, newest first, and says whether there is more', async () => {
    const { body } = await server.api.call('GET', '/v1/browsers');
    expect(body.items).toHaveLength(20);
    expect(body).toMatchObject({ limit: 20, hasMore: true, nextCursor: expect.any(String) });
    const times = body.items.map((item: { createdAt: string }) => item.createdAt);
    expect(times).toEqual([...times].sort().reverse());
  });

  test('walks 1,000 records by pages of 100 while others come and change, nothing twice, nothing skipped', async () => {
    const before = new Set(await walk('limit=100'));
    expect(before.size).toBe(1001);
    let n = 1000;
    const walked = await walk('limit=100', async () => {
      const id = await add(n++);
      await store.browsers.change(id, {}, { status: 'stopped' });
      const [victim] = [...before].slice(n % 800);
      if (victim) await store.browsers.change(victim, {}, { statusReason: `changed ${n}` });
    });
    expect(new Set(walked).size).toBe(walked.length);
    expect([...before].filter((id) => !walked.includes(id))).toEqual([]);
  });

  test('filters by status, repeated or in one value, by metadata and by time', async () => {
    const stopped = await walk('limit=100&status=stopped');
    expect(stopped.length).toBeGreaterThanOrEqual(100);
    expect(await walk('limit=100&status=stopped&status=ready')).toEqual(stopped);
    expect(await walk('limit=100&status=stopped,ready')).toEqual(stopped);
    expect(await walk('limit=100&metadata[n]=234')).toHaveLength(1);
    expect(await walk('limit=100&metadata[n]=234&metadata[team]=red')).toHaveLength(0);
    const from = new Date(began + 9).toISOString();
    const to = new Date(began + 20).toISOString();
    expect(await walk(`limit=7&createdAfter=${from}&createdBefore=${to}`)).toHaveLength(30);
  });

  test('is searched for words in names, metadata and ids, and is counted by status', async () => {
    const [one = ''] = await walk('limit=100&search=N%3D777');
    expect((await server.api.get(one)).body.metadata).toMatchObject({ n: '777' });
    expect(await walk(`limit=100&search=${one.slice(-10)}`)).toEqual([one]);
    expect(await walk('limit=100&search=BLUE%20n=42&status=closed')).toHaveLength(5);
    // With its name, because an id may have the letters of any short word.
    expect(await walk('limit=7&search=team%3Dred')).toEqual(await walk('limit=100&metadata[team]=red'));
    const { body } = await server.api.call('GET', '/v1/browsers/counts');
    expect(body.total).toBe((await walk('limit=100')).length);
    expect(body.status.stopped).toBe((await walk('limit=100&status=stopped')).length);
    expect(body.status.ready).toBe(0);
  });

  test('has fewer on a page where they are large, and all of them page by page', async () => {
    const body = 'x'.repeat(256 * 1024);
    const rules = Array.from({ length: 4 }, () => ({ match: { url: '*' }, do: { action: 'respond', body } }));
    const large: Partial<BrowserRecord> = {
      settings: { ...sample.settings, policy: { rules } },
      metadata: { team: 'heavy' },
    };
    const added: string[] = [];
    for (let n = 0; n < 9; n++) added.unshift(await add(3 * n, large));
    for (const filter of ['metadata[team]=heavy', 'search=team%3Dheavy']) {
      const { body: page } = await server.api.call('GET', `/v1/browsers?limit=100&${filter}`);
      expect(page).toMatchObject({ limit: 100, hasMore: true, nextCursor: expect.any(String) });
      expect(page.items).toHaveLength(3);
      expect(page.items[0].policy.rules[0].do.body).toBe(body);
      expect(await walk(`limit=100&${filter}`)).toEqual(added);
    }
    expect((await server.api.get(added[0] ?? '')).body.policy).toEqual({ rules });
  });

  test('refuses what it does not understand', async () => {
    const bad: [string, string][] = [
      ['cursor=nonsense', 'INVALID_CURSOR'],
      ['cursor=W10', 'INVALID_CURSOR'],
      ['limit=0', 'VALIDATION_FAILED'],
      ['limit=101', 'VALIDATION_FAILED'],
      ['limit=ten', 'VALIDATION_FAILED'],
      ['status=happy', 'VALIDATION_FAILED'],
      ['createdAfter=yesterday', 'VALIDATION_FAILED'],
      ['search=%20', 'VALIDATION_FAILED'],
      [`search=${'x'.repeat(201)}`, 'VALIDATION_FAILED'],
      ['handoff=scripts', 'VALIDATION_FAILED'],
      ['search=red&cursor=nonsense', 'INVALID_CURSOR'],
      ['colour=red', 'VALIDATION_FAILED'],
    ];
    for (const [query, code] of bad) {
      const { status, body } = await server.api.call('GET', `/v1/browsers?${query}`);
      expect([query, status, body.error.code]).toEqual([query, 400, code]);
    }
  });
});

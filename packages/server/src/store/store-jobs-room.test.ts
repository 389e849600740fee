import { setImmediate as othersTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { aJob } from '../../tests/support/samples.ts';
import { newId } from '../kit/id.ts';
import type { FirstJobPage, NewJobPage, PageOutcome, Store, TellOfJob } from './records.ts';

const outcome: PageOutcome = {
  status: 'done',
  attempts: 1,
  finalUrl: null,
  statusCode: 200,
  fromCache: 0,
  error: null,
  result: null,
  resultId: null,
  resultNode: null,
  size: 0,
  file: null,
};
const tell: TellOfJob = ({ id, projectId, status }) => ({
  event: { projectId, browserId: id, type: `job.${status}`, at: 1, data: {} },
});
const many = 3000;
const items = (count: number): FirstJobPage[] =>
  Array.from({ length: count }, (_, n) => ({ url: null, key: null, item: { html: `page ${n}` } }));
const links = (from: number, to: number): NewJobPage[] =>
  Array.from({ length: to - from }, (_, n) => ({
    url: `https://example.com/${from + n}`,
    key: `${from + n}`,
    depth: 1,
    foundOn: 'https://example.com/',
    source: 'link',
    // Of a map: they are results, so that their places can be read.
    finished: true,
  }));
const fromZero = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** How often the database answered others before the work was done. */
async function answeredDuring(store: Store, work: Promise<unknown>): Promise<number> {
  let answered = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      await store.ping();
      if (!isOver) answered++;
      await othersTurn();
    }
  })();
  await work.finally(() => {
    isOver = true;
  });
  await asking;
  return answered;
}

describe.each(databases)('what jobs hold, on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const store = await database.open();
    const { jobs } = store;
    const { id: projectId } = await store.projects.ensure('default');
    const bootId = newId('node');
    await store.nodes.boot({ id: 'node_1', bootId, startedAt: 1, heartbeatAt: 1 });
    const used = () => store.artifacts.usage(projectId);
    const options = { bootId, pages: [] as FirstJobPage[], most: 100, quotaBytes: null as number | null };
    const settle = (
      at: Store,
      jobId: string,
      idx: number,
      pages: NewJobPage[],
      { quotaBytes = null as number | null, finalKey = '' } = {},
    ) =>
      at.jobs.settle(
        { jobId, idx },
        { bootId, now: 20 },
        { ...outcome, ...(finalKey && { finalKey }) },
        { pages, remarks: [] },
        { quotaBytes, tell },
      );
    const removeAll = async (id: string): Promise<void> => {
      while (!(await jobs.removeSome(id, 1000)).all);
    };
    /** Every result has a place among the pages, and one among the results: no number is left out, none is there twice. */
    const placesOf = async (jobId: string, count: number) => {
      const { records: results } = await jobs.results({ jobId, afterSeq: 0, limit: count + 1 });
      return {
        idx: results.map(({ idx }) => idx).toSorted((a, b) => a - b),
        seq: results.map(({ seq }) => seq),
      };
    };
    const claim = (id: string) => jobs.claim(id, { bootId, now: 10 }, tell);
    return { database, store, jobs, projectId, bootId, used, options, settle, removeAll, placesOf, claim };
  };

  test('counts for the project from their first row on, pages that were found with it, until they are gone', async () => {
    const { store, jobs, projectId, used, options, settle, removeAll, claim } = await fresh();
    const job = aJob({ projectId, request: { options: { userAgent: 'x'.repeat(5000) } } });
    const page = { url: null, key: null, item: { html: 'y'.repeat(20_000) } };
    await jobs.insert(job, { ...options, pages: [page] });
    const begun = await used();
    expect(begun).toBeGreaterThan(25_000);
    await claim(job.id);
    await settle(store, job.id, 0, links(0, 10));
    expect(await used()).toBeGreaterThan(begun + 10 * 'https://example.com/0'.length);
    await removeAll(job.id);
    expect(await used()).toBe(0);
  });

  test('is refused beyond the quota, as a job and as pages that were found, and then nothing has changed', async () => {
    const { store, jobs, projectId, used, options, settle, claim } = await fresh();
    const job = aJob({ projectId });
    expect(await jobs.insert(job, { ...options, pages: items(many), quotaBytes: 100_000 })).toBe('overQuota');
    expect([await used(), await jobs.load(job.id)]).toEqual([0, undefined]);
    expect(await jobs.insert(job, { ...options, pages: items(1), quotaBytes: 100_000 })).toBe('inserted');
    await claim(job.id);
    const before = await used();
    expect(await settle(store, job.id, 0, links(0, 10), { quotaBytes: before })).toBe('overQuota');
    const adding = { seeded: false, now: 1, quotaBytes: before, tell };
    expect(await jobs.addPages(job.id, { pages: links(0, 10), remarks: [] }, adding)).toBe('overQuota');
    expect(await used()).toBe(before);
    expect(await jobs.get(job.id, projectId)).toMatchObject({ total: 1, done: 0 });
    expect(await settle(store, job.id, 0, [], { quotaBytes: before })).toBe('settled');
  });

  test('is no more than so many jobs that are not over, also when they come all at once', async () => {
    const { database, store, jobs, projectId, used, options } = await fresh();
    const stores = [store, await database.open()];
    const made = fromZero(12).map(() => aJob({ projectId }));
    const outcomes = await Promise.all(
      made.map((job, n) => stores[n % 2]!.jobs.insert(job, { ...options, pages: items(n), most: 5 })),
    );
    expect(outcomes.filter((each) => each === 'inserted')).toHaveLength(5);
    expect(new Set(outcomes)).toEqual(new Set(['inserted', 'tooMany']));
    const before = await used();
    const next = aJob({ projectId });
    expect(await jobs.insert(next, { ...options, most: 5 })).toBe('tooMany');
    expect(await used()).toBe(before);
    await jobs.end(made[outcomes.indexOf('inserted')]!.id, 'cancelled', { now: 1, tell });
    expect(await jobs.insert(next, { ...options, most: 5 })).toBe('inserted');
  });

  test('holds nobody up while it is written, and is there once all of it is', async () => {
    const { database, store, jobs, projectId, used, options, claim } = await fresh();
    const other = await database.open();
    const job = aJob({ projectId });
    const inserting = jobs.insert(job, { ...options, pages: items(many) });
    let looks = 0;
    const looking = (async () => {
      while ((await other.jobs.get(job.id, projectId)) === undefined) {
        looks += (await used()) > 0 ? 1 : 0;
        const { records: listed } = await other.jobs.list({ projectId, limit: 5 });
        // It may have appeared since.
        for (const each of listed) expect(each).toMatchObject({ total: many, endedAt: null });
        expect(await other.jobs.past(1e15, 5)).toEqual([]);
        await othersTurn();
      }
    })();
    expect(await answeredDuring(store, inserting)).toBeGreaterThan(5);
    expect(await inserting).toBe('inserted');
    await looking;
    expect(looks).toBeGreaterThan(0);
    expect(await jobs.get(job.id, projectId)).toMatchObject({ total: many, status: 'queued', endedAt: null });
    expect(await jobs.active(5)).toMatchObject([{ id: job.id }]);
    expect(await claim(job.id)).toMatchObject({ page: { idx: 0, item: { html: 'page 0' } } });
  });

  test('is removed when its boot is lost before all of it was written, and its key stands for nothing', async () => {
    const { database, store, jobs, projectId, bootId, used, options, removeAll, claim } = await fresh();
    const dying = await database.open();
    const job = aJob({ projectId });
    const key = { projectId, key: 'key', fingerprint: 'print', bootId, createdAt: 1 };
    await store.idempotency.claim(key, 1000);
    const inserting = dying.jobs.insert(job, { ...options, pages: items(10_000), idempotencyKey: 'key' });
    const cutShort = expect(inserting).rejects.toThrow();
    await expect.poll(used, { interval: 1 }).toBeGreaterThan(0);
    await dying.close();
    await cutShort;
    expect(await jobs.load(job.id)).toBeDefined();
    expect([(await jobs.list({ projectId, limit: 5 })).records, await jobs.active(5)]).toEqual([[], []]);
    expect(await claim(job.id)).toBe('over');
    expect((await store.idempotency.get(projectId, 'key'))?.resourceId).toBeNull();
    // Its boot may live, as far as others know.
    await jobs.reclaim({ bootId: 'another', alone: false });
    expect(await jobs.past(1e15, 5)).toEqual([]);
    await store.nodes.boot({ id: 'node_1', bootId: 'the next', startedAt: 2, heartbeatAt: 2 });
    await jobs.reclaim({ bootId: 'the next', alone: false });
    expect(await jobs.past(0, 5)).toEqual([{ id: job.id, projectId }]);
    await removeAll(job.id);
    expect(await used()).toBe(0);
  });

  test('that was left half written by this very boot is removed, and one that it still writes is not', async () => {
    const { database, jobs, projectId, bootId, used, options, removeAll } = await fresh();
    const broken = await database.open();
    const [left, whole] = [aJob({ projectId }), aJob({ projectId })];
    const cutShort = expect(broken.jobs.insert(left, { ...options, pages: items(10_000) })).rejects.toThrow();
    await expect.poll(used, { interval: 1 }).toBeGreaterThan(0);
    await broken.close();
    await cutShort;
    const before = await used();
    const inserting = jobs.insert(whole, { ...options, pages: items(many) });
    await expect.poll(used, { interval: 1 }).toBeGreaterThan(before);
    await jobs.reclaim({ bootId, alone: false });
    expect(await inserting).toBe('inserted');
    expect(await jobs.past(0, 5)).toEqual([{ id: left.id, projectId }]);
    await Promise.all([removeAll(left.id), removeAll(whole.id)]);
    expect(await used()).toBe(0);
  });

  test('gives its bytes back once, though several remove it at the same time', async () => {
    const { jobs, projectId, used, options } = await fresh();
    const job = aJob({ projectId });
    await jobs.insert(job, { ...options, pages: items(100) });
    const remove = async (): Promise<void> => {
      while (!(await jobs.removeSome(job.id, 20)).all);
    };
    await Promise.all([remove(), remove(), remove()]);
    expect([await used(), await jobs.load(job.id)]).toEqual([0, undefined]);
  });

  test('is removed when it fails at its end, such as when another boot has taken its key over', async () => {
    const { store, jobs, projectId, bootId, used, options, removeAll } = await fresh();
    const job = aJob({ projectId });
    const key = { projectId, key: 'key', fingerprint: 'print', bootId, createdAt: 1 };
    await store.idempotency.claim(key, 1000);
    await store.idempotency.takeOver(projectId, 'key', bootId, 'another');
    await expect(
      jobs.insert(job, { ...options, pages: items(many), idempotencyKey: 'key' }),
    ).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await jobs.get(job.id, projectId)).toBeUndefined();
    expect(await jobs.past(0, 5)).toEqual([{ id: job.id, projectId }]);
    await removeAll(job.id);
    expect(await used()).toBe(0);
  });

  test('holds nobody up while thousands of links are added, and two pages that have the same ones add them once', async () => {
    const { database, store, jobs, projectId, options, settle, placesOf, claim } = await fresh();
    const other = await database.open();
    const job = aJob({ projectId });
    await jobs.insert(job, { ...options, pages: items(2) });
    for (const _ of [0, 1]) await claim(job.id);
    const both = Promise.all([
      settle(store, job.id, 0, links(0, many)),
      settle(other, job.id, 1, links(1000, many + 500)),
    ]);
    expect(await answeredDuring(store, both)).toBeGreaterThan(5);
    expect(await both).toEqual(['settled', 'settled']);
    const all = many + 500 + 2;
    expect(await jobs.get(job.id, projectId)).toMatchObject({ total: all, done: all, status: 'completed' });
    expect(await placesOf(job.id, all)).toEqual({
      idx: fromZero(all),
      seq: fromZero(all).map((n) => n + 1),
    });
  });

  test('is the same when a page is visited again after some of its links were added', async () => {
    const { store, jobs, projectId, used, options, settle, placesOf, claim } = await fresh();
    const job = aJob({ projectId });
    await jobs.insert(job, { ...options, pages: items(1) });
    await claim(job.id);
    const quotaBytes = (await used()) + 300_000;
    expect(await settle(store, job.id, 0, links(0, many), { quotaBytes })).toBe('overQuota');
    const { total = 0 } = (await jobs.get(job.id, projectId)) ?? {};
    expect(total).toBeGreaterThan(1);
    expect(total).toBeLessThan(many);
    expect(await settle(store, job.id, 0, links(0, many))).toBe('settled');
    expect((await placesOf(job.id, many + 1)).idx).toEqual(fromZero(many + 1));
  });

  test('is one page where a redirect leads to one that links to itself among thousands', async () => {
    const { store, jobs, projectId, options, settle, claim } = await fresh();
    const job = aJob({ projectId });
    await jobs.insert(job, { ...options, pages: [{ url: 'https://example.com/old', key: 'old' }] });
    await claim(job.id);
    expect(await settle(store, job.id, 0, links(0, many), { finalKey: '0' })).toBe('settled');
    expect(await jobs.get(job.id, projectId)).toMatchObject({ total: many, skipped: 0 });
  });
});

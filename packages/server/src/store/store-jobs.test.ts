import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { looseIds } from '../../tests/support/loose-ids.ts';
import { aBrowser, aDelivery, anEvent, aJob as aSampleJob, aWebhook } from '../../tests/support/samples.ts';
import { newId } from '../kit/id.ts';
import type { FirstJobPage, JobRecord, NewJobPage, PageOutcome, TellOfJob } from './records.ts';

const done: PageOutcome = {
  status: 'done',
  attempts: 1,
  finalUrl: 'https://example.com/',
  statusCode: 200,
  fromCache: 0,
  error: null,
  result: '{"content":"text"}',
  resultId: null,
  resultNode: null,
  size: 18,
  file: null,
};
const nothing = { pages: [], remarks: [] };
const bucketRemark = { code: 'trap', message: 'endless' };

describe.each(databases)('jobs on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const store = await database.open();
    const { id: projectId } = await store.projects.ensure('default');
    const told: string[] = [];
    const tell: TellOfJob = (job) => {
      told.push(job.status);
      const event = { projectId, browserId: job.id, type: `job.${job.status}`, at: 1, data: {} };
      return { event };
    };
    const aJob = (fields: Partial<JobRecord> = {}): JobRecord => aSampleJob({ projectId, ...fields });
    const pages = (...names: string[]): NewJobPage[] =>
      names.map((name) => ({ url: `https://example.com/${name}`, key: name, depth: 1, source: 'link' }));
    const insert = async (job: JobRecord, first: FirstJobPage[] = []): Promise<void> => {
      const options = { bootId: 'boot', pages: first, most: 100, quotaBytes: null };
      expect(await store.jobs.insert(job, options)).toBe('inserted');
    };
    const boot = async (nodeId: string, heartbeatAt = 1000): Promise<string> => {
      const bootId = newId('node');
      await store.nodes.boot({ id: nodeId, bootId, startedAt: heartbeatAt, heartbeatAt });
      return bootId;
    };
    const claim = async (id: string, bootId: string, now = 10): Promise<number | string> => {
      const claimed = await store.jobs.claim(id, { bootId, now }, tell);
      return claimed === 'over' ? claimed : 'page' in claimed ? claimed.page.idx : `due ${claimed.dueAt}`;
    };
    const settle = (
      jobId: string,
      idx: number,
      bootId: string,
      outcome: Partial<PageOutcome> = {},
      finds = nothing as { pages: NewJobPage[]; remarks: { code: string; message: string }[] },
      quotaBytes: number | null = null,
    ) =>
      store.jobs.settle({ jobId, idx }, { bootId, now: 20 }, { ...done, ...outcome }, finds, {
        quotaBytes,
        tell,
      });
    const { jobs } = store;
    return { database, store, jobs, projectId, told, tell, aJob, pages, insert, boot, claim, settle };
  };

  test('are found with every field in their project alone, newest first', async () => {
    const { store, jobs, projectId, aJob, insert } = await fresh();
    const [older, newer] = [aJob(), aJob({ createdAt: 2, kind: 'batch' })];
    for (const job of [older, newer]) await insert(job);
    const { request: _, ...summary } = older;
    expect(await jobs.load(older.id)).toEqual(older);
    expect(await jobs.get(older.id, projectId)).toEqual(summary);
    const ids = async (query: object): Promise<string[]> =>
      (await jobs.list({ projectId, limit: 10, ...query })).records.map(({ id }) => id);
    expect(await ids({})).toEqual([newer.id, older.id]);
    expect(await ids({ after: newer })).toEqual([older.id]);
    expect(await ids({ kind: 'batch' })).toEqual([newer.id]);
    expect(await ids({ status: 'completed' })).toEqual([]);
    const { id: other } = await store.projects.ensure('other');
    expect(await jobs.get(older.id, other)).toBeUndefined();
    expect(await jobs.markRemoved(older.id, other, 5)).toBe(false);
  });

  test('give each page to one boot, however many ask at once, and no more than their concurrency', async () => {
    const { jobs, aJob, insert, pages, boot, claim } = await fresh();
    const job = aJob({ concurrency: 3 });
    await insert(job, pages('a', 'b', 'c', 'd'));
    const [one, two] = [await boot('node_1'), await boot('node_2')];
    const claimed = await Promise.all([one, two, one, two, one, two].map((by) => claim(job.id, by)));
    expect(claimed.toSorted()).toEqual([0, 1, 2, 'due null', 'due null', 'due null']);
    expect(await jobs.countRunning([job.id])).toEqual(new Map([[job.id, 3]]));
  });

  // Ten thousand rows: what is counted is counted alike on both.
  const once = test.runIf(kind === 'sqlite');
  once(
    'whose project has too much waiting for its receivers say that their webhook was not told',
    async () => {
      const { store, jobs, projectId, tell, aJob } = await fresh();
      const browser = aBrowser({ projectId });
      const plan = ({ id }: { id: string }) => aDelivery({ id, projectId });
      const endOf = async (): Promise<[string, number]> => {
        const webhook = aWebhook(projectId);
        const job = aJob({ webhookId: webhook.id });
        await jobs.insert(job, { bootId: 'boot', pages: [], most: 100, quotaBytes: null, webhook });
        const told: TellOfJob = (changed) => ({ ...tell(changed), delivery: plan(webhook) });
        await jobs.end(job.id, 'cancelled', { now: 30, tell: told });
        const [remark] = (await jobs.get(job.id, projectId))?.remarks ?? [];
        const kept = await store.deliveries.list({ webhookId: webhook.id, limit: 5 });
        return [remark?.code ?? 'none', kept.length];
      };
      expect(await endOf()).toEqual(['none', 1]);
      for (let n = 0; n < 5; n++) await store.webhooks.insert(aWebhook(projectId, { createdAt: n }));
      await store.events.append(Array.from({ length: 2000 }, () => anEvent(browser)));
      while (await store.webhooks.advance(projectId, plan, 2000));
      expect(await endOf()).toEqual(['webhook_dropped', 0]);
    },
  );

  test('begin with their first page, end with their last, and tell each change once', async () => {
    const { jobs, projectId, told, aJob, insert, pages, boot, claim, settle } = await fresh();
    const job = aJob();
    await insert(job, pages('a', 'b'));
    const by = await boot('node_1');
    expect([await claim(job.id, by), await claim(job.id, by)]).toEqual([0, 1]);
    expect(await jobs.get(job.id, projectId)).toMatchObject({ status: 'running', startedAt: 10, total: 2 });
    expect(await settle(job.id, 1, by)).toBe('settled');
    expect(await settle(job.id, 1, by)).toBe('lost');
    expect(await settle(job.id, 0, by, { status: 'failed', result: null, size: 0 })).toBe('settled');
    expect(await jobs.get(job.id, projectId)).toMatchObject({
      status: 'completed',
      endedAt: 20,
      done: 1,
      failed: 1,
    });
    expect(told).toEqual(['running', 'completed']);
    expect(await claim(job.id, by)).toBe('over');
    const { records: results } = await jobs.results({ jobId: job.id, afterSeq: 0, limit: 10 });
    expect(results.map(({ seq, idx, status }) => [seq, idx, status])).toEqual([
      [1, 1, 'done'],
      [2, 0, 'failed'],
    ]);
    expect((await jobs.results({ jobId: job.id, afterSeq: 1, limit: 10 })).records).toHaveLength(1);
    expect(
      (await jobs.results({ jobId: job.id, afterSeq: 0, status: 'failed', limit: 10 })).records,
    ).toHaveLength(1);
  });

  test('take each address once, as many as they may have, and as many of one bucket', async () => {
    const { jobs, projectId, aJob, insert, pages, boot, claim, settle } = await fresh();
    const job = aJob({ mostPages: 5 });
    await insert(job, pages('start'));
    const by = await boot('node_1');
    await claim(job.id, by);
    const bucket = { name: 'calendar', most: 2, remark: bucketRemark };
    const found = [
      ...pages('a', 'b', 'start', 'a'),
      ...pages('day-1', 'day-2', 'day-3').map((page) => ({ ...page, bucket })),
      ...pages('late'),
    ];
    await settle(job.id, 0, by, {}, { pages: found, remarks: [] });
    const after = await jobs.get(job.id, projectId);
    expect(after).toMatchObject({ total: 5, done: 1 });
    expect(after?.remarks.map(({ code }) => code)).toEqual(['trap', 'max_pages']);
    expect(await claim(job.id, by)).toBe(1);
    await settle(
      job.id,
      1,
      by,
      {},
      { pages: pages('day-9').map((page) => ({ ...page, bucket })), remarks: [] },
    );
    expect(await jobs.get(job.id, projectId)).toMatchObject({ total: 5, remarks: after?.remarks });
  });

  test('count a page that leads to another once', async () => {
    const { store, jobs, projectId, aJob, insert, pages, boot, claim, settle } = await fresh();
    const job = aJob();
    await insert(job, pages('old', 'new'));
    const by = await boot('node_1');
    await claim(job.id, by);
    await claim(job.id, by);
    const before = await store.artifacts.usage(projectId);
    expect(await settle(job.id, 0, by, { finalKey: 'new' })).toBe('duplicate');
    expect(await store.artifacts.usage(projectId)).toBe(before);
    expect(await settle(job.id, 1, by, { finalKey: 'new' }, { pages: pages('more'), remarks: [] })).toBe(
      'settled',
    );
    expect(await jobs.get(job.id, projectId)).toMatchObject({ done: 1, skipped: 1, total: 3 });
    // An address that a page was redirected to is its own from then on.
    await claim(job.id, by);
    await settle(
      job.id,
      2,
      by,
      { finalKey: 'elsewhere' },
      { pages: pages('elsewhere', 'other'), remarks: [] },
    );
    expect(await jobs.get(job.id, projectId)).toMatchObject({ done: 2, total: 4 });
  });

  test('wait with a page that was put back, and say until when', async () => {
    const { jobs, aJob, insert, pages, boot, claim } = await fresh();
    const job = aJob();
    await insert(job, pages('a'));
    const by = await boot('node_1');
    expect(await claim(job.id, by)).toBe(0);
    await jobs.putBack({ jobId: job.id, idx: 0 }, { bootId: by }, { attempts: 1, notBefore: 500 });
    expect(await claim(job.id, by, 499)).toBe('due 500');
    const again = await jobs.claim(job.id, { bootId: by, now: 500 }, () => {
      throw new Error('it has begun already');
    });
    expect(again).toMatchObject({ page: { idx: 0, attempts: 2 } });
  });

  test('take back what boots had claimed that are gone', async () => {
    const { store, jobs, aJob, insert, pages, boot, claim, settle } = await fresh();
    const job = aJob({ concurrency: 9 });
    await insert(job, pages('a', 'b', 'c', 'd'));
    const dead = await boot('node_1');
    const buried = await boot('node_2');
    // However long ago it gave a sign by its own clock: only the database says that it is gone.
    const alive = await boot('node_3', 0);
    for (const by of [dead, buried, alive]) await claim(job.id, by);
    const next = await boot('node_1', 1000);
    await claim(job.id, next);
    await store.nodes.bury(buried, 'lease', 0);
    expect(await jobs.claimedBy(alive)).toEqual([{ jobId: job.id, idx: 2, attempts: 1 }]);
    expect(await jobs.reclaim({ bootId: next, alone: false })).toBe(2);
    expect(await jobs.reclaim({ bootId: next, alone: false })).toBe(0);
    expect(await settle(job.id, 0, dead)).toBe('lost');
    const again = await jobs.claim(job.id, { bootId: next, now: 10 }, () => {
      throw new Error('it has begun already');
    });
    expect(again).toMatchObject({ page: { idx: 0, attempts: 1, deaths: 1 } });
    expect(await settle(job.id, 0, next)).toBe('settled');
    expect(await settle(job.id, 2, alive)).toBe('settled');
    expect(await claim(job.id, alive)).toBe(1);
    // One that has the database for itself knows that no other works.
    expect(await jobs.reclaim({ bootId: next, alone: true })).toBe(1);
    expect(await jobs.claimedBy(next)).toMatchObject([{ idx: 3 }]);
  });

  test('do not take a result that the project has no room for', async () => {
    const { store, projectId, aJob, insert, pages, boot, claim, settle } = await fresh();
    const job = aJob();
    await insert(job, pages('a', 'b'));
    const by = await boot('node_1');
    await claim(job.id, by);
    const before = await store.artifacts.usage(projectId);
    expect(await settle(job.id, 0, by, {}, nothing as never, before + 17)).toBe('overQuota');
    expect(await store.artifacts.usage(projectId)).toBe(before);
    expect(await settle(job.id, 0, by, {}, nothing as never, before + 18)).toBe('settled');
    expect(await store.artifacts.usage(projectId)).toBe(before + 18);
  });

  test('wait for what they begin with before they end', async () => {
    const { jobs, projectId, aJob, insert, pages, boot, claim, settle, tell } = await fresh();
    const job = aJob({ seeded: 0 });
    await insert(job, pages('a'));
    const by = await boot('node_1');
    await claim(job.id, by);
    await settle(job.id, 0, by);
    expect(await jobs.get(job.id, projectId)).toMatchObject({ status: 'running' });
    const add = (names: string[], seeded: boolean) =>
      jobs.addPages(
        job.id,
        { pages: pages(...names).map((page) => ({ ...page, finished: true })), remarks: [] },
        { seeded, now: 30, quotaBytes: null, tell },
      );
    expect(await add(['a', 'b'], false)).toBe('added');
    expect(await add([], true)).toBe('added');
    expect(await jobs.get(job.id, projectId)).toMatchObject({ status: 'completed', done: 2, total: 2 });
    expect(await add(['c'], true)).toBe('over');
  });

  test('end once when they are cancelled, and go bit by bit with what counted for their project', async () => {
    const { store, jobs, projectId, aJob, insert, pages, boot, claim, settle, tell } = await fresh();
    const job = aJob();
    await insert(job, pages('a', 'b', 'c'));
    const by = await boot('node_1');
    for (const _ of [1, 2]) await claim(job.id, by);
    await settle(job.id, 0, by);
    await store.artifacts.announce('result_1', { nodeId: 'node_1', bootId: by });
    await settle(job.id, 1, by, { result: null, resultId: 'result_1', resultNode: 'node_1', size: 100 });
    expect(await looseIds(store, { nodeId: 'node_1', bootId: 'later' }, '', 10)).toEqual([]);
    const options = { projectId, now: 40, tell };
    expect(await jobs.end(job.id, 'cancelled', options)).toMatchObject({ status: 'cancelled', done: 2 });
    expect(await jobs.end(job.id, 'cancelled', options)).toBeUndefined();
    expect(await jobs.past(40, 10)).toEqual([]);
    expect(await jobs.past(41, 10)).toEqual([{ id: job.id, projectId }]);
    expect(await jobs.markRemoved(job.id, projectId, 40)).toBe(true);
    expect(await jobs.get(job.id, projectId)).toBeUndefined();
    expect(await jobs.past(0, 10)).toHaveLength(1);
    const first = await jobs.removeSome(job.id, 2);
    const second = await jobs.removeSome(job.id, 2);
    expect([first.all, second.all]).toEqual([false, true]);
    expect([...first.loose, ...second.loose]).toEqual([{ id: 'result_1', nodeId: 'node_1' }]);
    expect(await store.artifacts.usage(projectId)).toBe(0);
    expect(await looseIds(store, { nodeId: 'node_1', bootId: by }, '', 10)).toEqual(['result_1']);
    expect(await jobs.load(job.id)).toBeUndefined();
  });

  test('are offered to the scheduler from every project, whoever came first', async () => {
    const { store, jobs, aJob, insert } = await fresh();
    const { id: other } = await store.projects.ensure('other');
    for (let n = 0; n < 4; n++) await insert(aJob({ createdAt: n }));
    const late = aJob({ projectId: other, createdAt: 100 });
    await insert(late);
    const offered = await jobs.active(2);
    expect(offered).toHaveLength(3);
    expect(offered.map(({ id }) => id)).toContain(late.id);
    expect(await jobs.countByStatus(['queued'])).toEqual([{ status: 'queued', count: 5 }]);
  });

  test('keep what callers asked for sealed', async () => {
    const { database, jobs, aJob, insert, boot } = await fresh();
    const job = aJob();
    await insert(job, [{ url: null, key: null, item: { html: 'a secret page' } }]);
    const claimed = await jobs.claim(job.id, { bootId: await boot('node_1'), now: 10 }, () => ({
      event: { projectId: job.projectId, browserId: job.id, type: 'job.started', at: 1, data: {} },
    }));
    expect(claimed).toMatchObject({ page: { item: { html: 'a secret page' } } });
    const again = await database.open();
    expect(await again.jobs.load(job.id)).toMatchObject({ request: job.request });
    for (const name of readdirSync(database.folder))
      expect(readFileSync(join(database.folder, name)).includes('a secret')).toBe(false);
  });
});

import { sql } from 'kysely';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type DatabaseKind,
  databases,
  freshDatabase,
  type TestDatabase,
} from '../../tests/support/databases.ts';
import { aBrowser, aDelivery, anEvent, aWebhook } from '../../tests/support/samples.ts';
import { openPostgres } from './databases/postgres.ts';
import { openSqlite } from './databases/sqlite.ts';
import type { DeliveryRecord, EventRecord, Store, WebhookRecord } from './records.ts';

const planAll = (webhook: WebhookRecord, event: EventRecord): DeliveryRecord | undefined =>
  aDelivery(webhook, { messageId: event.id, eventType: event.type });

/** As a node leaves them that knows no such column. */
async function forgetProjects(kind: DatabaseKind, { url }: TestDatabase): Promise<void> {
  const { db } =
    kind === 'sqlite' ? await openSqlite(url.slice('sqlite:'.length)) : openPostgres(url, () => undefined);
  await db.updateTable('deliveries').set({ project_id: sql`null` }).execute();
  await db.destroy();
}

describe.each(databases)('webhooks in the store on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const store = await database.open();
    const { id: projectId } = await store.projects.ensure('default');
    const browser = aBrowser({ projectId });
    await store.browsers.insert(browser, []);
    const webhook = await store.webhooks.insert(aWebhook(projectId));
    const happen = (count: number, types = ['browser.ready']) =>
      store.events.append(
        Array.from({ length: count }, (_, n) =>
          anEvent(browser, { type: types[n % types.length], data: { n } }),
        ),
      );
    const due = (now: number, except: string[] = []) =>
      store.deliveries.due(projectId, { now, limit: 100, except });
    const all = () => store.deliveries.list({ webhookId: webhook.id, limit: 1000 });
    return { database, store, projectId, browser, webhook, happen, due, all };
  };
  const advanceAll = async (store: Store, projectId: string, plan = planAll, atOnce = 10): Promise<void> => {
    while (await store.webhooks.advance(projectId, plan, atOnce));
  };

  test('come back with every field as it was, and belong to their project', async () => {
    const { store, projectId, webhook } = await fresh();
    expect(await store.webhooks.get(webhook.id, projectId)).toEqual(webhook);
    expect(await store.webhooks.get(webhook.id, 'project_other')).toBeUndefined();
    expect(await store.webhooks.list({ projectId, limit: 5 })).toEqual([webhook]);
    expect(await store.webhooks.change(webhook.id, 'project_other', { url: 'x' })).toBeUndefined();
    const changed = await store.webhooks.change(webhook.id, projectId, { description: null, events: [] });
    expect(changed).toEqual({ ...webhook, description: null, events: [] });
    expect(await store.webhooks.change(webhook.id, projectId, {})).toEqual(changed);
    expect(await store.webhooks.remove(webhook.id, 'project_other')).toBe(false);
    expect(await store.webhooks.remove(webhook.id, projectId)).toBe(true);
    expect(await store.webhooks.list({ projectId, limit: 5 })).toEqual([]);
  });

  test('start at the end of the events, and so do those that are enabled again', async () => {
    const { store, projectId, webhook, happen, all } = await fresh();
    await happen(3);
    const later = await store.webhooks.insert(aWebhook(projectId));
    expect(later.place).toBe(await store.events.last(projectId));
    await store.webhooks.change(webhook.id, projectId, { disabledAt: 5 });
    expect(await store.webhooks.advance(projectId, planAll, 10)).toBeUndefined();
    await store.webhooks.change(webhook.id, projectId, { disabledAt: null }, { fromNow: true });
    expect(await store.webhooks.advance(projectId, planAll, 10)).toBeUndefined();
    await happen(1);
    await advanceAll(store, projectId);
    expect(await all()).toHaveLength(1);
  });

  test('advance over every event once, however many do it at the same time', async () => {
    const { database, store, projectId, happen, all } = await fresh();
    const other = await database.open();
    await happen(95, ['browser.ready', 'tab.opened']);
    const plan = (webhook: WebhookRecord, event: EventRecord) =>
      event.type === 'browser.ready' ? planAll(webhook, event) : undefined;
    await Promise.all([store, other, store].map((each) => advanceAll(each, projectId, plan)));
    await advanceAll(store, projectId, plan);
    const planned = await all();
    expect(planned).toHaveLength(48);
    expect(new Set(planned.map(({ messageId }) => messageId)).size).toBe(48);
  });

  test('a plan that fails moves nothing', async () => {
    const { store, projectId, happen, all, webhook } = await fresh();
    await happen(3);
    const failing = (): never => {
      throw new Error('no plan');
    };
    await expect(store.webhooks.advance(projectId, failing, 10)).rejects.toThrow('no plan');
    expect(await all()).toEqual([]);
    expect((await store.webhooks.get(webhook.id))?.place).toBe(webhook.place);
  });

  test('a delivery is claimed by one node at a time, due ones only, and comes up again when the claim lapses', async () => {
    const { database, store, webhook, due, all } = await fresh();
    const other = await database.open();
    for (let n = 0; n < 30; n++) await store.deliveries.insert(aDelivery(webhook, { nextAt: n }));
    await store.deliveries.insert(aDelivery(webhook, { nextAt: 5000 }));
    await store.deliveries.insert(aDelivery(webhook, { state: 'failed', nextAt: null }));
    const claim = (from: Store, nodeId: string, now: number) =>
      from.deliveries.claim(webhook.id, { nodeId, now, until: now + 100, limit: 8 });
    const claims = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        n % 2 ? claim(other, 'node_2', 100) : claim(store, 'node_1', 100),
      ),
    );
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    while ((await claim(store, 'node_1', 100)).length > 0);
    expect(await due(150)).toEqual([]);
    expect((await due(200)).map(({ id }) => id)).toEqual([webhook.id]);
    expect((await all()).filter(({ claimedBy }) => claimedBy !== null)).toHaveLength(30);
  });

  test('of a webhook no more are on their way than it takes at once, whichever nodes send them', async () => {
    const { store, webhook } = await fresh();
    for (let n = 0; n < 9; n++) await store.deliveries.insert(aDelivery(webhook, { nextAt: n }));
    const claim = async (nodeId: string, limit: number, now: number) => {
      const by = { nodeId, now, until: now + 100, limit, mostClaimed: 4 };
      return (await store.deliveries.claim(webhook.id, by)).length;
    };
    expect(await claim('node_1', 3, 100)).toBe(3);
    expect(await claim('node_2', 3, 100)).toBe(1);
    expect(await claim('node_2', 3, 100)).toBe(0);
    // The claims of the first have lapsed.
    expect(await claim('node_2', 9, 201)).toBe(4);
  });

  test('a claim is settled by its node alone; what a node left behind is free at once', async () => {
    const { store, webhook, due } = await fresh();
    await store.deliveries.insert(aDelivery(webhook, { nextAt: 1 }));
    const by = { nodeId: 'node_1', now: 10, until: 1000, limit: 1 };
    const [claimed] = await store.deliveries.claim(webhook.id, by);
    const id = claimed?.id ?? '';
    const attempts = [{ at: 10, durationMs: 5, statusCode: 500, error: 'answered with 500' }];
    const outcome = { state: 'pending', tries: 1, attempts, nextAt: 50 } as const;
    expect(await store.deliveries.settle(id, 'node_2', outcome)).toBe(false);
    await store.deliveries.release('node_2', 20);
    expect(await due(20)).toEqual([]);
    await store.deliveries.release('node_1', 20);
    expect(await due(20)).toHaveLength(1);
    expect(await store.deliveries.settle(id, 'node_1', outcome)).toBe(false);
    await store.deliveries.claim(webhook.id, { ...by, now: 20 });
    expect(await store.deliveries.settle(id, 'node_1', outcome)).toBe(true);
    expect(await store.deliveries.get(id, webhook.id)).toMatchObject({ ...outcome, claimedBy: null });
  });

  test('one that is over can be sent again; one that is being sent is left alone', async () => {
    const { store, webhook } = await fresh();
    const over = aDelivery(webhook, { state: 'failed', tries: 9, nextAt: null });
    const claimed = aDelivery(webhook, { claimedBy: 'node_1', tries: 2, nextAt: 900 });
    await store.deliveries.insert(over);
    await store.deliveries.insert(claimed);
    expect(await store.deliveries.again(over.id, webhook.id, 70)).toEqual({
      ...over,
      state: 'pending',
      tries: 0,
      nextAt: 70,
    });
    expect(await store.deliveries.again(claimed.id, webhook.id, 70)).toEqual(claimed);
    expect(await store.deliveries.again(over.id, 'webhook_other', 70)).toBeUndefined();
    expect(await store.deliveries.list({ webhookId: webhook.id, state: 'failed', limit: 5 })).toEqual([]);
  });

  test('deliveries of a disabled webhook wait; those past their time are swept; the rest goes with the webhook', async () => {
    const { store, projectId, webhook, due, all } = await fresh();
    await store.deliveries.insert(aDelivery(webhook, { createdAt: 10 }));
    const young = aDelivery(webhook, { createdAt: 30 });
    const { body: _, ...shown } = young;
    await store.deliveries.insert(young);
    await store.webhooks.change(webhook.id, projectId, { disabledAt: 5 });
    expect(await due(5000)).toEqual([]);
    await store.sweep({ closedBefore: 0, idempotencyBefore: 0, deliveriesBefore: 20 });
    expect(await all()).toEqual([shown]);
    await store.webhooks.remove(webhook.id, projectId);
    expect(await all()).toEqual([]);
  });

  test('what is due is named by webhook, the one that has waited longest first, and of the project alone', async () => {
    const { store, projectId, webhook, due } = await fresh();
    const { id: otherId } = await store.projects.ensure('other');
    const [second, others] = await Promise.all(
      [projectId, otherId].map((id) => store.webhooks.insert(aWebhook(id))),
    );
    for (let n = 0; n < 3; n++) await store.deliveries.insert(aDelivery(webhook, { nextAt: 40 + n }));
    await store.deliveries.insert(aDelivery(second!, { nextAt: 30 }));
    await store.deliveries.insert(aDelivery(others!, { nextAt: 20 }));
    const named = async (now: number, except?: string[]) => (await due(now, except)).map(({ id }) => id);
    expect(await named(50)).toEqual([second?.id, webhook.id]);
    expect(await named(50, [second?.id ?? ''])).toEqual([webhook.id]);
    expect(await named(35)).toEqual([second?.id]);
    expect((await store.webhooks.projectsWaiting(35)).toSorted()).toEqual([projectId, otherId].toSorted());
    expect(await store.webhooks.projectsWaiting(10)).toEqual([]);
  });

  test('a project that is behind is named, and what an older version wrote is found as well', async () => {
    const { database, store, projectId, webhook, happen, due } = await fresh();
    await happen(1);
    expect(await store.webhooks.projectsWaiting(10)).toEqual([projectId]);
    await advanceAll(store, projectId, () => undefined);
    expect(await store.webhooks.projectsWaiting(10)).toEqual([]);
    await store.deliveries.insert(aDelivery(webhook, { nextAt: 5 }));
    await forgetProjects(kind, database);
    expect(await due(10)).toEqual([]);
    expect(await store.webhooks.projectsWaiting(10)).toEqual([projectId]);
    expect(await due(10)).toHaveLength(1);
  });

  test('of what there is no room for a webhook counts how much it was not told of; it always has room for a few', async () => {
    const { store, projectId, webhook, happen, all } = await fresh();
    const room = { always: 2, ofWebhook: 6, ofProject: 9 };
    const second = await store.webhooks.insert(aWebhook(projectId, { createdAt: 2 }));
    const third = await store.webhooks.insert(aWebhook(projectId, { createdAt: 3 }));
    await happen(8);
    const dropped = new Map<string, number>();
    for (;;) {
      const planned = await store.webhooks.advance(projectId, planAll, 4, room);
      if (!planned) break;
      dropped.set(planned.webhookId, (dropped.get(planned.webhookId) ?? 0) + planned.dropped);
    }
    const waiting = async (id: string) =>
      (await store.deliveries.list({ webhookId: id, state: 'pending', limit: 100 })).length;
    const counts = await Promise.all([webhook, second, third].map(({ id }) => waiting(id)));
    // 9 of the project, and each webhook with 2 at least.
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
    expect(Math.max(...counts)).toBeLessThanOrEqual(6);
    expect(counts.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(9 + 2 * 2);
    for (const [at, { id }] of [webhook, second, third].entries()) {
      const kept = await store.webhooks.get(id);
      expect([kept?.dropped, counts[at]]).toEqual([dropped.get(id), 8 - (dropped.get(id) ?? 0)]);
      expect(kept?.droppedAt).toEqual(kept?.dropped ? expect.any(Number) : null);
    }
    expect(await store.deliveries.insert(aDelivery(webhook), { ...room, ofWebhook: 2 })).toBe(false);
    expect(await all()).toHaveLength(counts[0] ?? 0);
  });

  test('of those that are over the newest are kept, however many wait', async () => {
    const { store, projectId, webhook, all } = await fresh();
    for (let n = 0; n < 8; n++)
      await store.deliveries.insert(
        aDelivery(webhook, n % 2 ? { createdAt: n } : { createdAt: n, state: 'delivered', nextAt: null }),
      );
    expect(await store.deliveries.trim(projectId, 2)).toBe(false);
    expect((await all()).map(({ createdAt }) => createdAt)).toEqual([7, 6, 5, 4, 3, 1]);
    expect(await store.deliveries.trim('project_other', 0)).toBe(false);
    expect(await all()).toHaveLength(6);
  });

  test('events are listed by type, in both directions, between two places', async () => {
    const { store, projectId, browser, happen } = await fresh();
    await happen(9, ['browser.ready', 'tab.opened', 'tab.closed']);
    const list = async (query: object) =>
      (await store.events.list({ projectId, limit: 100, ...query })).map(({ data }) => data.n);
    const types = ['tab.opened', 'tab.closed', 'tab.opened'];
    for (const browserId of [undefined, browser.id]) {
      expect(await list({ browserId, types })).toEqual([1, 2, 4, 5, 7, 8]);
      expect(await list({ browserId, types, newestFirst: true, limit: 2 })).toEqual([8, 7]);
      expect(await list({ browserId, types: [] })).toEqual([]);
    }
    const [, second] = await store.events.list({ projectId, limit: 2 });
    expect(await list({ afterSeq: second?.seq, beforeSeq: (second?.seq ?? 0) + 4 })).toEqual([2, 3, 4]);
    expect(await store.events.seqOf(projectId, second?.id ?? '')).toBe(second?.seq);
    expect(await store.events.seqOf('project_other', second?.id ?? '')).toBeUndefined();
  });

  test('whoever watches hears of new events, also of those that another connection writes', async () => {
    const { database, store, projectId, browser } = await fresh();
    const other = await database.open();
    const heard: (string | undefined)[] = [];
    const off = store.events.watch((project) => heard.push(project));
    await expect
      .poll(async () => {
        await other.events.append([anEvent(browser)]);
        return heard.includes(projectId);
      })
      .toBe(true);
    off();
    const before = heard.length;
    await other.events.append([anEvent(browser)]);
    expect(heard).toHaveLength(before);
  });
});

test('word of new events comes again after its connection to PostgreSQL was lost', async () => {
  const database = await freshDatabase('postgres');
  const lost: string[] = [];
  const store = await database.open((word) => lost.push(word));
  const { id: projectId } = await store.projects.ensure('default');
  const heard: (string | undefined)[] = [];
  store.events.watch((project) => heard.push(project));
  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'browserd news' and datname = current_database()`;
  await expect.poll(async () => (await client.query(end)).rowCount).toBe(1);
  await expect.poll(() => lost).toContain('store.news_lost');
  heard.length = 0;
  await expect.poll(() => heard, { timeout: 90_000 }).toEqual([undefined]);
  await store.events.append([anEvent(aBrowser({ projectId }))]);
  await expect.poll(() => heard).toEqual([undefined, projectId]);
});

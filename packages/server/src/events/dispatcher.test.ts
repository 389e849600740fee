import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser, aDelivery, aJob, anEvent, aWebhook } from '../../tests/support/samples.ts';
import { createLog } from '../kit/log.ts';
import type { Store } from '../store/records.ts';
import { Dispatcher, type DispatcherParts } from './dispatcher.ts';

/** Much longer than a test may take. */
const flushMs = 600_000;
const taken = { status: 200, headers: {} };

/** A receiver that never answers. */
const untilCutOff = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const dispatcherOf = (store: Store, parts: Pick<DispatcherParts, 'post'> & Partial<DispatcherParts>) =>
  new Dispatcher({
    store,
    log: createLog('silent'),
    nodeId: 'node_1',
    retriesMs: [],
    userAgent: 'test',
    ...parts,
  });

test('a dispatcher that has nothing to send ends at once, however long it might', async () => {
  const store = await (await freshDatabase('sqlite')).open();
  const sent: string[] = [];
  const dispatcher = dispatcherOf(store, {
    post: async (url) => {
      sent.push(url);
      return taken;
    },
  });
  await dispatcher.start();
  await dispatcher.close(flushMs);
  expect(sent).toEqual([]);
});

test('receivers of one project that never answer, of its jobs too, take no place of another project', async () => {
  const store = await (await freshDatabase('sqlite')).open();
  const [hostile, calm] = await Promise.all(
    ['hostile', 'calm'].map(async (name) => (await store.projects.ensure(name)).id),
  );
  const addDelivery = async (projectId: string, url: string, ofJob: boolean): Promise<void> => {
    const webhook = aWebhook(projectId, { url });
    const job = aJob({ projectId, webhookId: webhook.id });
    if (ofJob)
      await store.jobs.insert(job, { bootId: 'boot', pages: [], most: 100, quotaBytes: null, webhook });
    else await store.webhooks.insert(webhook);
    await store.deliveries.insert(aDelivery(webhook));
  };
  for (let n = 0; n < 90; n++) await addDelivery(hostile!, 'http://silent.test', n % 2 === 0);
  const under = new Map<string, number>();
  const dispatcher = dispatcherOf(store, {
    post: (_url, { of, signal }) => {
      under.set(of, (under.get(of) ?? 0) + 1);
      return of === hostile ? untilCutOff(signal) : Promise.resolve(taken);
    },
  });
  await dispatcher.start();
  onTestFinished(() => dispatcher.close(0));
  await expect.poll(() => under.get(hostile!)).toBe(16);
  for (let n = 1; n <= 20; n++) {
    await addDelivery(calm!, 'http://quick.test', true);
    dispatcher.wake(calm!);
    await expect.poll(() => under.get(calm!)).toBe(n);
  }
  expect(under.get(hostile!)).toBe(16);
});

test('a webhook that fails, with a thousand deliveries, keeps none of another webhook of its project waiting', async () => {
  const store = await (await freshDatabase('sqlite')).open();
  const { id: projectId } = await store.projects.ensure('default');
  const failing = await store.webhooks.insert(aWebhook(projectId, { url: 'http://silent.test' }));
  await store.webhooks.change(failing.id, projectId, { failingSince: 1 });
  const browser = aBrowser({ projectId });
  await store.events.append(Array.from({ length: 1100 }, () => anEvent(browser)));
  await store.webhooks.advance(projectId, (to) => aDelivery(to), 1100);
  const healthy = await store.webhooks.insert(aWebhook(projectId, { url: 'http://quick.test' }));
  await store.deliveries.insert(aDelivery(healthy, { nextAt: 5000 }));
  const sent: string[] = [];
  const dispatcher = dispatcherOf(store, {
    post: (url, { signal }) => {
      sent.push(url);
      return url === healthy.url ? Promise.resolve(taken) : untilCutOff(signal);
    },
  });
  await dispatcher.start();
  onTestFinished(() => dispatcher.close(0));
  await expect.poll(() => sent.toSorted()).toEqual([healthy.url, failing.url]);
});

test('while many events of one project are planned the loop turns, and what happens in another is sent', async () => {
  const store = await (await freshDatabase('sqlite')).open();
  const [busy, calm] = await Promise.all(
    ['busy', 'calm'].map(async (name) => (await store.projects.ensure(name)).id),
  );
  const webhooks = 10;
  const events = 500;
  for (let n = 0; n < webhooks; n++)
    await store.webhooks.insert(aWebhook(busy!, { events: [], createdAt: n }));
  const receiver = await store.webhooks.insert(aWebhook(calm!, { events: [], url: 'http://calm.test' }));
  const browser = aBrowser({ projectId: busy! });
  await store.events.append(Array.from({ length: events }, () => anEvent(browser)));
  let planned = 0;
  let plannedBefore: number | undefined;
  const counting: Store = {
    ...store,
    webhooks: {
      ...store.webhooks,
      advance: async (projectId, plan, ...rest) => {
        const moved = await store.webhooks.advance(projectId, plan, ...rest);
        if (projectId === busy && moved) planned++;
        return moved;
      },
    },
  };
  const dispatcher = dispatcherOf(counting, {
    post: (url, { signal }) => {
      if (url !== receiver.url) return untilCutOff(signal);
      plannedBefore ??= planned;
      return Promise.resolve(taken);
    },
  });
  await dispatcher.start();
  onTestFinished(() => dispatcher.close(0));
  let turns = 0;
  while (planned < 2) {
    turns++;
    await nextTurn();
  }
  await store.events.append([anEvent(aBrowser({ projectId: calm! }))]);
  const slices = (webhooks * events) / 50;
  while (planned < slices) {
    turns++;
    await nextTurn();
  }
  expect(plannedBefore).toBeLessThan(slices);
  // A turn each time that the project has used up its share of it.
  expect(turns).toBeGreaterThan(slices / 4);
});

test('an event costs the node whose turn its project is a look, and the others nothing, however many they are', async () => {
  const database = await freshDatabase('postgres');
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const looks = new Map<string, number>();
  const { id: projectId } = await (await database.open()).projects.ensure('default');
  const sent: string[] = [];
  const [writer] = await Promise.all(
    names.map(async (name) => {
      const store = await database.open();
      const look = () => looks.set(name, (looks.get(name) ?? 0) + 1);
      const seen: Store = {
        ...store,
        webhooks: {
          ...store.webhooks,
          projectsWaiting: (now) => {
            look();
            return store.webhooks.projectsWaiting(now);
          },
          advance: (...given) => {
            look();
            return store.webhooks.advance(...given);
          },
        },
      };
      const dispatcher = dispatcherOf(seen, {
        nodeId: name,
        turn: {
          nodes: () => names.length,
          isMine: (of) => of === projectId && name === 'c',
          take: async () => true,
        },
        lookEveryMs: flushMs,
        post: async (url) => {
          sent.push(`${name} ${url}`);
          return taken;
        },
      });
      await dispatcher.start();
      onTestFinished(() => dispatcher.close(flushMs));
      return store;
    }),
  );
  // Each looks at its start, and when it is first heard that signals come.
  await expect.poll(() => names.every((name) => (looks.get(name) ?? 0) >= 2)).toBe(true);
  await writer!.webhooks.insert(aWebhook(projectId, { events: ['*'], url: 'http://receiver.test' }));
  const before = new Map(looks);
  const browser = aBrowser({ projectId });
  for (let n = 1; n <= 5; n++) {
    await writer!.events.append([anEvent(browser)]);
    await expect.poll(() => sent).toEqual(Array.from({ length: n }, () => 'c http://receiver.test'));
  }
  const rise = (name: string) => (looks.get(name) ?? 0) - (before.get(name) ?? 0);
  expect(rise('c')).toBeGreaterThanOrEqual(5);
  for (const name of names.filter((other) => other !== 'c')) expect(rise(name)).toBe(0);
});
